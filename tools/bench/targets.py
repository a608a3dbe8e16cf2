"""What is demanded of each workload, and whether it holds."""

from __future__ import annotations

from dataclasses import dataclass

from bench.measure import Result

SHARE = {"a": 0.45, "b": 0.55, "c": 0.55, "d": 0.70, "e": 0.70}
RATIO = 1.2
COPIES = 3.0
PEAK_BELOW_TORCH = ("c", "d")
PLAN_MEGABYTES = {"d": 400}
PLAN_WASTE = 0.1
COMPILE_SECONDS = {"d": 0.5}
DIFFERENCE = 1e-3


@dataclass(frozen=True)
class Verdict:
    workload: str
    kept: bool
    words: str

    def __str__(self) -> str:
        return f"{'kept  ' if self.kept else 'missed'}  {self.workload}  {self.words}"


def judge(result: Result) -> list[Verdict]:
    name = result.workload.name
    verdicts = []

    def add(kept: bool, words: str) -> None:
        verdicts.append(Verdict(name, kept, words))

    if name in SHARE:
        add(result.share >= SHARE[name], f"{result.share:.0%} of the limit, at least {SHARE[name]:.0%}")
        if result.ratio is not None:
            add(result.ratio >= RATIO, f"{result.ratio:.2f} times as fast as PyTorch, at least {RATIO}")
    else:
        add(1 / result.share <= COPIES, f"{1 / result.share:.2f} times as long as a copy, at most {COPIES:.0f}")
    ours, theirs = result.told("ours", "peak_mb"), result.told("torch", "peak_mb")
    if name in PEAK_BELOW_TORCH and theirs is not None:
        add(ours < theirs, f"peak memory {ours:.0f} MB, below PyTorch's {theirs:.0f} MB")
    plan, live = result.told("ours", "plan_mb"), result.told("ours", "live_mb")
    if name in SHARE:
        add(plan <= (1 + PLAN_WASTE) * live, f"a plan of {plan:.1f} MB for {live:.1f} MB alive, {PLAN_WASTE:.0%} more at most")
    if name in PLAN_MEGABYTES:
        add(plan <= PLAN_MEGABYTES[name], f"a plan of {plan:.0f} MB, at most {PLAN_MEGABYTES[name]} MB")
    if name in COMPILE_SECONDS:
        seconds, most = result.told("ours", "compile_s"), COMPILE_SECONDS[name]
        add(seconds <= most, f"ready to step after {seconds:.2f} s, at most {most} s")
    if len(result.best) > 1:
        add(result.difference <= DIFFERENCE, f"the same numbers as its peers: they differ by {result.difference:.0e}")
    return verdicts
