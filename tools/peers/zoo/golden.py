"""python3 -m peers.zoo.golden FOLDER: what small models of the zoo compute, for the tests that have no PyTorch.

Weights and inputs are functions of a name and a position, so that the files hold shapes and results only."""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torchvision.models.mobilenetv2 import MobileNetV2
from torchvision.models.resnet import BasicBlock, Bottleneck, ResNet
from torchvision.models.vision_transformer import VisionTransformer

from peers.zoo import models


def _scrambled(bits: np.ndarray) -> np.ndarray:
    bits = (bits ^ (bits >> np.uint32(16))) * np.uint32(0x7FEB352D)
    bits = (bits ^ (bits >> np.uint32(15))) * np.uint32(0x846CA68B)
    return bits ^ (bits >> np.uint32(16))


def draw(name: str, count: int) -> np.ndarray:
    """32 bits for each position; the test draws the same."""
    seed = 2166136261
    for letter in name.encode():
        seed = ((seed ^ letter) * 16777619) & 0xFFFFFFFF
    places = (seed + np.arange(count, dtype=np.uint64)) & np.uint64(0xFFFFFFFF)
    return _scrambled(places.astype(np.uint32))


def uniform(name: str, shape: tuple[int, ...], low: float, high: float) -> Tensor:
    share = (draw(name, math.prod(shape)) >> np.uint32(8)).astype(np.float64) / 2**24
    return torch.from_numpy((low + (high - low) * share).astype(np.float32).reshape(shape))


def _range(name: str, shape: tuple[int, ...]) -> tuple[float, float]:
    """Such that numbers neither vanish nor explode from layer to layer."""
    if name.endswith("running_var") or (name.endswith(("weight", "scale")) and len(shape) == 1):
        return 0.5, 1.5
    if len(shape) == 1:
        return -0.25, 0.25
    if name.startswith(("wte", "wpe", "model.embed", "class_token", "encoder.pos")):
        return -1.0, 1.0
    inputs = shape[0] if ".c_" in name or name.startswith(("linear_", "head.")) else math.prod(shape[1:])
    return -1.5 / math.sqrt(inputs), 1.5 / math.sqrt(inputs)


def _drawn(shapes: models.Shapes) -> tuple[models.Weights, list[dict[str, Any]]]:
    weights, entries = {}, []
    for name, shape in shapes.items():
        low, high = _range(name, shape)
        weights[name] = uniform(name, shape, low, high).double()
        entries.append({"name": name, "shape": list(shape), "low": low, "high": high})
    return weights, entries


def _small_resnet(block: Any) -> nn.Module:
    """torchvision's own blocks and forward, with few channels."""
    net = ResNet(block, [1, 1, 1, 1], num_classes=5)
    net.inplanes = 4
    net.conv1, net.bn1 = nn.Conv2d(3, 4, 7, 2, 3, bias=False), nn.BatchNorm2d(4)
    for stage in range(4):
        setattr(net, f"layer{stage + 1}", net._make_layer(block, 4 << stage, 1 + stage % 2, 1 if stage == 0 else 2))
    net.fc = nn.Linear(net.inplanes, 5)
    return net


def _of_module(net: nn.Module, images: Tensor) -> tuple[list[dict[str, Any]], Tensor]:
    shapes = {name: tuple(value.shape) for name, value in net.state_dict().items() if "num_batches" not in name}
    weights, entries = _drawn(shapes)
    net.double().load_state_dict(weights, strict=False)
    with torch.no_grad():
        return entries, net.eval()(images.double())


def _record(model: str, weight_format: str, settings: dict[str, Any], entries: Any, logits: Tensor) -> dict[str, Any]:
    return {
        "model": model,
        "format": weight_format,
        "settings": settings,
        "tensors": entries,
        "sizes": list(logits.shape),
        "logits": [float(f"{value:.9g}") for value in logits.flatten().tolist()],
    }


def _image_records() -> dict[str, dict[str, Any]]:
    images = uniform("features", (2, 3, 32, 32), -1, 1)
    size = {"height": 32, "width": 32, "classes": 5}
    records = {}
    for name, block in (("resnet_basic", BasicBlock), ("resnet_bottleneck", Bottleneck)):
        settings = size | {"base_channels": 4, "blocks": [1, 2, 1, 2], "bottleneck": block is Bottleneck}
        records[name] = _record("resnet18", "torchvision", settings, *_of_module(_small_resnet(block), images))
    mobile = MobileNetV2(5, 0.25, [[1, 16, 1, 1], [6, 24, 2, 2], [3, 32, 1, 2]])
    rows = {"width_multiplier": 0.25, "expansions": [1, 6, 3], "stage_channels": [16, 24, 32]}
    rows |= {"blocks": [1, 2, 1], "strides": [1, 2, 2]}
    records["mobilenet_v2"] = _record("mobilenet_v2", "torchvision", size | rows, *_of_module(mobile, images))
    transformer = VisionTransformer(32, 8, 2, 2, 12, 20, num_classes=5)
    form = {"patch": 8, "layers": 2, "heads": 2, "features": 12, "hidden": 20}
    records["vit"] = _record("vit_tiny", "torchvision", size | form, *_of_module(transformer, images))
    weights, entries = _drawn(models.LENET)
    records["lenet"] = _record(
        "lenet", "own", {}, entries, models.lenet(weights, uniform("features", (2, 1, 28, 28), -1, 1).double())
    )
    return records


def _text_records() -> dict[str, dict[str, Any]]:
    vocabulary = 11
    tokens = torch.from_numpy((draw("tokens", 14) % vocabulary).astype(np.int64).reshape(2, 7))
    gpt2 = {"vocabulary": vocabulary, "positions": 9, "layers": 2, "features": 12, "heads": 3}
    llama = {"vocabulary": vocabulary, "layers": 2, "features": 16, "heads": 4, "key_value_heads": 2, "hidden": 20}
    llama |= {"rotary_base": 500.0, "epsilon": 1e-5, "tied": False}
    records = {}
    for name, model, settings in (("gpt2", models.Gpt2, gpt2), ("llama_small", models.Llama, llama)):
        peer = model(**settings)
        weights, entries = _drawn(peer.shapes())
        records[name] = _record(name, "hugging_face", settings, entries, peer.forward(weights, tokens)[:, -2:])
        records[name]["last"] = 2  # positions that are told
    return records


def main() -> int:
    folder = Path(sys.argv[1])
    for name, record in (_image_records() | _text_records()).items():
        tensors = ",\n  ".join(json.dumps(entry) for entry in record.pop("tensors"))
        lines = [f'"{key}": {json.dumps(value)},' for key, value in record.items()]
        text = "\n ".join(["{", *lines, f'"tensors": [\n  {tensors}\n ]\n}}\n'])
        (folder / f"{name}.json").write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
