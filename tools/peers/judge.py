"""Decides for each op whether it agrees with its peer."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from peers.graphs import MissingPeer
from peers.records import BrokenCase, Case, Op, Training
from peers.run import Measure, run_case
from peers.trainings import Trajectory, repeat


@dataclass
class Verdict:
    """What was found of one op."""

    op: Op
    samples: set[str] = field(default_factory=set)
    by_torch: set[str] = field(default_factory=set)
    by_formula: set[str] = field(default_factory=set)
    differing: set[str] = field(default_factory=set)  # samples that the card says differ, and that do
    worst: dict[tuple[bool, str], float] = field(default_factory=dict)  # by (is gradient, dtype)
    problems: list[str] = field(default_factory=list)

    @property
    def passed(self) -> bool:
        return not self.problems

    def note(self, measure: Measure) -> None:
        key = (measure.is_gradient, measure.dtype)
        self.worst[key] = max(self.worst.get(key, 0.0), measure.error)


def _judge_case(verdict: Verdict, case: Case | BrokenCase, ops: dict[str, Op]) -> None:
    op = verdict.op
    verdict.samples.add(case.sample)
    where = f"{op.name}, sample {case.sample}, {case.dtype}"
    if isinstance(case, BrokenCase):
        verdict.problems.append(f"{where}: {case.error}")
        return
    where += "" if case.training else ", eval"
    try:
        outcome = run_case(op, case, ops)
    except Exception as error:  # whatever a peer throws is a finding about this case, and the others go on
        verdict.problems.append(f"{where}: {type(error).__name__}: {error}")
        return
    (verdict.by_formula if outcome.by_formula else verdict.by_torch).add(case.sample)
    if case.sample in op.differences:
        if not all(measure.passed for measure in outcome.measures):
            verdict.differing.add(case.sample)
        return
    for measure in outcome.measures:
        if measure.passed:
            verdict.note(measure)
        else:
            verdict.problems.append(f"{where}: {measure.what} differs by {measure.error:.3g} ({measure.dtype})")


def judge(op: Op, ops: dict[str, Op]) -> Verdict:
    verdict = Verdict(op)
    for case in op.cases:
        _judge_case(verdict, case, ops)
    for sample in op.differences.keys() - verdict.differing:
        verdict.problems.append(f"{op.name}: sample {sample} is said to differ from the peer, but does not")
    return verdict


def judge_all(
    ops: dict[str, Op], trainings: list[Training], wanted: set[str]
) -> tuple[list[Verdict], list[Trajectory], set[str]]:
    """Leaves and blocks, which compute nothing of their own, have no samples and no verdict. The last result names the
    layers that cannot be trained in PyTorch, which has no peer of theirs."""
    verdicts = [judge(op, ops) for name, op in sorted(ops.items()) if name in wanted and op.cases]
    trajectories: list[Trajectory] = []
    untrained: set[str] = set()
    for training in trainings:
        if training.op not in wanted or training.sample in ops[training.op].differences:
            continue
        try:
            trajectories.append(repeat(training, ops))
        except MissingPeer:
            untrained.add(training.op)
        except Exception:  # what a peer throws is a training that does not agree, and the others go on
            trajectories.append(Trajectory(training, loss_error=math.inf, weight_error=math.inf))
    return verdicts, trajectories, untrained
