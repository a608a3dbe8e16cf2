"""Activations."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor

from peers.call import Call, Unsupported, adapter


@adapter("LeakyRelu")
def leaky_relu(call: Call) -> Tensor:
    return F.leaky_relu(call.x, negative_slope=call.attrs["alpha"])


@adapter("Softplus")
def softplus(call: Call) -> Tensor:
    # By default PyTorch returns x itself above 20, which is off by 2e-9.
    return F.softplus(call.x, threshold=40)


@adapter("Softmax")
def softmax(call: Call) -> Tensor:
    return torch.softmax(call.x, dim=call.attrs["axis"])


@adapter("LogSoftmax")
def log_softmax(call: Call) -> Tensor:
    return torch.log_softmax(call.x, dim=call.attrs["axis"])


@adapter("Selu")
def selu(call: Call) -> Tensor:
    return call.attrs["gamma"] * F.elu(call.x, alpha=call.attrs["alpha"])


@adapter("ThresholdedRelu")
def thresholded_relu(call: Call) -> Tensor:
    return F.threshold(call.x, call.attrs["alpha"], 0.0)


@adapter("HardSigmoid")
def hard_sigmoid(call: Call) -> Tensor:
    if abs(call.attrs["alpha"] - 1 / 6) > 1e-15 or call.attrs["beta"] != 0.5:
        return torch.clamp(call.attrs["alpha"] * call.x + call.attrs["beta"], 0, 1)
    return F.hardsigmoid(call.x)


@adapter("PRelu")
def prelu(call: Call) -> Tensor:
    x, slope = call.inputs
    if not x.is_floating_point():
        raise Unsupported
    # PyTorch takes one slope, or one for each channel on axis 1.
    if slope.numel() == 1:
        return F.prelu(x, slope.reshape(1))
    per_channel = slope.dim() <= x.dim() and all(
        length == 1 or axis == 1 - (x.dim() - slope.dim()) for axis, length in enumerate(slope.shape)
    )
    if x.dim() < 2 or not per_channel or slope.numel() != x.shape[1]:
        raise Unsupported
    return F.prelu(x, slope.reshape(-1))


@adapter("nn.PRelu")
def prelu_layer(call: Call) -> Tensor:
    x, slope = call.x, call.variables["slope"]
    if not call.attrs["per_channel"]:
        return F.prelu(x, slope)
    # PyTorch wants the channels on axis 1.
    axis = call.attrs["axis"]
    return F.prelu(x.movedim(axis, 0).unsqueeze(0), slope).squeeze(0).movedim(0, axis)


@adapter("Shrink")
def shrink(call: Call) -> Tensor:
    if call.attrs["bias"] == 0:
        return F.hardshrink(call.x, call.attrs["lambd"])
    if call.attrs["bias"] == call.attrs["lambd"]:
        return F.softshrink(call.x, call.attrs["lambd"])
    raise Unsupported


@adapter("Swish")
def swish(call: Call) -> Tensor:
    if call.attrs.get("alpha", 1.0) != 1.0:
        raise Unsupported
    return F.silu(call.x)


@adapter("Glu", "GLU", "nn.GLU", "nn.Glu")
def glu(call: Call) -> Tensor:
    return F.glu(call.x, dim=call.attrs.get("axis", -1))
