"""Compares the losses of training steps with PyTorch in f32 and f64: python3 -m bench.losses BUILD [--steps 50].

Training multiplies each difference of the last bit a thousand times and more, so how far two trainings in f32 end up
from that in f64 is chance: of one engine it is another number, three times as large or as small, where the weights it
begins with change by a hundred thousandth. The median over many starts, each with weights of its own, tells how exact
an engine is; the first start, that of the other benchmarks, must hold by itself too.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
from pathlib import Path

import torch

from bench import models

WORKLOADS = ("b", "c")  # Adam on a CNN, AdamW on a GPT
THREADS = 2
STARTS = 15
MOST = 2.0  # times the difference of PyTorch in f32


def _ours(program: Path, workload: str, steps: int, start: int) -> list[float]:
    command = [str(program), "losses", workload, "--threads", str(THREADS), "--steps", str(steps)]
    command += ["--start", str(start)]
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout)["values"]


def _torch(workload: str, steps: int, start: int, dtype: torch.dtype) -> list[float]:
    training = models.make(workload, models.batch_of(workload), dtype, start)
    return [training.value(training.step()) for _ in range(steps)]


def _difference(losses: list[float], exact: list[float]) -> float:
    return max(abs(a - b) / abs(b) for a, b in zip(losses, exact, strict=True))


def _ratio(program: Path, workload: str, steps: int, start: int) -> float:
    """How many times as far as PyTorch in f32 ours is from PyTorch in f64."""
    exact = _torch(workload, steps, start, torch.float64)
    peer = _difference(_torch(workload, steps, start, torch.float32), exact)
    ours = _difference(_ours(program, workload, steps, start), exact)
    print(f"{workload}, start {start}: ASG {ours:.2e}, PyTorch in f32 {peer:.2e}: {ours / peer:.2f} x", flush=True)
    return ours / peer


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench.losses", description="Compare losses with PyTorch in f64.")
    parser.add_argument("build", type=Path, help="the build folder")
    parser.add_argument("--steps", type=int, default=50, help="training steps (default: %(default)s)")
    parser.add_argument("--starts", type=int, default=STARTS, help="weights to begin with (default: %(default)s)")
    arguments = parser.parse_args()
    torch.set_num_threads(THREADS)
    program = arguments.build / "bench" / "bench_engine"
    print(f"Greatest relative difference of the loss from PyTorch in f64 over {arguments.steps} steps:")
    ok = True
    for workload in WORKLOADS:
        ratios = [_ratio(program, workload, arguments.steps, start) for start in range(arguments.starts)]
        median = statistics.median(ratios)
        print(f"{workload}  first start {ratios[0]:.2f} x, median {median:.2f} x (at most {MOST:g})", flush=True)
        ok = ok and max(ratios[0], median) <= MOST
    sys.exit(0 if ok else 1)


if __name__ == "__main__":
    main()
