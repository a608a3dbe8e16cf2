"""Runs the test programs of the mutated build: once to learn which test reaches which mutant, then with each mutant."""

import os
import shutil
import subprocess
import threading
import time
from collections import defaultdict

from mutate.build import OUT, ROOT

TRACES = OUT / "traces"
WORST = 900.0  # seconds for a whole program
MOST_NAMED = 250  # tests in a filter; beyond that the whole program runs


class Program:
    def __init__(self, path):
        self.path = path
        self.name = path.name
        self.seconds = 0.0
        self.reached = defaultdict(list)  # mutant → (milliseconds, test)


def environment(place, **more):
    place.mkdir(parents=True, exist_ok=True)
    return os.environ | {"ASG_VERIFY": "1", "TMPDIR": str(place), "TEST_TMPDIR": str(place), **more}


def traced(path):
    """A program as it is without a mutant; the tests that fail then are left out later."""
    program = Program(path)
    trace = TRACES / f"{program.name}.trace"
    TRACES.mkdir(parents=True, exist_ok=True)
    for old in (trace, trace.with_name(trace.name + ".seen")):
        old.unlink(missing_ok=True)
    begin = time.monotonic()
    try:
        subprocess.run(
            [str(path), "--gtest_brief=1"], cwd=ROOT, capture_output=True, timeout=WORST,
            env=environment(OUT / "tmp" / "trace", ASG_MUTANT_TRACE=str(trace)),
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        print(f"   {program.name} took too long and is not used", flush=True)
        return program
    program.seconds = time.monotonic() - begin
    for line in trace.read_text().splitlines() if trace.exists() else []:
        milliseconds, test, *numbers = line.split(" ")
        for number in numbers:
            program.reached[int(number)].append((float(milliseconds), test))
    return program


def ran_into_failure(program, number, tests, place):
    """None when the tests pass; else what ended them."""
    command = [str(program.path), "--gtest_brief=1"]
    seconds = program.seconds
    if tests is not None:
        command.append("--gtest_filter=" + ":".join(name for _, name in tests))
        seconds = sum(milliseconds for milliseconds, _ in tests) / 1000
    try:
        result = subprocess.run(
            command, cwd=ROOT, capture_output=True, timeout=15 + 6 * seconds,
            env=environment(place, ASG_MUTANT=str(number), GTEST_FAIL_FAST="1"),
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return f"{program.name}: too slow"
    finally:
        shutil.rmtree(place, ignore_errors=True)
    if result.returncode == 0:
        return None
    failed = [line for line in result.stdout.decode(errors="replace").splitlines() if line.startswith("[  FAILED  ]")]
    return f"{program.name}: {failed[0][13:90] if failed else f'ended with {result.returncode}'}"


def verdict_of(number, programs):
    """(verdict, by whom). The tests that reach it, quick ones first; then the whole programs, since a test may not be seen
    to reach what an earlier one has prepared for it."""
    reaching = [program for program in programs if number in program.reached]
    if not reaching:
        return "survived", "reached by no test"
    place = OUT / "tmp" / f"{threading.get_ident()}"
    cost = {program.name: sum(each for each, _ in program.reached[number]) for program in reaching}
    for program in sorted(reaching, key=lambda each: cost[each.name]):
        tests = sorted(program.reached[number])
        by = ran_into_failure(program, number, tests if len(tests) <= MOST_NAMED else None, place)
        if by is not None:
            return "killed", by
    for program in sorted(reaching, key=lambda each: each.seconds):
        if len(program.reached[number]) <= MOST_NAMED:
            by = ran_into_failure(program, number, None, place)
            if by is not None:
                return "killed", by
    return "survived", f"reached by {sum(len(each.reached[number]) for each in reaching)} tests"
