"""make mutate-compiler [GRAPHS=<count>] [SEED=<number>]: plants the mistakes of compiler_mistakes.toml in the passes over
programs, one at a time, and runs the differential test of the compiler on each; see docs/testing.md. --prepare and --try
are the two halves: what the first one makes can be tried on a machine without sources and compiler."""

import argparse
import hashlib
import json
import os
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor

# A folder of its own: both kinds of runs may go on at the same time.
os.environ.setdefault("MUTATE_OUT", "build-mutate-compiler")

from mutate.batch import hash_of
from mutate.build import HERE, JOBS, OUT, PROGRAMS, ROOT, Build, Tree
from mutate.report import write_section

MISTAKES = HERE / "compiler_mistakes.toml"
PREPARED = OUT / "prepared.json"
STATE = OUT / "compiler.json"
SECTION = "compiler mistakes"
WORST = 1800.0  # seconds for all graphs of one mistake
NO_PROGRAM = "(?!)"  # of the tests: only asg itself is linked


def place_of(mistake, text):
    """Where `before` begins in the text of the file."""
    within = mistake.get("within", mistake["before"])
    if text.count(within) != 1 or within.count(mistake["before"]) != 1:
        raise SystemExit(f"{mistake['file']}: not there exactly once, of '{mistake['about']}': {within}")
    return text.index(within) + within.index(mistake["before"])


def planted(mistake, number):
    before, after = mistake["before"], mistake["after"]
    if before.endswith(";"):
        return f"if (::asg_mutant::on({number})) {{ {after} }} else {{ {before} }}"
    return f"(::asg_mutant::on({number}) ? ({after}) : ({before}))"


def mutants():
    import tomllib  # trying mistakes needs no Python that has it

    result = {}
    for number, mistake in enumerate(tomllib.loads(MISTAKES.read_text())["mistake"]):
        text = (ROOT / mistake["file"]).read_text()
        begin = place_of(mistake, text)
        line = text.count("\n", 0, begin) + 1
        result[number] = mistake | {
            "begin": begin,
            "end": begin + len(mistake["before"]),
            "line": line,
            "last_line": line + mistake["before"].count("\n"),
            "planted": planted(mistake, number),
            "key": hashlib.sha256(repr(sorted(mistake.items())).encode()).hexdigest()[:12],
        }
    return result


def environment(number, place):
    kept = {name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH") if name in os.environ}
    return kept | {"ASG_MUTANT": str(number), "TMPDIR": str(place)}


def run_check(number, seed, graphs):
    """What ended the check: None when all graphs agree, else (who found it, at which graph, words)."""
    command = [str(PROGRAMS / "asg"), "check", "compiler", "--seed", str(seed), "--count", str(graphs)]
    command += ["--fail-fast", "--no-reduce", "--print-numbers"]
    place = OUT / "tmp" / f"compiler-{number}"
    place.mkdir(parents=True, exist_ok=True)
    try:
        result = subprocess.run(
            command, cwd=place, capture_output=True, timeout=WORST, env=environment(number, place)
        )  # fmt: skip
        output, code = result.stdout.decode(errors="replace"), result.returncode
    except subprocess.TimeoutExpired as ended:
        output, code = (ended.stdout or b"").decode(errors="replace"), "no end"
    if code == 0:
        return None
    numbers = re.findall(r"^graph (\d+)$", output, re.M)
    at = int(numbers[-1]) if numbers else 0
    failure = re.search(r"^graph (\d+), (.*?):\n(.*)$", output, re.M)
    if code != 1 or failure is None:
        return "crash", at, f"ended with {code}"
    words = failure[3]
    rule = re.search(r"after the pass '(\w+)' the program breaks the rule '(\w+)'", words)
    if rule:
        return "verifier", int(failure[1]), f"`{rule[2]}` after `{rule[1]}`"
    return ("internal check" if words.startswith("internal error") else "difference"), int(failure[1]), words[:100]


def table_of(rows, graphs):
    found = sum(row["found"] != "not found" for row in rows)
    rules = sorted({rule for row in rows if row["found"] == "verifier" for rule in re.findall(r"^`(\w+)`", row["how"])})
    lines = [f"{found} of {len(rows)} are found, within {graphs:,} graphs each. Rules of the verifier that find one: {', '.join(rules)}.", ""]
    lines += ["| pass | mistake | found by | graph | how |", "|---|---|---|--:|---|"]
    for row in rows:
        how = row["how"] if row["found"] == "verifier" else ""
        lines.append(f"| {row['pass']} | {row['about']} | {row['found']} | {row['graph']} | {how} |")
    return "\n".join(lines)


class State:
    """What was found, while neither the code nor the number of graphs changes."""

    def __init__(self, code):
        self.code = code
        known = json.loads(STATE.read_text()) if STATE.exists() else {}
        self.rows = known.get("rows", {}) if known.get("code") == code else {}

    def note(self, key, row):
        self.rows[key] = row
        STATE.parent.mkdir(parents=True, exist_ok=True)
        STATE.with_suffix(".new").write_text(json.dumps({"code": self.code, "rows": self.rows}, indent=0))
        STATE.with_suffix(".new").replace(STATE)


def main():
    parser = argparse.ArgumentParser(prog="mutate.compiler", description=__doc__)
    parser.add_argument("--graphs", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--report", action="store_true", help="rewrites the table of docs/testing.md too")
    halves = parser.add_mutually_exclusive_group()
    halves.add_argument("--prepare", action="store_true", help="only compiles the program with all mistakes")
    halves.add_argument("--try", dest="only_try", action="store_true", help="only runs the program that was prepared")
    arguments = parser.parse_args()
    if arguments.prepare:
        return prepare()
    plan = json.loads(PREPARED.read_text()) if arguments.only_try else plan_of(mutants())
    state = State(f"{plan['code']} {arguments.seed} {arguments.graphs}")
    if any(each["key"] not in state.rows for each in plan["mistakes"]):
        if not arguments.only_try:
            prepare()
        try_all(plan, state, arguments)
    rows = [state.rows[each["key"]] for each in plan["mistakes"]]
    table = table_of(rows, arguments.graphs)
    print(table)
    if arguments.report:
        write_section(SECTION, table)
    raise SystemExit(any(row["found"] == "not found" for row in rows))


def plan_of(all_mutants):
    """What is known of the mistakes without the sources."""
    mistakes = [{"number": number} | {name: each[name] for name in ("key", "pass", "about")} for number, each in all_mutants.items()]
    return {"code": hash_of("src", "include", "apps"), "mistakes": mistakes}


def prepare():
    all_mutants = mutants()
    OUT.mkdir(exist_ok=True)
    build = Build(Tree(), all_mutants)
    build.write_sources()
    build.compile_all()
    dropped = [f"{each['file']}:{each['line']} {each['about']}" for each in all_mutants.values() if each.get("dropped")]
    if dropped:
        raise SystemExit("these do not compile:\n" + "\n".join(dropped))
    build.link_all(NO_PROGRAM)
    PREPARED.write_text(json.dumps(plan_of(all_mutants), indent=0))


def try_all(plan, state, arguments):
    def try_one(number):
        return run_check(number, arguments.seed, arguments.graphs)

    with ThreadPoolExecutor(JOBS) as pool:
        without = pool.submit(try_one, -1)
        runs = [(row, pool.submit(try_one, row["number"])) for row in plan["mistakes"] if row["key"] not in state.rows]
        for row, run in runs:
            found, graph, how = run.result() or ("not found", "", "")
            state.note(row["key"], {"pass": row["pass"], "about": row["about"], "found": found, "graph": graph, "how": how})
            print(f"{row['pass']}: {row['about']}: {found} {graph} {how}", flush=True)
        ended = without.result()
    if ended is not None:
        STATE.unlink(missing_ok=True)
        raise SystemExit(f"without a mistake, graph {ended[1]} of seed {arguments.seed} fails: {ended[2]}")


if __name__ == "__main__":
    main()
