"""Gathering, scattering, choosing and sorting."""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F
from torch import Tensor

from peers.call import Call, adapter
from peers.families.shapes import vector_jacobian


def _wrapped(indices: Tensor, length: int) -> Tensor:
    """Negative indices count from the end."""
    indices = indices.long()
    return torch.where(indices < 0, indices + length, indices)


def _gather(x: Tensor, indices: Tensor, axis: int) -> Tensor:
    axis %= x.dim()
    taken = x.index_select(axis, _wrapped(indices, x.shape[axis]).reshape(-1))
    return taken.reshape(*x.shape[:axis], *indices.shape, *x.shape[axis + 1 :])


@adapter("Gather")
def gather(call: Call) -> Tensor:
    return _gather(call.x, call[1], call.attrs["axis"])


@adapter("GatherGrad")
def gather_grad(call: Call) -> Tensor:
    grad, indices = call.inputs[:2]
    zeros = torch.zeros(call.ints(2) or [], dtype=grad.dtype)
    return vector_jacobian(lambda x: _gather(x, indices, call.attrs["axis"]), zeros, grad)


@adapter("GatherElements")
def gather_elements(call: Call) -> Tensor:
    axis = call.attrs["axis"]
    return torch.gather(call.x, axis, _wrapped(call[1], call.x.shape[axis]))


@adapter("GatherND")
def gather_nd(call: Call) -> Tensor:
    x, indices = call.inputs
    batch = call.attrs.get("batch_dims", 0)
    depth = indices.shape[-1]
    lead = x.shape[:batch]
    flat_x = x.reshape(math.prod(lead), *x.shape[batch:])
    flat_i = indices.long().reshape(flat_x.shape[0], math.prod(indices.shape[batch:-1]), depth)
    rows = torch.arange(flat_x.shape[0]).reshape(-1, 1).expand(flat_i.shape[:2])
    taken = flat_x[(rows, *(flat_i[..., place] for place in range(depth)))]
    return taken.reshape(*lead, *indices.shape[batch:-1], *x.shape[batch + depth :])


REDUCTIONS = {"add": "sum", "mul": "prod", "max": "amax", "min": "amin"}


@adapter("ScatterElements")
def scatter_elements(call: Call) -> Tensor:
    x, indices, updates = call.inputs
    axis, reduction = call.attrs["axis"], call.attrs["reduction"]
    places = _wrapped(indices, x.shape[axis])
    if reduction == "none":
        return x.scatter(axis, places, updates)
    if reduction == "add":
        return x.scatter_add(axis, places, updates)
    return x.scatter_reduce(axis, places, updates, reduce=REDUCTIONS[reduction])


@adapter("ScatterND")
def scatter_nd(call: Call) -> Tensor:
    x, indices, updates = call.inputs
    reduction = call.attrs.get("reduction", "none")
    depth = indices.shape[-1]
    places = [_wrapped(indices[..., axis], x.shape[axis]) for axis in range(depth)]
    if reduction in ("none", "add"):
        return x.index_put(places, updates, accumulate=reduction == "add")
    # As a scatter along one axis of rows.
    lengths = list(x.shape[:depth])
    row = torch.zeros(indices.shape[:-1], dtype=torch.int64)
    for place, length in zip(places, lengths):
        row = row * length + place
    width = max(1, x[(0,) * depth].numel())
    flat = row.reshape(-1, 1).expand(-1, width)
    y = x.reshape(-1, width).scatter_reduce(0, flat, updates.reshape(-1, width), reduce=REDUCTIONS[reduction])
    return y.reshape(x.shape)


@adapter("OneHot")
def one_hot(call: Call) -> Tensor:
    # Either (indices, depth, values), as in ONNX, or (indices) with the depth as an attribute.
    depth = call.attrs["depth"] if "depth" in call.attrs else int(call[1])
    indices = call.x.long()
    inside = (indices >= -depth) & (indices < depth)
    hot = F.one_hot(torch.where(inside, indices % depth, torch.zeros_like(indices)), depth)
    hot = hot * inside.long().unsqueeze(-1)
    hot = hot.movedim(-1, call.attrs["axis"])
    if call.get(2) is None:
        return hot.to(call.attrs["dtype"])
    off, on = call[2][0], call[2][1]
    return torch.where(hot.bool(), on, off)


@adapter("TopK")
def top_k(call: Call) -> list[Tensor]:
    counts = call.ints(1)
    k = counts[0] if counts else call.attrs["k"]
    axis = call.attrs["axis"]
    # Ties go to the smaller index, which only a stable sort promises.
    _, places = torch.sort(call.x, dim=axis, descending=bool(call.attrs["largest"]), stable=True)
    chosen = places.narrow(axis, 0, k)
    if not call.attrs["sorted"]:  # they stay in the order of the input
        chosen = chosen.sort(dim=axis).values
    return [torch.gather(call.x, axis, chosen), chosen]


@adapter("Sort")
def sort(call: Call) -> list[Tensor]:
    descending = bool(call.attrs.get("descending", False))
    return list(torch.sort(call.x, dim=call.attrs["axis"], descending=descending, stable=True))


@adapter("NonZero")
def non_zero(call: Call) -> Tensor:
    return torch.nonzero(call.x).t().contiguous()


@adapter("Compress")
def compress(call: Call) -> Tensor:
    x, condition = call.inputs
    axis = call.attrs["axis"]
    flat = axis == 2**63 - 1  # the default
    x = x.reshape(-1) if flat else x
    places = torch.nonzero(condition).reshape(-1)
    return x.index_select(0 if flat else axis, places)


@adapter("Where")
def where(call: Call) -> Tensor:
    return torch.where(*call.inputs)
