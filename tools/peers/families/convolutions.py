"""Convolutions in one to three dimensions and their gradients."""

from __future__ import annotations

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor

from peers.call import Call, Unsupported, adapter
from peers.families.shapes import vector_jacobian

CONVOLVE = {1: F.conv1d, 2: F.conv2d, 3: F.conv3d}
TRANSPOSED = {1: F.conv_transpose1d, 2: F.conv_transpose2d, 3: F.conv_transpose3d}


@dataclass(frozen=True)
class Windows:
    """Where windows lie: a number for each spatial axis."""

    strides: list[int]
    dilations: list[int]
    before: list[int]
    after: list[int]

    @property
    def flat_pads(self) -> list[int]:
        """As F.pad takes them: the last axis first."""
        return [length for pair in zip(reversed(self.before), reversed(self.after)) for length in pair]


def windows_of(call: Call, lengths: list[int], kernel: list[int]) -> Windows:
    rank = len(kernel)
    strides = list(call.attrs.get("strides") or [1] * rank)
    dilations = list(call.attrs.get("dilations") or [1] * rank)
    pads = list(call.attrs.get("pads") or [0] * (2 * rank))
    before, after = pads[:rank], pads[rank:]
    mode = call.attrs.get("auto_pad", "NOTSET")
    if mode == "VALID":
        before, after = [0] * rank, [0] * rank
    elif mode in ("SAME_UPPER", "SAME_LOWER"):
        for axis in range(rank):
            reach = (kernel[axis] - 1) * dilations[axis] + 1
            needed = max(0, (-(-lengths[axis] // strides[axis]) - 1) * strides[axis] + reach - lengths[axis])
            small, large = needed // 2, needed - needed // 2
            before[axis], after[axis] = (small, large) if mode == "SAME_UPPER" else (large, small)
    return Windows(strides, dilations, before, after)


def _convolve(call: Call, x: Tensor, w: Tensor, b: Tensor | None) -> Tensor:
    kernel = list(w.shape[2:])
    windows = windows_of(call, list(x.shape[2:]), kernel)
    group = call.attrs.get("group", call.attrs.get("groups", 1))
    if w.shape[1] == 0:
        raise Unsupported  # PyTorch wants channels
    padded = F.pad(x, windows.flat_pads)
    return CONVOLVE[len(kernel)](padded, w, b, windows.strides, 0, windows.dilations, group)


@adapter("Conv")
def conv(call: Call) -> Tensor:
    return _convolve(call, call.x, call[1], call.get(2))


@adapter("ConvInputGrad")
def conv_input_grad(call: Call) -> Tensor:
    grad, w = call.inputs[:2]
    zeros = torch.zeros(call.ints(2) or [], dtype=grad.dtype)
    return vector_jacobian(lambda x: _convolve(call, x, w, None), zeros, grad)


@adapter("ConvWeightGrad")
def conv_weight_grad(call: Call) -> Tensor:
    grad, x = call.inputs[:2]
    zeros = torch.zeros(call.ints(2) or [], dtype=grad.dtype)
    return vector_jacobian(lambda w: _convolve(call, x, w, None), zeros, grad)


def transposed(call: Call, x: Tensor, w: Tensor, b: Tensor | None) -> Tensor:
    kernel = list(w.shape[2:])
    rank = len(kernel)
    strides = list(call.attrs.get("strides") or [1] * rank)
    dilations = list(call.attrs.get("dilations") or [1] * rank)
    extra = list(call.attrs.get("output_padding") or [0] * rank)
    reach = [(kernel[axis] - 1) * dilations[axis] + 1 for axis in range(rank)]
    full = [strides[axis] * (x.shape[axis + 2] - 1) + extra[axis] + reach[axis] for axis in range(rank)]
    pads = list(call.attrs.get("pads") or [0] * (2 * rank))
    before, after = pads[:rank], pads[rank:]
    wanted = list(call.attrs.get("output_shape") or [])
    mode = call.attrs.get("auto_pad", "NOTSET")
    if not wanted and mode in ("SAME_UPPER", "SAME_LOWER"):
        wanted = [x.shape[axis + 2] * strides[axis] for axis in range(rank)]
    if mode == "VALID":
        before, after = [0] * rank, [0] * rank
    for axis in range(rank if wanted else 0):
        total = max(0, full[axis] - wanted[-rank:][axis])
        small, large = total // 2, total - total // 2
        before[axis], after[axis] = (small, large) if mode == "SAME_UPPER" else (large, small)
        # What is asked for beyond the natural length stays at the end, without anything in it.
        extra[axis] += max(0, wanted[-rank:][axis] - full[axis])
    y = TRANSPOSED[rank](x, w, None, strides, 0, 0, call.attrs.get("group", call.attrs.get("groups", 1)), dilations)
    # Room for the extra lengths, then the pads are cut off at both ends.
    crop = [(-before[axis], extra[axis] - after[axis]) for axis in range(rank)]
    y = F.pad(y, [length for pair in reversed(crop) for length in pair])
    return y if b is None else y + b.reshape(1, -1, *[1] * rank)


@adapter("ConvTranspose")
def conv_transpose(call: Call) -> Tensor:
    return transposed(call, call.x, call[1], call.get(2))


@adapter("nn.Conv1d", "nn.Conv2d", "nn.Conv3d")
def conv_layer(call: Call) -> Tensor:
    return _convolve(call, call.x, call.variables["weight"], call.variables.get("bias"))


@adapter("nn.ConvTranspose1d", "nn.ConvTranspose2d", "nn.ConvTranspose3d")
def conv_transpose_layer(call: Call) -> Tensor:
    return transposed(call, call.x, call.variables["weight"], call.variables.get("bias"))
