"""The workloads of bench/engine/workloads.cpp in PyTorch, as one writes them there when speed matters."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from bench import numbers

WEIGHT_LIMIT = 0.04
AT_ONCE = 1 << 20  # numbers, so that filling a model or looking at its output never takes much memory

# A weight of ours, and where its numbers lie: part of a parameter, turned where ours is stored the other way.
Place = tuple[str, Tensor, bool]


@dataclass(frozen=True)
class Gpt:
    layers: int
    width: int
    heads: int
    length: int
    vocabulary: int
    batch: int
    positions: int


GPTS = {
    "c": Gpt(layers=4, width=128, heads=4, length=64, vocabulary=65, batch=12, positions=64),
    "d": Gpt(layers=6, width=384, heads=6, length=256, vocabulary=65, batch=8, positions=256),
    "e": Gpt(layers=12, width=768, heads=12, length=128, vocabulary=50257, batch=1, positions=1024),
}


class Mlp(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Linear(784, 256)
        self.second = nn.Linear(256, 256)
        self.last = nn.Linear(256, 10)

    def forward(self, x: Tensor) -> Tensor:
        return self.last(functional.relu(self.second(functional.relu(self.first(x)))))

    def places(self) -> list[Place]:
        layers = {"first": self.first, "second": self.second, "last": self.last}
        return [(f"{name}.weight", layer.weight, True) for name, layer in layers.items()]


class Cnn(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Conv2d(1, 32, 3)
        self.second = nn.Conv2d(32, 64, 3)
        self.third = nn.Linear(9216, 128)
        self.last = nn.Linear(128, 10)

    def forward(self, x: Tensor) -> Tensor:
        x = functional.relu(self.first(x))
        x = functional.relu(self.second(x))
        x = functional.max_pool2d(x, 2).flatten(1)
        return self.last(functional.relu(self.third(x)))

    def places(self) -> list[Place]:
        return [
            ("first.weight", self.first.weight, False),
            ("second.weight", self.second.weight, False),
            ("third.weight", self.third.weight, True),
            ("last.weight", self.last.weight, True),
        ]


class Attention(nn.Module):
    """Causal self-attention with one projection for queries, keys and values."""

    def __init__(self, gpt: Gpt) -> None:
        super().__init__()
        self.heads = gpt.heads
        self.project = nn.Linear(gpt.width, 3 * gpt.width)
        self.output = nn.Linear(gpt.width, gpt.width)
        ahead = torch.ones(gpt.length, gpt.length, dtype=torch.bool).triu(1)
        self.register_buffer("ahead", ahead.view(1, 1, gpt.length, gpt.length))

    def forward(self, x: Tensor) -> Tensor:
        batch, length, width = x.size()
        parts = self.project(x).split(width, dim=2)
        query, key, value = (
            part.view(batch, length, self.heads, width // self.heads).transpose(1, 2) for part in parts
        )
        scores = (query @ key.transpose(-2, -1)) * (1.0 / math.sqrt(key.size(-1)))
        scores = scores.masked_fill(self.ahead[:, :, :length, :length], -math.inf)
        mixed = functional.softmax(scores, dim=-1) @ value
        return self.output(mixed.transpose(1, 2).contiguous().view(batch, length, width))


class Block(nn.Module):
    def __init__(self, gpt: Gpt) -> None:
        super().__init__()
        self.norm_1 = nn.LayerNorm(gpt.width)
        self.attention = Attention(gpt)
        self.norm_2 = nn.LayerNorm(gpt.width)
        self.expand = nn.Linear(gpt.width, 4 * gpt.width)
        self.contract = nn.Linear(4 * gpt.width, gpt.width)

    def forward(self, x: Tensor) -> Tensor:
        x = x + self.attention(self.norm_1(x))
        return x + self.contract(functional.gelu(self.expand(self.norm_2(x))))

    def places(self, name: str) -> list[Place]:
        query, key, value = self.attention.project.weight.data.chunk(3)
        return [
            (f"{name}.attention.query_projection.weight", query, True),
            (f"{name}.attention.key_projection.weight", key, True),
            (f"{name}.attention.value_projection.weight", value, True),
            (f"{name}.attention.output_projection.weight", self.attention.output.weight, True),
            (f"{name}.feed_forward.expand.weight", self.expand.weight, True),
            (f"{name}.feed_forward.contract.weight", self.contract.weight, True),
        ]


class GptModel(nn.Module):
    def __init__(self, gpt: Gpt) -> None:
        super().__init__()
        self.token = nn.Embedding(gpt.vocabulary, gpt.width)
        self.position = nn.Embedding(gpt.positions, gpt.width)
        self.blocks = nn.ModuleList(Block(gpt) for _ in range(gpt.layers))
        self.norm = nn.LayerNorm(gpt.width)
        self.head = nn.Linear(gpt.width, gpt.vocabulary, bias=False)
        self.head.weight = self.token.weight

    def forward(self, tokens: Tensor) -> Tensor:
        positions = torch.arange(tokens.size(1), device=tokens.device)
        x = self.token(tokens) + self.position(positions)
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))

    def places(self) -> list[Place]:
        result = [("token.weight", self.token.weight, False), ("position.weight", self.position.weight, False)]
        for number, block in enumerate(self.blocks):
            result += block.places(f"block_{number}")
        return result


def _fill(place: Place, start: int) -> None:
    name, parameter, turned = place
    name = name if start == 0 else f"{name}/{start}"
    parameter = parameter.data
    if turned:
        ours = torch.from_numpy(numbers.uniform(name, 0, parameter.numel(), WEIGHT_LIMIT))
        parameter.copy_(ours.view(parameter.size(1), parameter.size(0)).t())
        return
    flat = parameter.view(-1)
    for first in range(0, flat.numel(), AT_ONCE):
        part = flat[first : first + AT_ONCE]
        part.copy_(torch.from_numpy(numbers.uniform(name, first, part.numel(), WEIGHT_LIMIT)))


def fill(model: nn.Module, start: int = 0) -> None:
    """The numbers that our variables begin with: drawn weights, other ones for each start, and no biases."""
    for name, parameter in model.named_parameters():
        if name.endswith("bias"):
            nn.init.zeros_(parameter)
    for place in model.places():
        _fill(place, start)


def tensor(name: str, sizes: tuple[int, ...], limit: float) -> Tensor:
    return torch.from_numpy(numbers.uniform(name, 0, math.prod(sizes), limit)).view(sizes)


def integers(name: str, sizes: tuple[int, ...], below: int) -> Tensor:
    return torch.from_numpy(numbers.whole(name, math.prod(sizes), below)).view(sizes)


def chain(x: Tensor) -> Tensor:
    for step in range(20):
        number = 0.25 + 0.03125 * step
        if step % 3 == 0:
            x = x + number
        elif step % 3 == 1:
            x = x * number
        else:
            x = x.clamp_min(number)
    return x


@dataclass(frozen=True)
class Training:
    """A model with its optimiser; `step` gives the loss."""

    model: nn.Module
    optimizer: torch.optim.Optimizer
    inputs: Tensor
    labels: Tensor

    def step(self) -> Tensor:
        logits = self.model(self.inputs)
        loss = functional.cross_entropy(logits.view(-1, logits.size(-1)), self.labels.view(-1))
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        self.optimizer.step()
        return loss.detach()

    def value(self, loss: Tensor) -> float:
        return float(loss)


@dataclass(frozen=True)
class Forward:
    """A function of one tensor; `step` gives its result."""

    function: Callable[[Tensor], Tensor]
    inputs: Tensor

    def step(self) -> Tensor:
        with torch.no_grad():
            return self.function(self.inputs)

    def value(self, output: Tensor) -> float:
        parts = output.view(-1).split(AT_ONCE)
        return sum(float(part.double().square().sum()) for part in parts) / output.numel()


@dataclass(frozen=True)
class Batch:
    inputs: Tensor
    labels: Tensor | None = None


def batch_of(workload: str) -> Batch:
    if workload == "a":
        return Batch(tensor("features", (128, 784), 1), integers("labels", (128,), 10))
    if workload == "b":
        return Batch(tensor("features", (64, 1, 28, 28), 1), integers("labels", (64,), 10))
    if workload == "f":
        return Batch(tensor("x", (10_000_000,), 4))
    gpt = GPTS[workload]
    sizes = (gpt.batch, gpt.length)
    return Batch(integers("tokens", sizes, gpt.vocabulary), integers("labels", sizes, gpt.vocabulary))


def model_of(workload: str, start: int = 0) -> nn.Module:
    model = Mlp() if workload == "a" else Cnn() if workload == "b" else GptModel(GPTS[workload])
    fill(model, start)
    return model


def make(workload: str, batch: Batch, dtype: torch.dtype = torch.float32, start: int = 0) -> Training | Forward:
    if workload == "f":
        return Forward(chain, batch.inputs)
    model = model_of(workload, start).to(dtype)
    if batch.inputs.is_floating_point():
        batch = Batch(batch.inputs.to(dtype), batch.labels)
    if workload == "e":
        return Forward(model.eval(), batch.inputs)
    if workload in ("a", "b"):
        optimizer: torch.optim.Optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    else:
        optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0.01)
    return Training(model, optimizer, batch.inputs, batch.labels)
