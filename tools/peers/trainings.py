"""Repeats trainings of layers and losses in PyTorch from the same weights and compares losses and final weights."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from peers import graphs
from peers.compare import difference
from peers.records import Op, Training
from peers.run import adapter_of
from peers.values import Value

BOUND = 1e-9


@dataclass(frozen=True)
class Trajectory:
    training: Training
    loss_error: float
    weight_error: float

    @property
    def passed(self) -> bool:
        return self.loss_error <= BOUND and self.weight_error <= BOUND


def _optimizer(form: dict[str, Any], parameters: list[Tensor]) -> torch.optim.Optimizer:
    if form["kind"] == "adam":
        return torch.optim.Adam(
            parameters,
            lr=form["learning_rate"],
            betas=(form["beta1"], form["beta2"]),
            eps=form["epsilon"],
            weight_decay=form["weight_decay"],
        )
    return torch.optim.SGD(
        parameters,
        lr=form["learning_rate"],
        momentum=form["momentum"],
        nesterov=form["nesterov"],
        weight_decay=form["weight_decay"],
    )


def repeat(training: Training, ops: dict[str, Op]) -> Trajectory:
    """Raises MissingPeer where an op of the model has no peer in PyTorch."""
    names: dict[int, str] = {}
    variables: dict[int, Tensor] = {}
    parameters: list[Tensor] = []
    for form in training.graph.get("variables", []):
        number, kind = form["id"], form.get("kind", "parameter")
        variables[number] = training.initial[form["name"]].tensor.clone()
        if kind in ("parameter", "buffer"):  # counters of random numbers are ASG's own
            names[number] = form["name"]
        if kind == "parameter" and form.get("trainable", True):
            parameters.append(variables[number].requires_grad_())
    optimizer = _optimizer(training.optimizer, parameters)
    batch = {name: value.tensor for name, value in training.batch.items()}
    losses: list[float] = []
    for _ in training.losses:
        optimizer.zero_grad()
        (loss, *_), updates = graphs.evaluate(training.graph, ops, adapter_of, batch, variables)
        losses.append(float(loss.detach()))
        loss.backward()
        optimizer.step()
        variables.update({number: value.detach() for number, value in updates.items()})
    ours = Value("f64", torch.tensor(training.losses, dtype=torch.float64))
    weight_errors = [difference(training.final[name], variables[number]) for number, name in names.items()]
    return Trajectory(
        training,
        loss_error=difference(ours, torch.tensor(losses, dtype=torch.float64)),
        weight_error=max(weight_errors, default=0.0),
    )
