"""Packs the tree and the programs of the mutated build, so that they can be tried on a machine with more cores:

    PYTHONPATH=tools python3 -m mutate --prepare
    PYTHONPATH=tools python3 -m mutate --pack mutants.tar.xz
    tar -xf mutants.tar.xz -C / && cd <the same folder> && PYTHONPATH=tools python3 -m mutate --try      # over there
    PYTHONPATH=tools python3 -m mutate --merge      # here, with programs/verdicts.json from there

Paths are compiled into the tests, so the tree stands at the same place on both. The C and C++ libraries must be there."""

import re
import shutil
import subprocess
import tarfile
from pathlib import Path

from mutate.build import PROGRAMS, ROOT

# Libraries that every machine has, and that must fit its kernel and its loader.
OF_THE_SYSTEM = re.compile(r"^(linux-vdso|ld-linux|libc|libm|libstdc\+\+|libgcc_s|libpthread|libdl|librt)[-.]")
# Pictures and pages, which no test program reads.
OF_THE_PAGES = re.compile(r"web/|docs/.*\.png$")
# Data outside of the tree: packages of Debian that tests read.
DATA = [Path("/usr/share/libonnx-testdata/data") / name for name in ("node", "simple", "pytorch-converted", "pytorch-operator")]


def pack(path):
    copy_libraries()
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True)
    files = [ROOT / name for name in listed.stdout.splitlines() if (ROOT / name).exists() and not OF_THE_PAGES.match(name)]
    with tarfile.open(path, "w:xz") as archive:
        for each in [*files, PROGRAMS, *(folder for folder in DATA if folder.exists())]:
            archive.add(each)
    print(f"{path}: {Path(path).stat().st_size / 1e6:.1f} MB")


def copy_libraries():
    for program in [PROGRAMS / "asg", *sorted((PROGRAMS / "tests").iterdir())]:
        listed = subprocess.run(["ldd", str(program)], capture_output=True, text=True, check=True).stdout
        for name, place in re.findall(r"^\s*(\S+) => (/\S+)", listed, re.M):
            if not OF_THE_SYSTEM.match(name) and not (PROGRAMS / "lib" / name).exists():
                shutil.copy(Path(place).resolve(), PROGRAMS / "lib" / name)
