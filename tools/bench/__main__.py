"""python3 -m bench BUILD [--only a,d] [--report FILE]"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from bench import report, targets
from bench.measure import Bench, Result, Workload

BUSY = 0.7  # runnable processes, beside ours


def _tell(result: Result) -> None:
    print(f"{result.workload.name}  {result.workload.words}")
    for side, name in (("ours", "ours"), ("torch", "PyTorch"), ("ort", "ONNX Runtime")):
        if side in result.best:
            print(f"   {name:13} {result.milliseconds(side):10.3f} ms on {result.threads(side)} threads")
    print(f"   {'limit':13} {result.limit_ms:10.3f} ms, {result.share:.0%} of it")
    print(f"   {'compile':13} {result.told('ours', 'compile_s'):10.3f} s")
    for side, name in (("ours", "our peak"), ("torch", "PyTorch's")):
        if side in result.best:
            print(f"   {name:13} {result.told(side, 'peak_mb'):10.1f} MB")
    if result.told("torch", "blas") == "blas":
        print("   PyTorch computes with the slow reference BLAS: install libopenblas0-openmp")
    sys.stdout.flush()


def _chosen(workloads: list[Workload], only: str) -> list[Workload]:
    names = [name for name in only.split(",") if name]
    unknown = set(names) - {workload.name for workload in workloads}
    if unknown:
        sys.exit(f"There is no workload {', '.join(sorted(unknown))}; there are {', '.join(w.name for w in workloads)}.")
    return [workload for workload in workloads if not names or workload.name in names]


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench", description="Compare whole steps with other engines.")
    parser.add_argument("build", type=Path, help="the build folder")
    parser.add_argument("--only", default="", help="workloads, with commas between them; all if none is named")
    parser.add_argument("--report", type=Path, help="write the page of results here, if all workloads are measured")
    arguments = parser.parse_args()
    bench = Bench(arguments.build)
    workloads = bench.workloads()
    chosen = _chosen(workloads, arguments.only)
    if not bench.has_torch:
        print("PyTorch is missing: no peers. It is in the Debian package python3-torch.")
    if os.getloadavg()[0] > BUSY:
        print(f"The machine is busy (load {os.getloadavg()[0]:.1f}): what follows says little.")
    results = []
    for workload in chosen:
        results.append(bench.measure(workload))
        _tell(results[-1])
        report.write_json(results, arguments.build / "bench.json")  # after each, lest a long run be lost
    if isinstance(bench.onnx_runtime, str):
        print(f"No ONNX Runtime: {bench.onnx_runtime}")
    if arguments.report is not None and len(chosen) == len(workloads) and bench.has_torch:
        arguments.report.write_text(report.page(results, bench), encoding="utf-8")
    for result in results:
        for verdict in targets.judge(result):
            print(verdict)


if __name__ == "__main__":
    main()
