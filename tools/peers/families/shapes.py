"""Ops that move elements about."""

from __future__ import annotations

from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor

from peers.call import Call, Unsupported, adapter


def vector_jacobian(function: Callable[[Tensor], Tensor], point: Tensor, grad: Tensor) -> Tensor:
    """The gradient of a linear function, itself differentiable by `grad`."""
    point = point.detach().clone().requires_grad_()
    with torch.enable_grad():
        (found,) = torch.autograd.grad(function(point), point, grad, create_graph=True)
    return found


@adapter("Concat")
def concat(call: Call) -> Tensor:
    return torch.cat(call.inputs, dim=call.attrs["axis"])


@adapter("Stack")
def stack(call: Call) -> Tensor:
    return torch.stack(call.inputs, dim=call.attrs["axis"])


@adapter("Split")
def split(call: Call) -> list[Tensor]:
    axis = call.attrs["axis"]
    lengths = call.ints(1)
    if lengths is None:
        length, parts = call.x.shape[axis], call.attrs["num_outputs"]
        size = -(-length // parts)
        lengths = [size] * (parts - 1) + [length - size * (parts - 1)]
    return list(torch.split(call.x, lengths, dim=axis))


def _take_slice(x: Tensor, starts: list[int], ends: list[int], axes: list[int], steps: list[int]) -> Tensor:
    for start, end, axis, step in zip(starts, ends, axes, steps):
        # PyTorch has no negative steps; the positions themselves say all.
        places = torch.tensor(list(range(x.shape[axis]))[start:end:step], dtype=torch.int64)
        x = x.index_select(axis, places)
    return x


def _slice_of(call: Call, first: int, rank: int) -> Callable[[Tensor], Tensor]:
    starts, ends = call.ints(first) or [], call.ints(first + 1) or []
    axes = call.ints(first + 2) or list(range(len(starts)))
    steps = call.ints(first + 3) or [1] * len(starts)
    return lambda x: _take_slice(x, starts, ends, [axis % rank for axis in axes], steps)


@adapter("Slice")
def slice_(call: Call) -> Tensor:
    return _slice_of(call, 1, call.x.dim())(call.x.clone())


@adapter("SliceGrad")
def slice_grad(call: Call) -> Tensor:
    shape = call.ints(1) or []
    return vector_jacobian(_slice_of(call, 2, len(shape)), torch.zeros(shape, dtype=call.x.dtype), call.x)


@adapter("ReverseSequence")
def reverse_sequence(call: Call) -> Tensor:
    batch, time = call.attrs["batch_axis"], call.attrs["time_axis"]
    x = call.x.movedim((batch, time), (0, 1))
    rows = [torch.cat([row[:length].flip(0), row[length:]]) for row, length in zip(x, call.ints(1) or [])]
    return (torch.stack(rows) if rows else x.clone()).movedim((0, 1), (batch, time))


@adapter("Transpose")
def transpose(call: Call) -> Tensor:
    return call.x.permute(call.attrs["perm"] or list(range(call.x.dim()))[::-1]).clone()


@adapter("Reshape")
def reshape(call: Call) -> Tensor:
    shape = call.ints(1) or []
    if call.x.numel() == 0:
        raise Unsupported  # PyTorch cannot tell -1 there
    if not call.attrs.get("allowzero"):
        shape = [call.x.shape[axis] if length == 0 else length for axis, length in enumerate(shape)]
    return call.x.reshape(shape).clone()


@adapter("Flatten")
def flatten(call: Call) -> Tensor:
    axis = call.attrs["axis"]
    axis = axis + call.x.dim() if axis < 0 else axis
    rows = 1
    for length in call.x.shape[:axis]:
        rows *= length
    columns = 1
    for length in call.x.shape[axis:]:
        columns *= length
    return call.x.reshape(rows, columns).clone()


@adapter("Expand")
def expand(call: Call) -> Tensor:
    shape = torch.broadcast_shapes(tuple(call.x.shape), tuple(call.ints(1) or []))
    return call.x.broadcast_to(shape).clone()


@adapter("Squeeze")
def squeeze(call: Call) -> Tensor:
    axes = call.ints(1)
    if not axes:
        return call.x.squeeze().clone()
    kept = {axis % call.x.dim() for axis in axes}
    return call.x.reshape([length for axis, length in enumerate(call.x.shape) if axis not in kept]).clone()


@adapter("Unsqueeze")
def unsqueeze(call: Call) -> Tensor:
    axes = call.ints(1) or []
    x = call.x
    for axis in sorted(axis % (x.dim() + len(axes)) for axis in axes):
        x = x.unsqueeze(axis)
    return x.clone()


@adapter("Shape")
def shape_(call: Call) -> Tensor:
    return torch.tensor(list(call.x.shape)[call.attrs.get("start", 0) : call.attrs.get("end")], dtype=torch.int64)


@adapter("Size")
def size(call: Call) -> Tensor:
    return torch.tensor(call.x.numel())


@adapter("Tile")
def tile(call: Call) -> Tensor:
    return torch.tile(call.x, call.ints(1) or [])


@adapter("Range")
def arange(call: Call) -> Tensor:
    start, limit, delta = (value.item() for value in call.inputs)
    if (limit - start) * delta <= 0:
        return torch.zeros(0, dtype=call.x.dtype)
    return torch.arange(start, limit, delta, dtype=call.x.dtype)


@adapter("EyeLike")
def eye_like(call: Call) -> Tensor:
    rows, columns = call.x.shape
    # A square large enough holds every diagonal that the rectangle can show.
    square = torch.diag(torch.ones(rows + columns), call.attrs["k"])
    return square[:rows, :columns].to(call.attrs.get("dtype", call.x.dtype))


@adapter("Constant")
def constant(call: Call) -> Tensor:
    return call.attrs["value"].tensor.clone()


@adapter("ConstantOfShape")
def constant_of_shape(call: Call) -> Tensor:
    value = call.attrs["value"].tensor
    return torch.full(call.ints(0) or [], value.item(), dtype=value.dtype)


@adapter("Trilu")
def trilu(call: Call) -> Tensor:
    shifts = call.ints(1)
    shift = shifts[0] if shifts else call.attrs.get("k", 0)
    return torch.triu(call.x, shift) if call.attrs["upper"] else torch.tril(call.x, shift)


def _pads(call: Call) -> list[tuple[int, int]]:
    """(before, after) for each axis."""
    pads, axes = call.ints(1) or [], call.ints(3)
    places = list(range(call.x.dim())) if axes is None else [axis % call.x.dim() for axis in axes]
    result = [(0, 0)] * call.x.dim()
    for number, axis in enumerate(places):
        result[axis] = (pads[number], pads[number + len(places)])
    return result


@adapter("Pad")
def pad(call: Call) -> Tensor:
    pads = _pads(call)
    if any(-length > call.x.shape[axis] for axis, pair in enumerate(pads) for length in pair):
        raise Unsupported  # nothing of the input is left
    mode = call.attrs.get("mode", "constant")
    if mode == "constant":
        flat = [length for pair in reversed(pads) for length in pair]
        inside = F.pad(call.x, flat)
        if call.get(2) is None:
            return inside
        outside = 1 - F.pad(torch.ones_like(call.x), flat)
        return torch.where(outside != 0, call[2].reshape(()), inside)
    modes = {"edge": "replicate", "reflect": "reflect", "wrap": "circular"}
    # PyTorch pads the last axes of a batch with channels: one axis at a time, moved to the end.
    x = call.x
    for axis, (before, after) in enumerate(pads):
        if before == 0 and after == 0:
            continue
        # Cut first, then pad.
        x = x.narrow(axis, max(0, -before), x.shape[axis] - max(0, -before) - max(0, -after))
        before, after = max(0, before), max(0, after)
        moved = x.movedim(axis, -1)
        lead = moved.shape[:-1]
        row = F.pad(moved.reshape(1, -1, moved.shape[-1]), (before, after), mode=modes[mode])
        x = row.reshape(*lead, row.shape[-1]).movedim(-1, axis)
    return x


@adapter("DepthToSpace")
def depth_to_space(call: Call) -> Tensor:
    block = call.attrs["blocksize"]
    if call.attrs["mode"] == "CRD":
        return F.pixel_shuffle(call.x, block)
    n, c, h, w = call.x.shape
    y = call.x.reshape(n, block, block, c // block**2, h, w)
    return y.permute(0, 3, 4, 1, 5, 2).reshape(n, c // block**2, h * block, w * block)


@adapter("SpaceToDepth")
def space_to_depth(call: Call) -> Tensor:
    block = call.attrs["blocksize"]
    n, c, h, w = call.x.shape
    y = call.x.reshape(n, c, h // block, block, w // block, block)
    return y.permute(0, 3, 5, 1, 2, 4).reshape(n, c * block**2, h // block, w // block)


@adapter("PixelShuffle", "nn.PixelShuffle")
def pixel_shuffle(call: Call) -> Tensor:
    return F.pixel_shuffle(call.x, call.attrs.get("factor", call.attrs.get("upscale", 2)))
