"""Compares the losses of training steps with PyTorch in f32 and f64: python3 -m bench.losses BUILD [--steps 50]."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path

import torch

from bench import models

WORKLOADS = ("b", "c")  # Adam on a CNN, AdamW on a GPT
THREADS = 2
MOST = 2.0  # times the difference of PyTorch in f32


def _ours(program: Path, workload: str, steps: int) -> list[float]:
    command = [str(program), "losses", workload, "--threads", str(THREADS), "--steps", str(steps)]
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout)["values"]


def _torch(workload: str, steps: int, dtype: torch.dtype) -> list[float]:
    training = models.make(workload, models.batch_of(workload), dtype)
    return [training.value(training.step()) for _ in range(steps)]


def _difference(losses: list[float], exact: list[float]) -> float:
    return max(abs(a - b) / abs(b) for a, b in zip(losses, exact, strict=True))


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench.losses", description="Compare losses with PyTorch in f64.")
    parser.add_argument("build", type=Path, help="the build folder")
    parser.add_argument("--steps", type=int, default=50, help="training steps (default: %(default)s)")
    arguments = parser.parse_args()
    torch.set_num_threads(THREADS)
    print(f"Greatest relative difference of the loss from PyTorch in f64 over {arguments.steps} steps:")
    ok = True
    for workload in WORKLOADS:
        exact = _torch(workload, arguments.steps, torch.float64)
        peer = _difference(_torch(workload, arguments.steps, torch.float32), exact)
        ours = _difference(_ours(arguments.build / "bench" / "bench_engine", workload, arguments.steps), exact)
        ok = ok and ours <= MOST * peer
        print(f"{workload}  ASG {ours:.2e}, PyTorch in f32 {peer:.2e}: {ours / peer:.2f} x (at most {MOST:g})", flush=True)
    sys.exit(0 if ok else 1)


if __name__ == "__main__":
    main()
