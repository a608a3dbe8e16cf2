"""Which peers there are on this machine, and how they are had."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

PACKAGE = "onnxruntime-node@1.30.0"


@dataclass(frozen=True)
class OnnxRuntime:
    package: Path
    model: Path


def has_torch() -> bool:
    return importlib.util.find_spec("torch") is not None


def torch_version() -> str:
    """As the Debian package says, "1.13.1+dfsg"; PyTorch's own word is less exact."""
    command = ["dpkg-query", "-W", "-f", "${source:Upstream-Version}", "python3-torch"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return metadata.version("torch")


def _install(folder: Path) -> str | None:
    """Why it could not be had, or None."""
    if shutil.which("npm") is None or shutil.which("node") is None:
        return "node and npm are not installed"
    # Where there is no network it says so soon, instead of trying again for many minutes.
    patience = ["--fetch-retries=1", "--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=5000"]
    quietly = ["--ignore-scripts", "--no-audit", "--no-fund"]
    command = ["npm", "install", *quietly, *patience, "--prefix", str(folder), PACKAGE]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    return None if done.returncode == 0 else "npm could not install it: " + done.stderr.strip().splitlines()[-1]


def _export(model: Path) -> str | None:
    part = model.with_suffix(".part")
    done = subprocess.run(
        [sys.executable, "-m", "bench.export", str(part)], capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        return "PyTorch could not write the model: " + done.stderr.strip().splitlines()[-1]
    part.rename(model)
    return None


def find_onnx_runtime(folder: Path) -> OnnxRuntime | str:
    """ONNX Runtime and the model for it, made where they are missing; or the reason why there is none."""
    folder.mkdir(parents=True, exist_ok=True)
    found = OnnxRuntime(folder / "node_modules" / "onnxruntime-node", folder / "gpt2.onnx")
    problem = None if found.package.exists() else _install(folder)
    if problem is None and not found.model.exists():
        problem = _export(found.model)
    return problem or found
