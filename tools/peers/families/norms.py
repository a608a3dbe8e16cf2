"""Normalisations."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor

from peers.call import Call, Unsupported, adapter


def layer_norm(x: Tensor, scale: Tensor | None, bias: Tensor | None, axis: int, epsilon: float) -> Tensor:
    shape = list(x.shape[axis % x.dim() :])
    scale = None if scale is None else scale.broadcast_to(shape)
    bias = None if bias is None else bias.broadcast_to(shape)
    return F.layer_norm(x, shape, scale, bias, epsilon)


@adapter("LayerNormalization")
def layer_normalization(call: Call) -> list[Tensor]:
    axis, epsilon = call.attrs["axis"], call.attrs["epsilon"]
    axes = list(range(axis % call.x.dim(), call.x.dim()))
    y = layer_norm(call.x, call[1], call.get(2), axis, epsilon)
    variance, mean = torch.var_mean(call.x, axes, unbiased=False, keepdim=True)
    return [y, mean, torch.rsqrt(variance + epsilon)]


@adapter("nn.LayerNorm")
def layer_norm_layer(call: Call) -> Tensor:
    variables = call.variables
    return layer_norm(
        call.x, variables.get("scale"), variables.get("bias"), call.attrs.get("axis", -1), call.attrs.get("epsilon", 1e-5)
    )


def rms_norm(call: Call) -> Tensor:
    """A part of blocks; PyTorch 1.13 has none of its own, so the layer itself is checked by a formula."""
    mean_square = call.x.square().mean(-1, keepdim=True)
    return call.x * torch.rsqrt(mean_square + call.attrs.get("epsilon", 1e-5)) * call.variables["scale"]


@adapter("nn.BatchNorm")
def batch_norm_layer(call: Call) -> Tensor:
    axis = call.attrs.get("axis", 1)
    mean = call.variables["running_mean"].clone()
    variance = call.variables["running_variance"].clone()
    y = F.batch_norm(
        call.x.movedim(axis, 1),
        mean,
        variance,
        call.variables.get("scale"),
        call.variables.get("bias"),
        call.training,
        call.attrs["momentum"],
        call.attrs["epsilon"],
    )
    if call.training:
        call.updates |= {"running_mean": mean, "running_variance": variance}
    return y.movedim(1, axis)


@adapter("BatchNormalization")
def batch_normalization(call: Call) -> list[Tensor]:
    x, scale, bias, mean, variance = call.inputs
    training = bool(call.attrs.get("training_mode"))
    epsilon, momentum = call.attrs["epsilon"], call.attrs.get("momentum", 0.9)
    if not training and mean.requires_grad:
        # PyTorch has no gradient by the statistics.
        shape = [1, -1, *[1] * (x.dim() - 2)]
        y = (x - mean.reshape(shape)) / torch.sqrt(variance.reshape(shape) + epsilon)
        return [y * scale.reshape(shape) + bias.reshape(shape), mean.clone(), variance.clone()]
    if not training:
        return [F.batch_norm(x, mean, variance, scale, bias, False, 0.0, epsilon), mean.clone(), variance.clone()]
    y = F.batch_norm(x, None, None, scale, bias, True, 0.0, epsilon)
    # ONNX keeps the biased variance, and weighs the old value by the momentum.
    axes = [axis for axis in range(x.dim()) if axis != 1]
    new_mean = mean * momentum + x.mean(axes) * (1 - momentum)
    new_variance = variance * momentum + x.var(axes, unbiased=False) * (1 - momentum)
    return [y, new_mean, new_variance]


@adapter("InstanceNormalization")
def instance_normalization(call: Call) -> Tensor:
    if call.x.numel() == 0:
        return call.x.clone()  # PyTorch wants pictures
    return F.instance_norm(call.x, weight=call[1], bias=call[2], eps=call.attrs["epsilon"])


@adapter("nn.InstanceNorm")
def instance_norm_layer(call: Call) -> Tensor:
    if call.x.numel() == 0:
        return call.x.clone()  # PyTorch wants pictures
    return F.instance_norm(
        call.x, weight=call.variables.get("scale"), bias=call.variables.get("bias"), eps=call.attrs["epsilon"]
    )


@adapter("GroupNormalization")
def group_normalization(call: Call) -> Tensor:
    x, scale, bias = call.inputs
    groups = call.attrs["num_groups"]
    if scale.numel() == x.shape[1]:
        return F.group_norm(x, groups, scale, bias, call.attrs["epsilon"])
    # Up to opset 20 there is one scale for each group.
    each = x.shape[1] // groups
    return F.group_norm(x, groups, scale.repeat_interleave(each), bias.repeat_interleave(each), call.attrs["epsilon"])


@adapter("nn.GroupNorm")
def group_norm_layer(call: Call) -> Tensor:
    return F.group_norm(
        call.x,
        call.attrs.get("groups", call.attrs.get("num_groups")),
        call.variables.get("scale"),
        call.variables.get("bias"),
        call.attrs["epsilon"],
    )


@adapter("LpNormalization")
def lp_normalization(call: Call) -> Tensor:
    return F.normalize(call.x, p=float(call.attrs["p"]), dim=call.attrs["axis"])


@adapter("LRN")
def local_response(call: Call) -> Tensor:
    attrs = call.attrs
    if attrs["size"] % 2 == 0:
        raise Unsupported  # PyTorch reaches one channel further back, ONNX one further forward
    return F.local_response_norm(call.x, attrs["size"], attrs["alpha"], attrs["beta"], attrs["bias"])
