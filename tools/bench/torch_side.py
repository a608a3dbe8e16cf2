"""PyTorch's side: python3 -m bench.torch_side WORKLOAD THREADS. It speaks as `bench_engine serve` does."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import torch

from bench import models

FIRST_STEPS = 10


def _memory(field: str) -> float:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(field + ":"):
            return 1024 * float(line.split()[1])
    return 0.0


def _forget_peak() -> None:
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        pass  # the older peak stays in it


def _blas() -> str:
    """The library behind the products: "openblas-pthread", or "blas" for the slow reference."""
    mapped = {Path(line.split()[-1]) for line in Path("/proc/self/maps").read_text().splitlines() if "blas.so" in line}
    return max((path.parent.name for path in mapped), key=lambda name: "openblas" in name, default="none")


def _answer(line: dict[str, object]) -> None:
    print(json.dumps(line), flush=True)


def main() -> None:
    workload, threads = sys.argv[1], int(sys.argv[2])
    torch.set_num_threads(threads)
    batch = models.batch_of(workload)
    _forget_peak()
    before = _memory("VmRSS")
    contender = models.make(workload, batch)
    values = []
    for _ in range(FIRST_STEPS):
        output = contender.step()
        values.append(contender.value(output))
    _answer({"peak_mb": (_memory("VmHWM") - before) / 1e6, "values": values, "blas": _blas()})
    for line in sys.stdin:
        word, steps = line.split()
        assert word == "run"
        output = contender.step()
        times = []
        for _ in range(int(steps)):
            start = time.perf_counter()
            output = contender.step()
            times.append(1e3 * (time.perf_counter() - start))
        _answer({"ms": times})


if __name__ == "__main__":
    main()
