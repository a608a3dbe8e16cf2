"""python3 -m peers.zoo PROGRAM [--report FILE]: whole models from the same random weights."""

from __future__ import annotations

import argparse
import json
import struct
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torchvision
from torch import Tensor, nn

from peers.exchange import read
from peers.report import rounded_up
from peers.zoo import models

BOUND = 1e-4  # relative to the largest logit
BEGIN, END = "<!-- agreement: made by `make peers` -->\n\n", "\n<!-- end of agreement -->\n"


@dataclass
class Case:
    words: str
    model: str
    weight_format: str
    inputs: Tensor
    weights: dict[str, Tensor]
    logits: Tensor
    settings: dict[str, Any] = field(default_factory=dict)
    after: dict[str, Tensor] = field(default_factory=dict)  # running statistics that a training step leaves


def _stirred(net: nn.Module) -> nn.Module:
    """Norms away from what they begin with, so that a mix-up shows."""
    for module in net.modules():
        if isinstance(module, nn.BatchNorm2d):
            module.running_mean.uniform_(-0.1, 0.1)
            module.running_var.uniform_(0.5, 1.5)
        if isinstance(module, (nn.BatchNorm2d, nn.LayerNorm)):
            nn.init.uniform_(module.weight, 0.5, 1.5)
            nn.init.uniform_(module.bias, -0.1, 0.1)
    for name, parameter in net.named_parameters():
        if name.endswith(("in_proj_bias", "class_token", "out_proj.bias")) or name.startswith("heads"):
            nn.init.uniform_(parameter, -0.05, 0.05)
    return net


def _of_module(words: str, model: str, net: nn.Module, size: int, training: bool = False, **settings: Any) -> Case:
    images = torch.randn(2, 3, size, size)
    weights = {name: value.clone() for name, value in _stirred(net).state_dict().items()}
    net.train(training)
    with torch.no_grad():
        logits = net(images)
    after = {name: value for name, value in net.state_dict().items() if "running" in name} if training else {}
    return Case(words, model, "torchvision", images, weights, logits, settings, after)


def _for_small_images(net: nn.Module) -> nn.Module:
    net.conv1, net.maxpool = nn.Conv2d(3, 64, 3, 1, 1, bias=False), nn.Identity()
    return net


def _vit_of_hugging_face() -> Case:
    """The weights of torchvision's model under the names, and in the parts, that Hugging Face has."""
    case = _of_module("", "vit_tiny", torchvision.models.VisionTransformer(32, 8, 3, 3, 48, 96, num_classes=10), 32)
    renamed = {
        "conv_proj": "vit.embeddings.patch_embeddings.projection",
        "encoder.ln": "vit.layernorm",
        "heads.head": "classifier",
    }
    parts = {"ln_1": "layernorm_before", "ln_2": "layernorm_after", "mlp.0": "intermediate.dense"}
    parts |= {"mlp.3": "output.dense", "self_attention.out_proj": "attention.output.dense"}
    weights = {
        "vit.embeddings.cls_token": case.weights["class_token"],
        "vit.embeddings.position_embeddings": case.weights["encoder.pos_embedding"],
    }
    for layer in range(3):
        ours, theirs = f"vit.encoder.layer.{layer}", f"encoder.layers.encoder_layer_{layer}"
        renamed |= {f"{theirs}.{old}": f"{ours}.{new}" for old, new in parts.items()}
        for end in ("weight", "bias"):
            joint = case.weights[f"{theirs}.self_attention.in_proj_{end}"].chunk(3)
            for name, part in zip(("query", "key", "value"), joint):
                weights[f"{ours}.attention.attention.{name}.{end}"] = part
    for old, new in renamed.items():
        weights |= {f"{new}.{end}": case.weights[f"{old}.{end}"] for end in ("weight", "bias")}
    settings = {"height": 32, "width": 32, "patch": 8, "layers": 3, "heads": 3, "features": 48, "hidden": 96}
    words = "ViT of 3 layers under the names of Hugging Face"
    return Case(words, "vit_tiny", "hugging_face", case.inputs, weights, case.logits, settings | {"classes": 10})


def _of_text(words: str, model: str, peer: Any, **settings: Any) -> Case:
    tokens = torch.randint(peer.vocabulary, (2, 33))
    weights = {}
    for name, shape in peer.shapes().items():
        norm = len(shape) == 1 and name.endswith("weight")
        weights[name] = torch.rand(shape) + 0.5 if norm else torch.randn(shape) * 0.1
    with torch.no_grad():
        logits = peer.forward(weights, tokens)
    return Case(words, model, "hugging_face", tokens, weights, logits, dict(vars(peer)) | settings)


def cases() -> list[Callable[[], Case]]:
    vision = torchvision.models
    tall = {"height": 64, "width": 64, "classes": 10}
    small = tall | {"height": 32, "width": 32, "small_images": "true"}
    gpt2 = models.Gpt2(vocabulary=512, positions=64, layers=4, features=128, heads=4)
    llama = models.Llama(512, 4, 128, 8, 2, 344, 10000.0, 1e-5, True)
    untied = models.Llama(512, 2, 64, 4, 4, 172, 500000.0, 1e-6, False)
    return [
        lambda: _of_module("ResNet-18", "resnet18", vision.resnet18(), 224),
        lambda: _of_module("ResNet-18, training", "resnet18", vision.resnet18(), 224, True),
        lambda: _of_module("ResNet-18 for small pictures", "resnet18",
                           _for_small_images(vision.resnet18(num_classes=10)), 32, **small),
        lambda: _of_module("ResNet-34", "resnet34", vision.resnet34(), 224),
        lambda: _of_module("ResNet-50", "resnet50", vision.resnet50(), 224),
        lambda: _of_module("MobileNetV2", "mobilenet_v2", vision.mobilenet_v2(), 224),
        lambda: _of_module("MobileNetV2, half as wide", "mobilenet_v2",
                           vision.mobilenet_v2(num_classes=10, width_mult=0.5), 64, width_multiplier=0.5, **tall),
        lambda: _of_module("ViT-B/16", "vit_base", vision.vit_b_16(), 224),
        _vit_of_hugging_face,
        lambda: _of_text("GPT-2 of 4 layers", "gpt2", gpt2),
        lambda: _of_text("LLaMA of 4 layers, 2 heads of keys for 8", "llama_small", llama),
        lambda: _of_text("LLaMA of 2 layers, head of its own", "llama_small", untied),
    ]


def _said(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _difference(ours: np.ndarray, theirs: Tensor) -> float:
    expected = theirs.double().numpy()
    if ours.shape != expected.shape:
        return float("inf")
    return float(np.abs(ours.astype(np.float64) - expected).max() / np.abs(expected).max())


def _write_safetensors(path: Path, tensors: dict[str, Tensor]) -> None:
    """The tensors that a checkpoint of PyTorch would hold, counters of batches included."""
    header, pieces, end = {}, [], 0
    for name, tensor in tensors.items():
        piece = tensor.contiguous().numpy().tobytes()
        dtype = {torch.float32: "F32", torch.int64: "I64"}[tensor.dtype]
        offsets = [end, end + len(piece)]
        header[name] = {"dtype": dtype, "shape": list(tensor.shape), "data_offsets": offsets}
        pieces.append(piece)
        end += len(piece)
    text = json.dumps(header).encode()
    path.write_bytes(b"".join([struct.pack("<Q", len(text)), text, *pieces]))


def _read_safetensors(path: Path) -> dict[str, np.ndarray]:
    tensors, _ = read(path)
    return {name: np.frombuffer(content, np.float32).reshape(shape) for name, (_, shape, content) in tensors.items()}


def compare(program: Path, case: Case) -> tuple[float, float]:
    """The largest difference of the logits, and of the running statistics after a training step."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _write_safetensors(folder / "model.safetensors", case.weights)
        np.save(folder / "input.npy", case.inputs.numpy())
        settings = [f"{key}={_said(value)}" for key, value in case.settings.items()]
        mode = "train" if case.after else "eval"
        subprocess.run([program, case.model, case.weight_format, folder, mode, *settings], check=True,
                       stdout=subprocess.DEVNULL)
        logits = _difference(np.load(folder / "logits.npy"), case.logits)
        after = _read_safetensors(folder / "after.safetensors") if case.after else {}
        left = [_difference(after[tensor], value) for tensor, value in case.after.items()]
    return logits, max(left, default=0.0)


def main() -> int:
    parser = argparse.ArgumentParser(prog="peers.zoo", description="Compare the models of the zoo with PyTorch.")
    parser.add_argument("program", type=Path, help="build/asg_zoo_forward")
    parser.add_argument("--report", type=Path, help="the page whose table of results is rewritten")
    arguments = parser.parse_args()
    rows, passed = ["| model | peer | largest difference |", "|---|---|---|"], True
    for number, make in enumerate(cases()):
        torch.manual_seed(number)
        case = make()
        logits, left = compare(arguments.program, case)
        passed = passed and max(logits, left) <= BOUND
        told = rounded_up(logits) + (f", running statistics {rounded_up(left)}" if case.after else "")
        peer = "PyTorch, from the paper" if case.model in ("gpt2", "llama_small") else "torchvision"
        rows.append(f"| {case.words} | {peer} | {told} |")
        print(f"{case.words}: {logits:.1e}" + (f", running statistics {left:.1e}" if case.after else ""), flush=True)
    if arguments.report is not None:
        page = arguments.report.read_text(encoding="utf-8")
        before, rest = page.split(BEGIN)
        text = "".join([before, BEGIN, *(row + "\n" for row in rows), END, rest.split(END)[1]])
        arguments.report.write_text(text, encoding="utf-8")
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
