"""The mutated build: copies of the sources with all mutants of a batch in them, compiled and linked into one library that
asg and the test programs share. What has no mutant comes from the plain build."""

import json
import os
import re
import shlex
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PLAIN = ROOT / "build"
OUT = ROOT / os.environ.get("MUTATE_OUT", "build-mutate")
PROGRAMS = OUT / "programs"  # asg, tests/, lib/: all that trying needs beside the tree
LIBRARY = PROGRAMS / "lib" / "libasg_mutated.so"
HERE = Path(__file__).resolve().parent
# Assertions of the standard library find accesses beyond a vector, as the sanitizers do for the whole tree.
# Objects of tests that are compiled anew: the one starts the program with mutants, the other takes 10 minutes with all cases.
ANEW = {"test_end_to_end": [f'-DASG_PROGRAM="{PROGRAMS}/asg"'], "test_random": ["-DASG_FEW_CASES"]}
FLAGS = ["-O1", "-w", "-Werror=vla", "-D_GLIBCXX_ASSERTIONS", "-fmax-errors=0"]
JOBS = int(os.environ.get("JOBS", os.cpu_count() or 2))


def ninja_commands(*targets):
    arguments = ["ninja", "-C", str(PLAIN), "-t", "commands", *targets]
    return subprocess.run(arguments, capture_output=True, text=True, check=True).stdout.splitlines()


class Tree:
    """What the plain build says of units, libraries and programs."""

    def __init__(self):
        self.units = {}  # object file → its compile command
        for entry in json.loads((PLAIN / "compile_commands.json").read_text()):
            words = shlex.split(entry["command"])
            if "-o" in words:
                self.units[words[words.index("-o") + 1]] = (entry["file"], words)
        self.sources = {name: self.sources_of(Path(unit)) for name, (unit, _) in self.units.items()}
        lines = ninja_commands()
        self.archives = {}  # library → its objects
        self.links = {}  # program → its link command
        for line in lines:
            match = re.search(r"\bqc (\S+\.a)\s+(.*?) && ", line)
            if match:
                self.archives[match[1]] = match[2].split()
            match = re.search(r"^: && (\S+/)?[gc]\+\+ .* -o (tests/test_\w+|asg)\s", line)
            if match:
                self.links[match[2]] = line
        self.includes = {}

    @staticmethod
    def sources_of(unit):
        """The files of the project that a unit is made of, seen from the root."""
        sources = [unit] if unit.is_relative_to(ROOT / "src") else []
        if unit.exists():
            for path in re.findall(r'#include "(/[^"]+\.cpp)"', unit.read_text(errors="replace")):
                sources.append(Path(path))
        return {str(path.relative_to(ROOT)) for path in sources if path.is_relative_to(ROOT)}

    def included_by(self, name):
        """Headers of src that a source includes, directly or not."""
        if name not in self.includes:
            self.includes[name] = set()
            found = set()
            path = ROOT / name
            for text in re.findall(r'#include "([^"]+)"', path.read_text()) if path.exists() else []:
                for place in (path.parent / text, ROOT / "src" / text):
                    if place.exists():
                        header = str(place.resolve().relative_to(ROOT))
                        found |= {header} | self.included_by(header)
                        break
            self.includes[name] = found
        return self.includes[name]

    def objects_of(self, name):
        """Objects that hold the code of a source; of a header those of its own folder."""
        folder = "/".join(name.split("/")[:2])
        result = []
        for target, sources in self.sources.items():
            for source in sources:
                if source == name or (source.startswith(folder) and name.endswith(".h") and name in self.included_by(source)):
                    result.append(target)
                    break
        return result


def run(words, cwd=PLAIN):
    return subprocess.run(words, cwd=cwd, capture_output=True, text=True)


class Build:
    def __init__(self, tree, mutants):
        self.tree = tree
        self.mutants = mutants  # number → mutant, see batch.py
        self.objects = {}  # object of the plain build → ours

    # ---- Sources

    def write_sources(self):
        shutil.copytree(ROOT / "src", OUT / "src", dirs_exist_ok=True)
        for name in {each["file"] for each in self.mutants.values()}:
            self.write_source(name)

    def write_source(self, name):
        """One file with all its mutants. The last comes first, so that the places of the others stay."""
        text = (ROOT / name).read_text()
        mine = [(number, each) for number, each in self.mutants.items() if each["file"] == name and not each.get("dropped")]
        for _, each in sorted(mine, key=lambda pair: -pair[1]["begin"]):
            text = text[: each["begin"]] + each["planted"] + text[each["end"] :]
        (OUT / name).parent.mkdir(parents=True, exist_ok=True)
        (OUT / name).write_text(text)

    # ---- Objects

    def compile_all(self):
        self.drop(lambda each: not self.tree.objects_of(each["file"]))
        header = self.compile_header()
        wanted = set()
        for name in {each["file"] for each in self.mutants.values() if not each.get("dropped")}:
            wanted |= set(self.tree.objects_of(name))
        with ThreadPoolExecutor(JOBS) as pool:
            results = list(pool.map(lambda target: self.compile_unit(target, header), sorted(wanted)))
        for target, path in results:
            if path is not None:
                self.objects[target] = path

    def compile_header(self):
        """The precompiled header once more, with our flags."""
        for target, (unit, words) in self.tree.units.items():
            if target.endswith("asg_pch.dir/cmake_pch.hxx.gch"):
                path = OUT / "pch" / "cmake_pch.hxx"
                made = path.with_name(path.name + ".gch")
                path.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(Path(unit).with_suffix(""), path)
                command = [word for word in words if word not in ("-Werror", "-O2")]
                at = command.index("-include")
                del command[at : at + 2]
                command[command.index("-o") + 1] = str(made)
                command[command.index("-c") + 1] = str(path)
                if not made.exists():
                    result = run([*command, *FLAGS])
                    if result.returncode:
                        raise RuntimeError(result.stderr)
                return path
        return None

    def command_of(self, target, header):
        unit, words = self.tree.units[target]
        copy = OUT / "units" / (re.sub(r"\W", "_", target) + ".cpp")
        path = Path(unit)
        if path.is_relative_to(ROOT / "src"):
            copy = OUT / path.relative_to(ROOT)
        else:
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text(path.read_text().replace(f'"{ROOT}/src/', f'"{OUT}/src/'))
        command = [word.replace(f"-I{ROOT}/src", f"-I{OUT}/src") for word in words if word not in ("-Werror", "-O2", "-Winvalid-pch")]
        if header is not None and "-include" in command:
            command[command.index("-include") + 1] = str(header)
        made = OUT / "objects" / target
        made.parent.mkdir(parents=True, exist_ok=True)
        command[command.index("-o") + 1] = str(made)
        command[command.index("-c") + 1] = str(copy)
        return [*command, "-include", str(HERE / "mutant.h"), *FLAGS], made

    def compile_unit(self, target, header):
        """Compiles until the mutants that do not compile are out of it."""
        for _ in range(12):
            command, made = self.command_of(target, header)
            result = run(command)
            if result.returncode == 0:
                return target, made
            if not self.drop_failing(target, result.stderr):
                print(f"does not compile: {target}\n{result.stderr[:3000]}", flush=True)
                break
        self.drop(lambda each: target in self.tree.objects_of(each["file"]))
        return target, None

    def drop_failing(self, target, errors):
        """Drops the mutants on lines with errors; where there are none on such a line, those of the file nearest to it."""
        places = set()
        for path, line in re.findall(r"^(?:In file included from )?(/\S+?):(\d+):\d+: (?:fatal )?error", errors, re.M):
            if Path(path).is_relative_to(OUT):
                places.add((str(Path(path).relative_to(OUT)), int(line)))
        for path, line in re.findall(r"(/\S+?):(\d+):\d+:\s+required from", errors):
            if Path(path).is_relative_to(OUT):
                places.add((str(Path(path).relative_to(OUT)), int(line)))
        on_lines = self.drop(lambda each: any(each["file"] == name and each["line"] <= line <= each["last_line"] for name, line in places))
        if on_lines:
            return on_lines
        near = self.drop(lambda each: any(each["file"] == name and abs(each["line"] - line) < 30 for name, line in places))
        return near or self.drop(lambda each: any(each["file"] == name for name, _ in places))

    def drop(self, is_bad):
        """How many were dropped; their files are written anew."""
        bad = [each for each in self.mutants.values() if not each.get("dropped") and is_bad(each)]
        for each in bad:
            each["dropped"] = True
        for name in {each["file"] for each in bad}:
            self.write_source(name)
        return len(bad)

    # ---- Programs

    def link_all(self, wanted):
        """The library, asg, and the test programs whose name the regular expression finds; gives the names of the latter."""
        runtime, listener = self.compile_runtime()
        self.link_library(runtime)
        (PROGRAMS / "tests").mkdir(parents=True, exist_ok=True)
        tests = [name for name in self.tree.links if name != "asg" and re.search(wanted, name)]
        with ThreadPoolExecutor(JOBS) as pool:
            for result in pool.map(lambda name: self.link(name, listener), ["asg", *tests]):
                check(result)
        return sorted(Path(name).name for name in tests)

    def compile_runtime(self):
        made = []
        for name in ("mutant", "listener"):
            path = OUT / "objects" / f"{name}.o"
            path.parent.mkdir(parents=True, exist_ok=True)
            check(run(["g++", "-std=c++20", "-O2", "-fPIC", "-c", str(HERE / f"{name}.cpp"), "-o", str(path)]))
            made.append(str(path))
        return made

    def link_library(self, runtime):
        """All objects of src. Its functions call each other and not the copies that a test has of an inline one."""
        LIBRARY.parent.mkdir(parents=True, exist_ok=True)
        members = [member for library, own in self.tree.archives.items() if is_of_src(library) for member in own]
        objects = [runtime, *(str(self.objects.get(member, member)) for member in members)]
        words = self.link_words("asg")
        system = [word for word in words[words.index("-o") + 2 :] if not is_of_src(word) and not word.endswith(".o")]
        check(run(["g++", "-shared", "-s", "-o", str(LIBRARY), "-Wl,-Bsymbolic-functions", *RUN_PATH, *objects, *system]))

    def link_words(self, name):
        return shlex.split(self.tree.links[name].split(" && ")[1])

    def link(self, name, listener):
        words = [self.own_object(word) if word.endswith(".o") else word for word in self.link_words(name)]
        at = words.index("-o")
        words[at + 1] = str(PROGRAMS / name)
        first = next(k for k, word in enumerate(words) if is_of_src(word))
        words[first:first] = [str(LIBRARY)]
        words = [word for word in words if not is_of_src(word)]
        return run([*words[:at], *([] if name == "asg" else [listener]), *words[at:], "-s", *RUN_PATH])

    def own_object(self, member):
        """The object of a test, compiled anew where it needs other definitions."""
        folder = re.search(r"(test_\w+)\.dir", member)
        if member not in self.tree.units or folder is None or folder[1] not in ANEW:
            return member
        definitions = ANEW[folder[1]]
        made = OUT / "objects" / member
        if not made.exists() or made.stat().st_mtime < (PLAIN / member).stat().st_mtime:
            made.parent.mkdir(parents=True, exist_ok=True)
            names = {each.split("=")[0] for each in definitions}
            command = [word for word in self.tree.units[member][1] if word.split("=")[0] not in names]
            command[command.index("-o") + 1] = str(made)
            check(run([*command, *definitions, "-Wno-error"]))
        return str(made)


# The older kind of path, which libraries of libraries are found by as well.
RUN_PATH = ["-Wl,--disable-new-dtags", "-Wl,-rpath,$ORIGIN/lib:$ORIGIN/../lib:$ORIGIN"]


def is_of_src(word):
    return word.startswith("src/") and word.endswith(".a")


def check(result):
    if result.returncode:
        raise RuntimeError(f"{' '.join(map(str, result.args))[:500]}\n{result.stderr[-3000:]}")
