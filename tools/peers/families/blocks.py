"""Residual blocks, computed by those of torchvision itself."""

from __future__ import annotations

from torch import Tensor, nn
from torch.nn.utils.stateless import functional_call
from torchvision.models.mobilenetv2 import InvertedResidual
from torchvision.models.resnet import BasicBlock, Bottleneck

from peers.call import Call, adapter

NORM = {"weight": "scale", "bias": "bias", "running_mean": "running_mean", "running_var": "running_variance"}


def _run(call: Call, module: nn.Module, names: dict[str, str]) -> Tensor:
    """The module with our variables; `names` leads from its submodules to our layers."""
    given: dict[str, Tensor] = {}
    updates: dict[str, Tensor] = {}
    for theirs, ours in names.items():
        if not isinstance(module.get_submodule(theirs), nn.BatchNorm2d):
            given[f"{theirs}.weight"] = call.variables[f"{ours}.weight"]
            continue
        for end, slot in NORM.items():
            value = call.variables[f"{ours}.{slot}"]
            if end.startswith("running"):
                value = updates[f"{ours}.{slot}"] = value.clone()
            given[f"{theirs}.{end}"] = value
    module.train(call.training)
    y = functional_call(module, given, (call.x,))
    if call.training:
        call.updates |= updates
    return y


def _shortcut(entering: int, channels: int, stride: int) -> nn.Module | None:
    if stride == 1 and entering == channels:
        return None
    return nn.Sequential(nn.Conv2d(entering, channels, 1, stride, bias=False), nn.BatchNorm2d(channels))


def _residual(call: Call, block: type[nn.Module], inner: int, parts: int) -> Tensor:
    entering, channels, stride = call.x.shape[1], call.attrs["channels"], call.attrs["stride"]
    shortcut = _shortcut(entering, channels, stride)
    names = {f"{theirs}{number}": f"{ours}_{number}" for number in range(1, parts + 1)
             for theirs, ours in (("conv", "conv"), ("bn", "norm"))}
    if shortcut is not None:
        names |= {"downsample.0": "shortcut_conv", "downsample.1": "shortcut_norm"}
    module = block(entering, inner, stride, shortcut)
    if block is Bottleneck:  # whose last convolution always has four times the channels
        module.conv3 = nn.Conv2d(inner, channels, 1, bias=False)
        module.bn3 = nn.BatchNorm2d(channels)
    return _run(call, module, names)


@adapter("nn.ResidualBlock")
def residual_block(call: Call) -> Tensor:
    return _residual(call, BasicBlock, call.attrs["channels"], 2)


@adapter("nn.BottleneckBlock")
def bottleneck_block(call: Call) -> Tensor:
    return _residual(call, Bottleneck, call.attrs["inner"], 3)


@adapter("nn.InvertedResidual")
def inverted_residual(call: Call) -> Tensor:
    expansion = call.attrs["expansion"]
    module = InvertedResidual(call.x.shape[1], call.attrs["channels"], call.attrs["stride"], expansion)
    names = {} if expansion == 1 else {"conv.0.0": "expand_conv", "conv.0.1": "expand_norm"}
    first = len(names) // 2
    names |= {f"conv.{first}.0": "depthwise_conv", f"conv.{first}.1": "depthwise_norm"}
    names |= {f"conv.{first + 1}": "project_conv", f"conv.{first + 2}": "project_norm"}
    return _run(call, module, names)
