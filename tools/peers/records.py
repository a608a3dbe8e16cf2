"""Reads what build/asg_samples writes: a line per op, and a line per training."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from peers.values import Value, read_values


@dataclass(frozen=True)
class Case:
    """One sample as ASG computed it, in one dtype and mode."""

    sample: str
    dtype: str
    training: bool
    stream: int
    attrs: dict[str, Any]
    inputs: list[Value | None]
    variables: dict[str, Value]
    outputs: list[Value]
    updates: dict[str, Value]
    randoms: dict[str, Value]
    weights: dict[str, Value]
    gradients: dict[str, Value]


@dataclass(frozen=True)
class BrokenCase:
    """A sample that ASG itself could not compute."""

    sample: str
    dtype: str
    error: str


@dataclass(frozen=True)
class Op:
    name: str
    category: str
    torch: str
    gradient: str
    leaf: bool
    defaults: dict[str, Any]
    differences: dict[str, str]  # by sample: the reason
    cases: list[Case | BrokenCase]

    def attrs_with_defaults(self, attrs: dict[str, Any]) -> dict[str, Any]:
        return self.defaults | attrs


@dataclass(frozen=True)
class Training:
    op: str
    sample: str
    recipe: str
    optimizer: dict[str, Any]
    graph: dict[str, Any]
    batch: dict[str, Value]
    initial: dict[str, Value]
    losses: list[float]
    final: dict[str, Value]


def _in_order(values: dict[str, Value], stem: str) -> list[Value | None]:
    numbers = {int(name.removeprefix(stem + "_")): value for name, value in values.items()}
    return [numbers.get(index) for index in range(max(numbers, default=-1) + 1)]


def _read_case(form: dict[str, Any], defaults: dict[str, Any]) -> Case | BrokenCase:
    if "error" in form:
        return BrokenCase(form["sample"], form["dtype"], form["error"])
    outputs = _in_order(read_values(form["outputs"]), "output")
    return Case(
        sample=form["sample"],
        dtype=form["dtype"],
        training=form["mode"] == "train",
        stream=form["stream"],
        attrs=defaults | read_values(form["attrs"]),
        inputs=_in_order(read_values(form["inputs"]), "input"),
        variables=read_values(form["variables"]),
        outputs=[output for output in outputs if output is not None],
        updates=read_values(form["updates"]),
        randoms=read_values(form["randoms"]),
        weights=read_values(form["weights"]),
        gradients=read_values(form["gradients"]),
    )


def _read_op(form: dict[str, Any]) -> Op:
    defaults = read_values(form["defaults"])
    differences = {name: entry["reason"] for entry in form["differences"] for name in entry["samples"]}
    cases = [_read_case(case, defaults) for case in form["cases"]]
    return Op(
        name=form["op"],
        category=form["category"],
        torch=form["torch"],
        gradient=form["gradient"],
        leaf=form["leaf"],
        defaults=defaults,
        differences=differences,
        cases=cases,
    )


def _read_training(form: dict[str, Any]) -> Training:
    return Training(
        op=form["training"],
        sample=form["sample"],
        recipe=form["recipe"],
        optimizer=form["optimizer"],
        graph=form["graph"],
        batch=read_values(form["batch"]),
        initial=read_values(form["initial"]),
        losses=form["losses"],
        final=read_values(form["final"]),
    )


def read_records(path: Path) -> tuple[dict[str, Op], list[Training]]:
    ops: dict[str, Op] = {}
    trainings: list[Training] = []
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            form = json.loads(line)
            if "training" in form:
                trainings.append(_read_training(form))
            else:
                ops[form["op"]] = _read_op(form)
    return ops, trainings
