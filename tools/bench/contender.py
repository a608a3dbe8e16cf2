"""A process that takes steps when it is told to, and says how long they took."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

PAUSE = 0.05  # seconds, in which threads of the last contender stop waiting busily
TURN = 0.5  # seconds of steps in one turn
FEWEST, MOST = 2, 2000  # steps in one turn


# OpenBLAS under the threads that PyTorch uses for all else; with threads of its own there would be too many.
OPENBLAS = "/usr/lib/x86_64-linux-gnu/openblas-openmp"


class Contender:
    """Made ready when it is constructed: it has taken its first steps."""

    def __init__(self, side: str, threads: int, command: list[str], libraries: str = "") -> None:
        self.side = side
        self.threads = threads
        self.times: list[float] = []  # milliseconds
        surroundings = dict(os.environ)
        surroundings |= {name: str(threads) for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")}
        if libraries:
            surroundings["LD_LIBRARY_PATH"] = libraries + ":" + os.environ.get("LD_LIBRARY_PATH", "")
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=surroundings
        )
        self.beginning = self._answer()
        self._steps = 1
        estimate = statistics.median(self._run(3)) / 1e3
        self._steps = max(FEWEST, min(MOST, round(TURN / estimate)))

    def turn(self) -> None:
        time.sleep(PAUSE)
        self.times += self._run(self._steps)

    @property
    def milliseconds(self) -> float:
        return statistics.median(self.times)

    def close(self) -> None:
        self._process.stdin.close()
        self._process.wait()

    def _run(self, steps: int) -> list[float]:
        self._process.stdin.write(f"run {steps}\n")
        self._process.stdin.flush()
        return self._answer()["ms"]

    def _answer(self) -> dict[str, Any]:
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"{' '.join(self._process.args)} ended with status {self._process.wait()}")
        return json.loads(line)


def ours(program: Path, workload: str, threads: int) -> Contender:
    return Contender("ours", threads, [str(program), "serve", workload, "--threads", str(threads)])


def torch(workload: str, threads: int) -> Contender:
    return Contender("torch", threads, [sys.executable, "-m", "bench.torch_side", workload, str(threads)], OPENBLAS)


def onnx_runtime(package: Path, model: Path, threads: int) -> Contender:
    script = Path(__file__).with_name("ort_side.js")
    return Contender("ort", threads, ["node", str(script), str(package), str(model), str(threads)])
