"""Runs the test programs of the mutated build: twice without a mutant to learn which test reaches which mutant, then with each
mutant. Needs nothing but the tree and the folder of programs, and goes on where it was stopped."""

import json
import os
import re
import resource
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from mutate.build import JOBS, PROGRAMS, ROOT

BATCH = PROGRAMS / "mutants.json"
TRACE = PROGRAMS / "trace.json"
VERDICTS = PROGRAMS / "verdicts.json"
WORST = 300.0  # seconds for a whole program without a mutant
SHARES = (1.0, 5.0, 20.0)  # seconds of tests that are run together, one after another; then 40 each
LAST_SHARE = 40.0
FIRST_SHARES = 3  # all mutants are tried with these before any is tried with more
MOST = 300.0  # seconds of tests for one mutant
FEW = 20  # a program with so few tests that reach a mutant may have prepared something in them for others
SHORT = 60.0  # seconds: such a program then runs as a whole
MEMORY = 8 << 30  # bytes of addresses of one program
WRITTEN = 1 << 30  # bytes of one file that it writes


class OutOfTime(Exception):
    pass


def forget():
    """What was learnt of programs that are about to change."""
    for path in (BATCH, TRACE, VERDICTS):
        path.unlink(missing_ok=True)


# ---- Processes

class Runner:
    """Starts test programs, each worker on two cores of its own."""

    def __init__(self, deadline):
        self.deadline = deadline
        self.cores = sorted(os.sched_getaffinity(0))
        self.taken = 0
        self.lock = threading.Lock()
        self.local = threading.local()

    def settle(self):
        """A program has two cores to itself in name only: every core is lent to two workers."""
        if hasattr(self.local, "settled"):
            return
        with self.lock:
            first = self.taken
            self.taken += 1
        if len(self.cores) > 2:
            os.sched_setaffinity(0, {self.cores[(first + k) % len(self.cores)] for k in range(2)})
        self.local.settled = True

    def run(self, name, tests, limit, **more):
        """(exit status, None where it was too slow; output). `tests`: None for all of the program."""
        self.settle()
        place = Path(tempfile.mkdtemp(prefix="mutate-"))
        try:
            return self.run_at(place, name, tests, limit, more)
        finally:
            shutil.rmtree(place, ignore_errors=True)

    def run_at(self, place, name, tests, limit, more):
        command = [str(PROGRAMS / "tests" / name), "--gtest_brief=1"]
        if tests is not None:
            (place / "flags").write_text("--gtest_filter=" + ":".join(tests) + "\n")
            command.append(f"--gtest_flagfile={place / 'flags'}")
        (place / "tmp").mkdir()
        with (place / "output").open("wb") as output:
            process = subprocess.Popen(
                command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
                env=environment(place / "tmp") | more, start_new_session=True,
            )  # fmt: skip
            try:
                resource.prlimit(process.pid, resource.RLIMIT_AS, (MEMORY, MEMORY))
                resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (WRITTEN, WRITTEN))
                resource.prlimit(process.pid, resource.RLIMIT_CORE, (0, 0))
            except ProcessLookupError:
                pass
            try:
                status = self.wait(process, limit)
            finally:
                end_group(process)
        with (place / "output").open("rb") as output:
            return status, output.read(1 << 22).decode(errors="replace")

    def wait(self, process, limit):
        end = time.monotonic() + limit
        while time.monotonic() < end:
            if time.monotonic() > self.deadline:
                raise OutOfTime
            try:
                return process.wait(1)
            except subprocess.TimeoutExpired:
                continue
        return None


def stopping(runner, results):
    """Results of workers; where the user stops us, they stop too."""
    try:
        yield from results
    except KeyboardInterrupt:
        runner.deadline = 0.0
        raise


def end_group(process):
    """Ends what the program has started, too."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


def environment(place):
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    return kept | {"ASG_VERIFY": "1", "TMPDIR": str(place), "TEST_TMPDIR": str(place)}


# ---- Without a mutant

def traced_once(runner, name):
    """test → (passed, milliseconds, mutants it reaches); None where the program does not end in time or in order."""
    with tempfile.TemporaryDirectory(prefix="mutate-") as place:
        path = Path(place) / "trace"
        status, output = runner.run(name, None, WORST, ASG_MUTANT_TRACE=str(path))
        lines = path.read_text().splitlines() if path.exists() else []
    if status not in (0, 1) or not lines:
        print(f"   {name} is not used: {'too slow' if status is None else f'ended with {status}'}\n{output[-500:]}", flush=True)
        return None
    result = {}
    for line in lines:
        test, passed, milliseconds, *numbers = line.split(" ")
        result[test] = (passed == "passed", float(milliseconds), set(map(int, numbers)))
    return result


def joined(first, second):
    """What is known of a program by two runs. A test that fails in either is left out."""
    start = first.pop("start")[2] | second.pop("start")[2]
    known = {"tests": {}, "reached": {}, "left_out": []}
    for test in first.keys() | second.keys():
        runs = [each[test] for each in (first, second) if test in each]
        if len(runs) < 2 or not all(run[0] for run in runs):
            known["left_out"].append(test)
        else:
            known["tests"][test] = max(run[1] for run in runs)
            known["reached"][test] = sorted(start | runs[0][2] | runs[1][2])
    return known


def traced(runner, names):
    """name of a program → what is known of it, None where it is not used. Learnt once for a folder of programs."""
    known = json.loads(TRACE.read_text()) if TRACE.exists() else {}
    missing = [name for name in names if name not in known]

    def try_one(name):
        try:
            return traced_once(runner, name)
        except OutOfTime:
            return OutOfTime

    with ThreadPoolExecutor(JOBS) as pool:
        runs = list(stopping(runner, pool.map(try_one, [*missing, *missing])))
    for name, first, second in zip(missing, runs, runs[len(missing) :]):
        if OutOfTime in (first, second):
            continue
        known[name] = joined(first, second) if first and second else None
        for test in known[name]["left_out"] if known[name] else []:
            print(f"   {name}: {test} is left out: it fails without a mutant", flush=True)
    write(TRACE, known)
    if OutOfTime in runs:
        raise OutOfTime
    return {name: each for name, each in known.items() if each}


def write(path, what):
    path.with_suffix(".new").write_text(json.dumps(what))
    path.with_suffix(".new").replace(path)


# ---- With a mutant

class Trials:
    def __init__(self, runner, known):
        self.runner = runner
        self.known = known
        self.passes_alone = {}  # (program, tests) → without a mutant
        # A test that reaches few mutants is likely to be about them.
        self.breadth = {(name, test): len(numbers) for name, each in known.items() for test, numbers in each["reached"].items()}
        self.reaching = defaultdict(list)  # mutant → (program, test)
        for name, each in known.items():
            for test, numbers in each["reached"].items():
                for number in numbers:
                    self.reaching[number].append((name, test))

    def milliseconds(self, name, test):
        return self.known[name]["tests"][test]

    def shares(self, number):
        """Lists of (program, tests) in the order in which they are tried: first those that are likely to see the mutant."""
        result = [[]]
        length, total = 0.0, 0.0
        ordered = sorted(self.reaching[number], key=lambda each: (self.breadth[each] * max(5.0, self.milliseconds(*each)), each))
        for name, test in ordered:
            seconds = self.milliseconds(name, test) / 1000
            limit = SHARES[len(result) - 1] if len(result) <= len(SHARES) else LAST_SHARE
            if result[-1] and length + seconds > limit:
                result.append([])
                length = 0.0
            if total + seconds > MOST:
                break
            result[-1].append((name, test))
            length += seconds
            total += seconds
        return [by_program(share) for share in result] + self.whole(number)

    def whole(self, number):
        counts = defaultdict(int)
        for name, _ in self.reaching[number]:
            counts[name] += 1
        short = [name for name, each in self.known.items() if sum(each["tests"].values()) < 1000 * SHORT]
        return [[(name, list(self.known[name]["tests"])) for name in short if 0 < counts[name] <= FEW]]

    def verdict_of(self, number, begin, end):
        """(verdict, by whom, shares tried, shares in all), by the shares begin .. end."""
        shares = self.shares(number)
        reaching = len(self.reaching[number])
        if not reaching:
            return "survived", "reached by no test", len(shares), len(shares)
        for share in shares[begin:end]:
            for name, tests in share:
                by = self.seen_by(name, number, tests)
                if by is not None:
                    return "killed", f"{name}: {by}", len(shares), len(shares)
        done = min(end, len(shares))
        tried = sum(len(tests) for share in shares[: min(done, len(shares) - 1)] for _, tests in share)
        return "survived", f"reached by {reaching} tests" + (f", {tried} of them tried" if tried < reaching else ""), done, len(shares)

    def seen_by(self, name, number, tests):
        """None where the tests pass; else what fails, in a second run too, and passes without the mutant."""
        tests = list(tests)
        while tests:
            failure = self.failure_of(name, number, tests)
            if failure is None:
                return None
            suspects = [test for test in tests if test == failure] or tests
            again = self.failure_of(name, number, suspects, patience=3)
            if again is None and len(suspects) < len(tests):
                suspects = tests
                again = self.failure_of(name, number, suspects, patience=3)
            if again is not None and self.passes(name, suspects):
                return again
            tests = [test for test in tests if test not in suspects]
        return None

    def passes(self, name, tests):
        key = (name, tuple(tests))
        if key not in self.passes_alone:
            self.passes_alone[key] = self.failure_of(name, -1, tests, patience=3) is None
        return self.passes_alone[key]

    def failure_of(self, name, number, tests, patience=1):
        """The test that fails first, or how the program ended."""
        limit = patience * (15 + 8 * sum(self.milliseconds(name, test) for test in tests) / 1000)
        status, output = self.runner.run(name, tests, limit, ASG_MUTANT=str(number), GTEST_FAIL_FAST="1")
        if status == 0:
            return None
        if status is None:
            return "too slow"
        failed = re.search(r"^\[  FAILED  \] (\S+?)(?:,| |$)", output, re.M)
        return failed[1] if failed else f"ended with {status}"


def by_program(tests):
    result = {}
    for name, test in tests:
        result.setdefault(name, []).append(test)
    return list(result.items())


class Verdicts:
    """number → verdict, kept in a file."""

    def __init__(self):
        self.lock = threading.Lock()
        self.written = 0.0
        self.entries = json.loads(VERDICTS.read_text()) if VERDICTS.exists() and TRACE.exists() else {}

    def tried(self, number):
        """How many shares of tests; None where there is nothing left to try."""
        entry = self.entries.get(str(number))
        if entry is None:
            return 0
        return entry["tried"] if entry["verdict"] == "survived" and entry["tried"] < entry["of"] else None

    def note(self, number, verdict, by, tried, of):
        with self.lock:
            self.entries[str(number)] = {"verdict": verdict, "by": by, "tried": tried, "of": of}
            if time.monotonic() - self.written > 5:
                self.save()

    def save(self):
        write(VERDICTS, self.entries)
        self.written = time.monotonic()


def try_all(seconds):
    """Tries what the folder of programs holds, until `seconds` are over. Whether everything was tried."""
    begin = time.monotonic()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    batch = json.loads(BATCH.read_text())
    mutants = {int(number): each for number, each in batch["mutants"].items()}
    runner = Runner(begin + seconds)
    verdicts = Verdicts()
    try:
        known = traced(runner, batch["programs"])
    except OutOfTime:
        print("there was no time to trace all tests", flush=True)
        return False
    trials = Trials(runner, known)
    reached = sum(bool(trials.reaching[number]) for number in mutants)
    print(f"tests reach {reached} of {len(mutants)} mutants (after {time.monotonic() - begin:.0f} s)", flush=True)
    try:
        for end in (FIRST_SHARES, 1000):
            wanted = [number for number in mutants if verdicts.tried(number) is not None and verdicts.tried(number) < end]
            if not try_some(trials, verdicts, mutants, wanted, end):
                break
    finally:
        verdicts.save()
    left = sum(verdicts.tried(number) is not None for number in mutants)
    print(f"{len(mutants) - left} of {len(mutants)} are tried (after {time.monotonic() - begin:.0f} s)", flush=True)
    return left == 0


def try_some(trials, verdicts, mutants, wanted, end):
    """Whether there was time for all."""

    def try_one(number):
        begin = time.monotonic()
        if begin > trials.runner.deadline:
            return False
        try:
            found = trials.verdict_of(number, verdicts.tried(number), end)
        except OutOfTime:
            return False
        verdicts.note(number, *found)
        each = mutants[number]
        place = f"{each['file']}:{each['line']} {each['rule']}: {each['change'][:100]}"
        print(f"{found[0]:8} {time.monotonic() - begin:5.1f} s  {place}  ({found[1]})", flush=True)
        return True

    with ThreadPoolExecutor(JOBS) as pool:
        return all(list(stopping(trials.runner, pool.map(try_one, wanted))))
