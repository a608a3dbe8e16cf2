"""Adapters, a file for each family of ops. All of them are loaded by their names; there is no list to keep."""

from __future__ import annotations

import importlib
import pkgutil


def load() -> None:
    importlib.import_module("peers.formulas")
    for module in pkgutil.iter_modules(__path__):
        importlib.import_module(f"{__name__}.{module.name}")
