"""python3 -m peers SAMPLES [--report FILE] [--op NAME ...]"""

from __future__ import annotations

import argparse
import sys
import warnings
from pathlib import Path

import torch

from peers import report, tables
from peers.judge import judge_all
from peers.records import read_records


def main() -> int:
    parser = argparse.ArgumentParser(prog="peers", description="Compare ASG with PyTorch and NumPy.")
    parser.add_argument("samples", type=Path, help="what build/asg_samples wrote")
    parser.add_argument("--report", type=Path, help="write the page of results here")
    parser.add_argument("--op", nargs="*", default=[], help="only these ops")
    arguments = parser.parse_args()
    torch.set_num_threads(1)  # so that sums run in one order
    warnings.filterwarnings("ignore")  # of infinities on purpose, and of what PyTorch may mean one day
    tables.load()
    ops, trainings = read_records(arguments.samples)
    wanted = set(arguments.op) or set(ops)
    verdicts, trajectories, untrained = judge_all(ops, trainings, wanted)
    for problem in report.problems(verdicts, trajectories):
        print(problem)
    if arguments.report is not None:
        arguments.report.write_text(report.page(verdicts, trajectories, untrained), encoding="utf-8")
    print(report.summary(verdicts, trajectories))
    return 0 if all(verdict.passed for verdict in verdicts) and all(t.passed for t in trajectories) else 1


if __name__ == "__main__":
    sys.exit(main())
