"""Loads all adapters and formulas by the names of their files; there is no list to keep."""

from __future__ import annotations

import importlib
import pkgutil

from peers import families, formulas


def load() -> None:
    for package in (families, formulas):
        for module in pkgutil.iter_modules(package.__path__):
            importlib.import_module(f"{package.__name__}.{module.name}")
