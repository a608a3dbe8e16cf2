"""Which mutants are tried next, and what is known of those that were: a state file that is valid while the code is."""

import hashlib
import json
import re
import subprocess
from pathlib import Path

from mutate.build import HERE, OUT, ROOT
from mutate.rules import candidates_of

STATE = OUT / "state.json"
EQUIVALENT = HERE / "equivalent.txt"
# How often a rule is drawn: numbers and swapped arguments are many, and most of the latter do not compile.
WEIGHTS = {"compare": 4, "arithmetic": 4, "drop": 4, "guard": 3, "logic": 3, "constant": 3, "swap": 2, "negation": 1,
           "name": 2, "ternary": 2, "assign": 1, "return": 1, "named": 1}  # fmt: skip


def folders():
    return sorted(path.name for path in (ROOT / "src").iterdir() if path.is_dir())


def files_of(folder):
    listed = subprocess.run(["git", "ls-files", f"src/{folder}"], cwd=ROOT, capture_output=True, text=True, check=True)
    return [name for name in listed.stdout.split() if name.endswith((".cpp", "-inl.h")) and (ROOT / name).exists()]


def hash_of(*places):
    digest = hashlib.sha256()
    for place in places:
        for path in sorted((ROOT / place).rglob("*")):
            if path.is_file() and path.suffix in (".cpp", ".h", ".cmake", ".json", ".jsonl", ".txt", ".toml"):
                digest.update(str(path.relative_to(ROOT)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def code_of(folder):
    return hash_of(f"src/{folder}", f"include/asg/{folder}")


def record_of(each, text):
    begins = each.line
    change = each.change(text)
    identity = f"{each.file}|{each.function}|{each.rule}|{change}|{each.occurrence}"
    return {
        "key": hashlib.sha256(identity.encode()).hexdigest()[:12],
        "file": each.file,
        "line": begins,
        "last_line": begins + text[each.begin : each.end].count("\n"),
        "function": each.function,
        "rule": each.rule,
        "change": change,
        "occurrence": each.occurrence,
        "begin": each.begin,
        "end": each.end,
        "candidate": each,
    }


class State:
    """Verdicts by key. Those of a folder whose code changed are forgotten."""

    def __init__(self):
        self.entries = json.loads(STATE.read_text()) if STATE.exists() else {}
        self.codes = {folder: code_of(folder) for folder in folders()}
        self.tests = hash_of("tests")
        self.entries = {key: each for key, each in self.entries.items() if each["code"] == self.codes.get(folder_of(each))}

    def save(self):
        STATE.parent.mkdir(parents=True, exist_ok=True)
        STATE.with_suffix(".new").write_text(json.dumps(self.entries, indent=0))
        STATE.with_suffix(".new").replace(STATE)

    def note(self, mutant, verdict, by, tests):
        code = self.codes[folder_of(mutant)]
        self.entries[mutant["key"]] = named(mutant) | {"verdict": verdict, "by": by, "code": code, "tests": tests}


def named(mutant):
    """What tells a mutant to people."""
    return {name: mutant[name] for name in ("file", "line", "function", "rule", "change", "occurrence")}


def folder_of(mutant):
    return mutant["file"].split("/")[1]


# ---- Equivalent ones

def equivalents():
    """(file, function, change) → reason. A line: `file | function | change | reason`."""
    result = {}
    for line in EQUIVALENT.read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            parts = [part.strip() for part in line.split(" | ")]
            if len(parts) != 4:
                raise SystemExit(f"{EQUIVALENT.relative_to(ROOT)}: 4 parts expected: {line}")
            result[tuple(parts[:3])] = parts[3]
    return result


def is_equivalent(entry, known):
    return known.get((entry["file"], entry["function"], entry["change"]))


# ---- Drawing

def drawn(only, seed, count, state, in_all=False):
    """Records of `count` new mutants, over the folders whose name or files `only` finds. With `in_all` those that have a
    verdict count as well."""
    pattern = re.compile(only)
    candidates = {}
    for folder in folders():
        names = [name for name in files_of(folder) if pattern.search(name)]
        found = []
        for name in names:
            text = (ROOT / name).read_text()
            found += [record_of(each, text) for each in candidates_of(name, text)]
        if found:
            candidates[folder] = found
    known = equivalents()
    again = {
        key
        for key, each in state.entries.items()
        if each["verdict"] == "survived" and each["tests"] != state.tests and not is_equivalent(each, known)
    }
    result = []
    for folder, found in candidates.items():
        result += take([each for each in found if each["key"] in again], len(found), set())
    total = sum(len(found) ** 0.5 for found in candidates.values())
    for folder, found in candidates.items():
        share = round(count * len(found) ** 0.5 / total)
        done = [each for each in found if each["key"] in state.entries]
        if in_all:
            share -= sum(state.entries[each["key"]]["verdict"] != "uncompiled" for each in done)
        taken = {(each["file"], line) for each in done + result for line in range(each["line"], each["last_line"] + 1)}
        fresh = [each for each in found if each["key"] not in state.entries]
        result += take(mixed(fresh, seed), share, taken)
    return result


def mixed(found, seed):
    """In a random order in which every rule comes as often as its weight says. A change of the sources moves few."""
    keyed = []
    for rule in WEIGHTS:
        mine = sorted((each for each in found if each["rule"] == rule), key=lambda each: chance(seed, each["key"]))
        keyed += [((place + chance(seed, "place " + each["key"])) / WEIGHTS[rule], each) for place, each in enumerate(mine)]
    return [each for _, each in sorted(keyed, key=lambda pair: pair[0])]


def chance(seed, key):
    """From 0 to 1, the same for the same seed and key."""
    return int(hashlib.sha256(f"{seed} {key}".encode()).hexdigest()[:12], 16) / 16**12


def take(found, count, taken):
    """The first `count`, no two of them on one line: one would stand inside the other."""
    result = []
    for each in found:
        lines = {(each["file"], line) for line in range(each["line"], each["last_line"] + 1)}
        if len(result) < count and not lines & taken:
            taken |= lines
            result.append(each)
    return result


def numbered(records):
    """Number → mutant, with the text that is planted."""
    texts = {}
    mutants = {}
    for number, each in enumerate(records):
        text = texts.setdefault(each["file"], (ROOT / each["file"]).read_text())
        mutant = {name: value for name, value in each.items() if name != "candidate"}
        mutants[number] = mutant | {"planted": each["candidate"].planted(text, number)}
    return mutants
