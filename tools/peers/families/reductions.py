"""Reductions over axes, and cumulative sums."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from peers.call import Call, Unsupported, adapter

Reduce = Callable[[Tensor, "list[int]", bool], Tensor]


def _axes(call: Call) -> list[int] | None:
    """None: nothing is reduced."""
    axes = call.ints(1)
    if axes is None and "axes" in call.attrs:
        axes = list(call.attrs["axes"])
    if axes:
        return [axis % call.x.dim() for axis in axes]
    return None if call.attrs.get("noop_with_empty_axes") else list(range(call.x.dim()))


def _reduce(call: Call, reduce: Reduce, before: Callable[[Tensor], Tensor] = lambda x: x) -> Tensor:
    axes = _axes(call)
    x = before(call.x)
    # A list without axes means all of them to PyTorch; here a scalar is meant, which stays.
    return reduce(x, axes, bool(call.attrs["keepdims"])) if axes else x


def _sum(x: Tensor, axes: list[int], keep: bool) -> Tensor:
    return torch.sum(x, axes, keepdim=keep, dtype=x.dtype)


def _prod(x: Tensor, axes: list[int], keep: bool) -> Tensor:
    for axis in sorted(axes, reverse=True):
        x = torch.prod(x, axis, keepdim=keep, dtype=x.dtype)
    return x


def _extreme(function: Callable[..., Tensor]) -> Reduce:
    def reduce(x: Tensor, axes: list[int], keep: bool) -> Tensor:
        if any(x.shape[axis] == 0 for axis in axes):
            raise Unsupported  # PyTorch refuses the maximum of nothing
        return function(x, axes, keepdim=keep)

    return reduce


def _norm(order: int) -> Reduce:
    return lambda x, axes, keep: torch.linalg.vector_norm(x, order, axes, keep)


@adapter("ReduceSum")
def reduce_sum(call: Call) -> Tensor:
    return _reduce(call, _sum)


@adapter("ReduceMean")
def reduce_mean(call: Call) -> Tensor:
    return _reduce(call, lambda x, axes, keep: torch.mean(x, axes, keepdim=keep))


@adapter("ReduceMax")
def reduce_max(call: Call) -> Tensor:
    return _reduce(call, _extreme(torch.amax))


@adapter("ReduceMin")
def reduce_min(call: Call) -> Tensor:
    return _reduce(call, _extreme(torch.amin))


@adapter("ReduceProd")
def reduce_prod(call: Call) -> Tensor:
    return _reduce(call, _prod)


@adapter("ReduceL1")
def reduce_l1(call: Call) -> Tensor:
    return _reduce(call, _sum, torch.abs)


@adapter("ReduceL2")
def reduce_l2(call: Call) -> Tensor:
    if not call.x.is_floating_point():
        raise Unsupported
    return _reduce(call, _norm(2), lambda x: x if _axes(call) else x.abs())


@adapter("ReduceSumSquare")
def reduce_sum_square(call: Call) -> Tensor:
    return _reduce(call, _sum, torch.square)


@adapter("ReduceLogSum")
def reduce_log_sum(call: Call) -> Tensor:
    return torch.log(_reduce(call, _sum))


@adapter("ReduceLogSumExp")
def reduce_log_sum_exp(call: Call) -> Tensor:
    return _reduce(call, lambda x, axes, keep: torch.logsumexp(x, axes, keepdim=keep))


@adapter("ReduceVariance", "ReduceVar", "Variance")
def reduce_variance(call: Call) -> Tensor:
    correction = int(call.attrs.get("correction", 0))
    if call.x.dim() == 0:
        return torch.var(call.x.reshape(1), dim=0, correction=correction)
    return _reduce(call, lambda x, axes, keep: torch.var(x, dim=axes, correction=correction, keepdim=keep))


def _arg(call: Call, function: Callable[..., Tensor]) -> Tensor:
    axis, keep = call.attrs["axis"], bool(call.attrs["keepdims"])
    x = call.x.to(torch.uint8) if call.x.dtype == torch.bool else call.x
    if not call.attrs.get("select_last_index"):
        return function(x, dim=axis, keepdim=keep)
    return x.shape[axis] - 1 - function(x.flip(axis), dim=axis, keepdim=keep)


@adapter("ArgMax")
def arg_max(call: Call) -> Tensor:
    return _arg(call, torch.argmax)


@adapter("ArgMin")
def arg_min(call: Call) -> Tensor:
    return _arg(call, torch.argmin)


@adapter("CumSum")
def cum_sum(call: Call) -> Tensor:
    axes = call.ints(1)
    axis = axes[0] if axes else call.attrs["axis"]
    x = call.x.flip(axis) if call.attrs.get("reverse") else call.x
    y = torch.cumsum(x, axis, dtype=x.dtype)
    if call.attrs.get("exclusive"):
        y = y - x
    return y.flip(axis) if call.attrs.get("reverse") else y


@adapter("CumProd")
def cum_prod(call: Call) -> Tensor:
    axes = call.ints(1)
    return torch.cumprod(call.x, axes[0] if axes else call.attrs["axis"])
