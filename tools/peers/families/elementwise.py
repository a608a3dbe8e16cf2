"""Arithmetic, mathematics, comparisons, logic and bits."""

from __future__ import annotations

import functools

import torch
from torch import Tensor

from peers.call import Call, Unsupported, adapter


@adapter("Identity", "Print")
def identity(call: Call) -> Tensor:
    return call.x.clone()


def _check_quotient(a: Tensor, b: Tensor) -> None:
    """The smallest integer divided by −1 ends PyTorch with a signal."""
    if not a.is_floating_point() and bool(torch.any((a == torch.iinfo(a.dtype).min) & (b == -1))):
        raise Unsupported


@adapter("Div")
def div(call: Call) -> Tensor:
    a, b = call.inputs
    _check_quotient(a, b)
    return torch.div(a, b) if a.is_floating_point() else torch.div(a, b, rounding_mode="trunc")


@adapter("Mod")
def mod(call: Call) -> Tensor:
    a, b = call.inputs
    _check_quotient(a, b)
    return torch.fmod(a, b) if call.attrs.get("fmod") else torch.remainder(a, b)


@adapter("Pow")
def power(call: Call) -> Tensor:
    base, exponent = call.inputs
    return torch.pow(base, exponent).to(base.dtype)


@adapter("Clip")
def clip(call: Call) -> Tensor:
    if call.get(1) is None and call.get(2) is None:
        return call.x.clone()
    return torch.clamp(call.x, call.get(1), call.get(2))


@adapter("Max")
def maximum(call: Call) -> Tensor:
    return functools.reduce(torch.maximum, call.inputs)


@adapter("Min")
def minimum(call: Call) -> Tensor:
    return functools.reduce(torch.minimum, call.inputs)


@adapter("Sum")
def total(call: Call) -> Tensor:
    return functools.reduce(torch.add, call.inputs)


@adapter("Mean")
def mean(call: Call) -> Tensor:
    return functools.reduce(torch.add, call.inputs) / len(call.inputs)


@adapter("Cast")
def cast(call: Call) -> Tensor:
    return call.x.to(call.attrs["to"])


@adapter("CastLike")
def cast_like(call: Call) -> Tensor:
    return call.x.to(call[1].dtype)


@adapter("IsInf")
def is_inf(call: Call) -> Tensor:
    infinite = torch.isinf(call.x)
    if not call.attrs.get("detect_positive", True):
        infinite = infinite & (call.x < 0)
    if not call.attrs.get("detect_negative", True):
        infinite = infinite & (call.x > 0)
    return infinite


@adapter("BitShift")
def bit_shift(call: Call) -> Tensor:
    if bool(torch.any(call[1] >= 64)):
        raise Unsupported
    shift = torch.bitwise_left_shift if call.attrs["direction"] == "LEFT" else torch.bitwise_right_shift
    return shift(*call.inputs)
