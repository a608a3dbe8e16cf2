"""make mutate [ONLY=<regular expression>] [COUNT=<mutants>] [SEED=<number>]: see docs/testing.md."""

import argparse
import time
from concurrent.futures import ThreadPoolExecutor

from mutate import batch, report, trial
from mutate.build import JOBS, OUT, Build, Tree


def main():
    parser = argparse.ArgumentParser(prog="mutate", description=__doc__)
    parser.add_argument("--only", default=".", help="regular expression for src/<folder>/<file>")
    parser.add_argument("--count", type=int, default=60, help="new mutants; 0 tries survivors again where tests changed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tests", default=".", help="regular expression for the test programs that are run")
    parser.add_argument("--report", action="store_true", help="only rewrites the table of docs/testing.md")
    parser.add_argument("--list", action="store_true", help="only prints the mutants that would be planted")
    arguments = parser.parse_args()
    state = batch.State()
    if arguments.report:
        report.write_page(state)
        return
    records = batch.drawn(arguments.only, arguments.seed, arguments.count, state)
    if arguments.list:
        for each in records:
            print(f"{each['file']}:{each['line']} [{each['function']}] {each['rule']}: {each['change']}")
        return
    if records:
        try_all(batch.numbered(records), state, arguments.tests)
    finish(state)


def try_all(mutants, state, tests):
    begin = time.monotonic()
    OUT.mkdir(exist_ok=True)
    build = Build(Tree(), mutants)
    build.write_sources()
    build.compile_all()
    planted = {number: each for number, each in mutants.items() if not each.get("dropped")}
    for each in mutants.values():
        if each.get("dropped"):
            state.note(each, "uncompiled", "the compiler")
    print(f"{len(planted)} mutants compile, {len(mutants) - len(planted)} do not ({since(begin)})", flush=True)
    paths = build.link_all(tests)
    print(f"{len(paths)} programs are linked ({since(begin)})", flush=True)
    with ThreadPoolExecutor(JOBS) as pool:
        programs = list(pool.map(trial.traced, paths))
    reached = set().union(*(program.reached for program in programs))
    print(f"tests reach {len(reached)} of the mutants ({since(begin)})", flush=True)

    def try_one(number):
        return number, *trial.verdict_of(number, programs)

    with ThreadPoolExecutor(JOBS) as pool:
        for count, (number, verdict, by) in enumerate(pool.map(try_one, planted), 1):
            each = planted[number]
            state.note(each, verdict, by, tests=None if tests == "." else "some")
            print(f"{count}/{len(planted)} {verdict:8} {each['file']}:{each['line']} {each['rule']}: {each['change'][:100]}  ({by})", flush=True)


def since(begin):
    return f"after {time.monotonic() - begin:.0f} s"


def finish(state):
    for line in report.survivors_of(state):
        print(line)
    print(report.table_of(state))


if __name__ == "__main__":
    main()
