"""Pools over windows, adaptive and global ones."""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F
from torch import Tensor

from peers.call import Call, adapter
from peers.families.convolutions import Windows, windows_of
from peers.families.shapes import vector_jacobian

MAX_POOL = {1: F.max_pool1d, 2: F.max_pool2d, 3: F.max_pool3d}
AVERAGE = {1: F.avg_pool1d, 2: F.avg_pool2d, 3: F.avg_pool3d}
ADAPTIVE_AVERAGE = {1: F.adaptive_avg_pool1d, 2: F.adaptive_avg_pool2d, 3: F.adaptive_avg_pool3d}
ADAPTIVE_MAX = {1: F.adaptive_max_pool1d, 2: F.adaptive_max_pool2d, 3: F.adaptive_max_pool3d}


def _pool_windows(call: Call, lengths: list[int]) -> tuple[Windows, list[int]]:
    """The windows, and how much ceil_mode adds at the end of each axis."""
    kernel = call.attrs["kernel_shape"]
    windows = windows_of(call, lengths, kernel)
    extra = []
    for axis, length in enumerate(lengths):
        stride = windows.strides[axis]
        reach = (kernel[axis] - 1) * windows.dilations[axis] + 1
        padded = length + windows.before[axis] + windows.after[axis]
        count = (padded - reach) // stride + 1
        if call.attrs.get("ceil_mode") and call.attrs.get("auto_pad", "NOTSET") == "NOTSET":
            rounded = -(-(padded - reach) // stride) + 1
            # A window must begin inside the input or in the padding before it.
            count = rounded if (rounded - 1) * stride < length + windows.before[axis] else count
        extra.append(max(0, (count - 1) * stride + reach - padded))
    return windows, extra


def _padded(x: Tensor, windows: Windows, extra: list[int], value: float) -> Tensor:
    pads = [pair for pair in zip(windows.before, [a + e for a, e in zip(windows.after, extra)])]
    return F.pad(x, [length for pair in reversed(pads) for length in pair], value=value)


def _plane_starts(x: Tensor, rank: int) -> Tensor:
    """Where each plane of [batch, channels] begins in the flat input."""
    pixels = math.prod(x.shape[2:])
    return (torch.arange(x.shape[0] * x.shape[1]) * pixels).reshape(*x.shape[:2], *[1] * rank)


def _global_places(places: Tensor, x: Tensor, windows: Windows, padded: Tensor, by_columns: bool) -> Tensor:
    """Places in padded planes → places in the whole input, row by row or column by column."""
    rank = x.dim() - 2
    coordinates = []
    rest = places
    for axis in reversed(range(rank)):
        coordinates.append(rest % padded.shape[axis + 2] - windows.before[axis])
        rest = rest // padded.shape[axis + 2]
    flat = torch.zeros_like(places)
    axes = list(range(rank))
    for axis in reversed(axes) if by_columns else axes:
        flat = flat * x.shape[axis + 2] + coordinates[rank - 1 - axis]
    return flat + _plane_starts(x, rank)


@adapter("MaxPool")
def max_pool(call: Call) -> list[Tensor]:
    rank = call.x.dim() - 2
    windows, extra = _pool_windows(call, list(call.x.shape[2:]))
    # PyTorch pools floats only.
    x = call.x if call.x.is_floating_point() else call.x.double()
    padded = _padded(x, windows, extra, -math.inf)
    y, places = MAX_POOL[rank](
        padded, call.attrs["kernel_shape"], windows.strides, 0, windows.dilations, False, return_indices=True
    )
    places = _global_places(places, x, windows, padded, call.attrs.get("storage_order", 0) == 1)
    return [y.to(call.x.dtype), places]


@adapter("MaxPoolGrad")
def max_pool_grad(call: Call) -> Tensor:
    grad, places = call.inputs[:2]
    zeros = torch.zeros(call.ints(2) or [], dtype=grad.dtype)
    # Without elements there is no index, not even a wrapped one.
    wrapped = places % zeros.numel() if zeros.numel() else places
    return zeros.flatten().index_add(0, wrapped.flatten(), grad.flatten()).reshape(zeros.shape)


def _average(call: Call, x: Tensor) -> Tensor:
    rank = x.dim() - 2
    windows, extra = _pool_windows(call, list(x.shape[2:]))
    kernel = call.attrs["kernel_shape"]
    ones = torch.ones_like(x)
    if call.attrs.get("count_include_pad"):
        ones = F.pad(torch.ones_like(x), windows.flat_pads, value=1)
        ones = F.pad(ones, [length for each in reversed(extra) for length in (0, each)])
    else:
        ones = _padded(ones, windows, extra, 0)
    sums = AVERAGE[rank](_padded(x, windows, extra, 0), kernel, windows.strides)
    return sums / AVERAGE[rank](ones, kernel, windows.strides)


@adapter("AveragePool")
def average_pool(call: Call) -> Tensor:
    return _average(call, call.x)


@adapter("AveragePoolGrad")
def average_pool_grad(call: Call) -> Tensor:
    zeros = torch.zeros(call.ints(1) or [], dtype=call.x.dtype)
    return vector_jacobian(lambda x: _average(call, x), zeros, call.x)


@adapter("LpPool")
def lp_pool(call: Call) -> Tensor:
    windows, extra = _pool_windows(call, list(call.x.shape[2:]))
    kernel = call.attrs["kernel_shape"]
    x = _padded(call.x, windows, extra, 0)
    for axis, length in enumerate(kernel):
        reach = (length - 1) * windows.dilations[axis] + 1
        x = x.unfold(axis + 2, reach, windows.strides[axis])[..., :: windows.dilations[axis]]
    return torch.linalg.vector_norm(x, call.attrs["p"], list(range(-len(kernel), 0)))


@adapter("GlobalAveragePool")
def global_average_pool(call: Call) -> Tensor:
    return ADAPTIVE_AVERAGE[call.x.dim() - 2](call.x, 1)


@adapter("GlobalMaxPool")
def global_max_pool(call: Call) -> Tensor:
    return ADAPTIVE_MAX[call.x.dim() - 2](call.x, 1)


@adapter("GlobalLpPool")
def global_lp_pool(call: Call) -> Tensor:
    return torch.linalg.vector_norm(call.x, call.attrs["p"], list(range(2, call.x.dim())), keepdim=True)


@adapter("AdaptiveAveragePool", "nn.AdaptiveAvgPool")
def adaptive_average_pool(call: Call) -> Tensor:
    return ADAPTIVE_AVERAGE[call.x.dim() - 2](call.x, call.attrs["output_size"])


@adapter("AdaptiveAveragePoolGrad")
def adaptive_average_pool_grad(call: Call) -> Tensor:
    zeros = torch.zeros(call.ints(1) or [], dtype=call.x.dtype)
    pool = ADAPTIVE_AVERAGE[call.x.dim() - 2]
    return vector_jacobian(lambda x: pool(x, call.attrs["output_size"]), zeros, call.x)


@adapter("AdaptiveMaxPool")
def adaptive_max_pool(call: Call) -> list[Tensor]:
    rank = call.x.dim() - 2
    y, places = ADAPTIVE_MAX[rank](call.x, call.attrs["output_size"], return_indices=True)
    return [y, places + _plane_starts(call.x, rank)]


@adapter("MaxUnpool")
def max_unpool(call: Call) -> Tensor:
    x, places = call.inputs[:2]
    rank = x.dim() - 2
    windows = windows_of(call, list(x.shape[2:]), call.attrs["kernel_shape"])
    natural = list(x.shape[:2]) + [
        (x.shape[axis + 2] - 1) * windows.strides[axis]
        + call.attrs["kernel_shape"][axis]
        - windows.before[axis]
        - windows.after[axis]
        for axis in range(rank)
    ]
    flat = torch.zeros(math.prod(natural), dtype=x.dtype)
    y = flat.scatter(0, places.reshape(-1), x.reshape(-1)).reshape(natural)
    wanted = call.ints(2) or natural
    return F.pad(y, [length for axis in reversed(range(2, x.dim())) for length in (0, wanted[axis] - natural[axis])])
