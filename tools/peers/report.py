"""The page docs/peers.md, and what is printed. No times and no dates: the page changes when results do."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator

from peers.judge import Verdict
from peers.trainings import BOUND, Trajectory

_HEAD = """# Peers

<!-- Made by `make peers`; edit the cards or tools/peers instead. -->

Every sample of every op card, computed by ASG and by somebody else: by PyTorch 1.13 where it has a peer, else by an
independent NumPy formula ([tools/peers](../tools/peers/formulas/basic.py)). Values, gradients of a weighted sum of the
outputs by all float inputs and parameters, and new values of buffers are compared by max|a − b| / max(1, max|b|) of
each tensor. The bounds are 1e-5 (f32) and 1e-12 (f64); integers, truth values, NaNs and infinities must be the same.
Where PyTorch's own f32 is further off than the bound, what it computes in f64 from the same numbers decides. Gradients
by a formula are taken by complex steps. Each column shows the largest difference, rounded up to a power of
ten; a dash stands where there is nothing of the kind.
"""


def rounded_up(error: float | None) -> str:
    if error is None:
        return "–"
    if error == 0:
        return "0"
    return "differs" if math.isinf(error) else f"1e{math.ceil(math.log10(error))}"


def problems(verdicts: list[Verdict], trajectories: list[Trajectory]) -> Iterator[str]:
    for verdict in verdicts:
        yield from verdict.problems
    for each in trajectories:
        if not each.passed:
            name = f"{each.training.op}, training {each.training.sample} with {each.training.recipe}"
            yield f"{name}: losses differ by {each.loss_error:.3g}, weights by {each.weight_error:.3g}"


def summary(verdicts: list[Verdict], trajectories: list[Trajectory]) -> str:
    agree = sum(verdict.passed for verdict in verdicts)
    samples = sum(len(verdict.samples) for verdict in verdicts)
    trained = sum(each.passed for each in trajectories)
    return (
        f"{agree} of {len(verdicts)} ops agree on {samples} samples; {trained} of {len(trajectories)} trainings agree"
    )


def _peer(verdict: Verdict) -> str:
    name = verdict.op.torch or "PyTorch"
    if not verdict.by_formula:
        return f"`{name}`"
    return f"`{name}` and a formula" if verdict.by_torch else "formula"


def _row(verdict: Verdict) -> str:
    columns = [(False, "f32"), (False, "f64"), (True, "f32"), (True, "f64")]
    errors = [rounded_up(verdict.worst.get(column)) for column in columns]
    status = "agrees" if verdict.passed else "**differs**"
    if verdict.passed and verdict.differing:
        status += f", {len(verdict.differing)} defined otherwise"
    link = f"[{verdict.op.name}](ops/{verdict.op.name}.md)"
    return f"| {link} | {_peer(verdict)} | {len(verdict.samples)} | {' | '.join(errors)} | {status} |"


def _differences(verdicts: list[Verdict]) -> Iterator[str]:
    for verdict in verdicts:
        by_reason: dict[str, list[str]] = defaultdict(list)
        for sample, reason in sorted(verdict.op.differences.items()):
            by_reason[reason].append(sample)
        for reason, names in by_reason.items():
            yield f"- {verdict.op.name} ({', '.join(names)}): {reason}"


def _training_rows(trajectories: list[Trajectory]) -> Iterator[str]:
    by_op: dict[str, list[Trajectory]] = defaultdict(list)
    for each in trajectories:
        by_op[each.training.op].append(each)
    for op, group in sorted(by_op.items()):
        loss = max(each.loss_error for each in group)
        weights = max(each.weight_error for each in group)
        status = "agrees" if all(each.passed for each in group) else "**differs**"
        yield f"| [{op}](ops/{op}.md) | {len(group)} | {rounded_up(loss)} | {rounded_up(weights)} | {status} |"


def page(verdicts: list[Verdict], trajectories: list[Trajectory], untrained: set[str]) -> str:
    lines = [_HEAD, summary(verdicts, trajectories) + ".", ""]
    lines += ["| op | peer | samples | f32 | f64 | gradient f32 | gradient f64 | result |", "|---" * 8 + "|"]
    lines += [_row(verdict) for verdict in verdicts]
    without = [verdict.op.name for verdict in verdicts if verdict.by_formula and not verdict.by_torch]
    lines += ["", "## Without a peer in PyTorch", "", "Each of these has a formula: " + ", ".join(without) + "."]
    differences = list(_differences(verdicts))
    if differences:
        lines += ["", "## Defined otherwise", "", *differences]
    lines += [
        "",
        "## Trainings",
        "",
        "Layers with parameters learn drawn targets, losses teach a linear layer: 20 steps in f64 with SGD, with",
        "Nesterov momentum and weight decay, and with Adam, from the same weights. The losses of all steps and the",
        f"final weights may differ by {BOUND:.0e} at most.",
        "",
        "| layer or loss | trainings | losses | weights | result |",
        "|---|---|---|---|---|",
        *_training_rows(trajectories),
    ]
    if untrained:
        lines += ["", "Not trained, for want of a peer in PyTorch: " + ", ".join(sorted(untrained)) + "."]
    return "\n".join(lines) + "\n"
