"""One workload: all contenders in turn, the limit before and after."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench import contender, peers
from bench.contender import Contender

THREADS = (1, 2)
ROUNDS = 5
LIMIT_THREADS = 2


@dataclass(frozen=True)
class Workload:
    name: str
    words: str
    operations: float  # in the products of a step


@dataclass(frozen=True)
class Result:
    workload: Workload
    best: dict[str, Contender]  # the better of its thread counts, by side
    limit_ms: float
    rate: float  # GFLOP/s, the limit
    difference: float  # the largest relative one between values of ours and of PyTorch

    def milliseconds(self, side: str) -> float | None:
        return self.best[side].milliseconds if side in self.best else None

    def threads(self, side: str) -> int | None:
        return self.best[side].threads if side in self.best else None

    def told(self, side: str, field: str) -> Any:
        return self.best[side].beginning.get(field) if side in self.best else None

    @property
    def share(self) -> float:
        return self.limit_ms / self.best["ours"].milliseconds

    @property
    def ratio(self) -> float | None:
        """How many times as fast as PyTorch."""
        return self.best["torch"].milliseconds / self.best["ours"].milliseconds if "torch" in self.best else None


class Bench:
    def __init__(self, build: Path) -> None:
        self.program = build / "bench" / "bench_engine"
        self.has_torch = peers.has_torch()
        self.onnx_runtime: peers.OnnxRuntime | str | None = None
        self._folder = build / "bench" / "onnx_runtime"

    def workloads(self) -> list[Workload]:
        lines = self._ask("flops", "--json").splitlines()
        return [Workload(form["workload"], form["words"], form["flops"]) for form in map(json.loads, lines)]

    def measure(self, workload: Workload) -> Result:
        _progress(f"{workload.name}: limit")
        limits = [self._limit()]
        contenders = self._contenders(workload)
        for number in range(ROUNDS):
            for each in contenders:
                _progress(f"{workload.name}: round {number + 1} of {ROUNDS}, {each.side} on {each.threads}")
                each.turn()
        for each in contenders:
            each.close()
        _progress(f"{workload.name}: limit")
        limits.append(self._limit())
        _progress("")
        rate = max(limit["gflops"] for limit in limits)
        copy = min(limit["memcpy_ms"] for limit in limits)
        return Result(
            workload,
            best=_best(contenders),
            limit_ms=workload.operations / rate / 1e6 if workload.operations > 0 else copy,
            rate=rate,
            difference=_difference(contenders),
        )

    def _contenders(self, workload: Workload) -> list[Contender]:
        result = []
        for threads in THREADS:
            _progress(f"{workload.name}: preparing on {threads}")
            result.append(contender.ours(self.program, workload.name, threads))
            if self.has_torch:
                result.append(contender.torch(workload.name, threads))
        if workload.name == "e" and self.has_torch:
            _progress("e: ONNX Runtime")
            self.onnx_runtime = peers.find_onnx_runtime(self._folder)
            if isinstance(self.onnx_runtime, peers.OnnxRuntime):
                found = self.onnx_runtime
                result += [contender.onnx_runtime(found.package, found.model, threads) for threads in THREADS]
        return result

    def _limit(self) -> dict[str, float]:
        return json.loads(self._ask("limit", "--json", "--threads", str(LIMIT_THREADS), "--seconds", "0.3"))

    def _ask(self, *arguments: str) -> str:
        return subprocess.run([str(self.program), *arguments], stdout=subprocess.PIPE, text=True, check=True).stdout


def _progress(words: str) -> None:
    """On a line of its own that the next one writes over, for people only."""
    if sys.stderr.isatty():
        print(f"\r\x1b[K{words}", end="", file=sys.stderr, flush=True)


def _best(contenders: list[Contender]) -> dict[str, Contender]:
    result: dict[str, Contender] = {}
    for each in contenders:
        if each.side not in result or each.milliseconds < result[each.side].milliseconds:
            result[each.side] = each
    return result


def _difference(contenders: list[Contender]) -> float:
    """Of all values after the first steps, between all contenders: they began alike."""
    first = contenders[0].beginning["values"]
    pairs = [pair for each in contenders[1:] for pair in zip(first, each.beginning["values"], strict=True)]
    return max(abs(a - b) / abs(a) for a, b in pairs)
