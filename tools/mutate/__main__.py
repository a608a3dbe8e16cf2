"""make mutate [ONLY=<regular expression>] [COUNT=<mutants>] [SEED=<number>]: see docs/testing.md."""

import argparse
import json
import time

from mutate import batch, pack, report, trial
from mutate.build import OUT, Build, Tree

FOR_EVER = 1e9


def main():
    parser = argparse.ArgumentParser(prog="mutate", description=__doc__)
    parser.add_argument("--only", default=".", help="regular expression for src/<folder>/<file>")
    parser.add_argument("--count", type=int, default=60, help="new mutants; 0 tries survivors again where tests changed")
    parser.add_argument("--in-all", action="store_true", help="mutants that have a verdict are part of the count")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tests", default=".", help="regular expression for the test programs that are run")
    parser.add_argument("--prepare", action="store_true", help="only compiles and links")
    parser.add_argument("--pack", metavar="FILE", help="only packs what was prepared, for --try on another machine: see pack.py")
    parser.add_argument("--try", action="store_true", dest="only_try", help="only runs what was prepared")
    parser.add_argument("--seconds", type=float, default=FOR_EVER, help="of trying; the rest stays for the next time")
    parser.add_argument("--merge", action="store_true", help="only takes over verdicts of another machine")
    parser.add_argument("--report", action="store_true", help="only rewrites the table of docs/testing.md")
    parser.add_argument("--list", action="store_true", help="only prints the mutants that would be planted")
    arguments = parser.parse_args()
    if arguments.only_try:
        raise SystemExit(not trial.try_all(arguments.seconds))
    if arguments.pack:
        pack.pack(arguments.pack)
        return
    state = batch.State()
    merge(state)
    if arguments.merge:
        finish(state)
        return
    if arguments.report:
        report.write_page(state)
        return
    records = batch.drawn(arguments.only, arguments.seed, arguments.count, state, arguments.in_all)
    if arguments.list:
        for each in records:
            print(f"{each['file']}:{each['line']} [{each['function']}] {each['rule']}: {each['change']}")
        return
    if records:
        prepare(batch.numbered(records), state, arguments.tests)
    if arguments.prepare:
        return
    if records:
        trial.try_all(arguments.seconds)
        merge(state)
    finish(state)


def prepare(mutants, state, tests):
    """Compiles and links the mutants, and writes down beside the programs what they are."""
    begin = time.monotonic()
    OUT.mkdir(exist_ok=True)
    trial.forget()
    build = Build(Tree(), mutants)
    build.write_sources()
    build.compile_all()
    planted = {number: each for number, each in mutants.items() if not each.get("dropped")}
    for each in mutants.values():
        if each.get("dropped"):
            state.note(each, "uncompiled", "the compiler", state.tests)
    state.save()
    print(f"{len(planted)} mutants compile, {len(mutants) - len(planted)} do not (after {time.monotonic() - begin:.0f} s)", flush=True)
    programs = build.link_all(tests)
    print(f"{len(programs)} programs are linked (after {time.monotonic() - begin:.0f} s)", flush=True)
    trial.write(trial.BATCH, {
        "mutants": {number: batch.named(each) | {"key": each["key"]} for number, each in planted.items()},
        "programs": programs,
        "codes": state.codes,
        "tests": state.tests if tests == "." else "some",
    })  # fmt: skip


def merge(state):
    """Takes the verdicts of what was prepared last, where the code is still the same."""
    if not (trial.BATCH.exists() and trial.VERDICTS.exists()):
        return
    prepared = json.loads(trial.BATCH.read_text())
    for number, entry in json.loads(trial.VERDICTS.read_text()).items():
        mutant = prepared["mutants"][number]
        folder = batch.folder_of(mutant)
        if prepared["codes"][folder] == state.codes.get(folder):
            state.note(mutant, entry["verdict"], entry["by"], prepared["tests"])
    state.save()


def finish(state):
    for line in report.survivors_of(state):
        print(line)
    print(report.table_of(state))


if __name__ == "__main__":
    main()
