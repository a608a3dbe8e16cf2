"""Reads the JSON form of attributes and tensors (docs/json-format.md)."""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

TORCH_DTYPES: dict[str, torch.dtype] = {
    "f32": torch.float32,
    "f64": torch.float64,
    "f16": torch.float16,
    "bf16": torch.bfloat16,
    "i8": torch.int8,
    "i16": torch.int16,
    "i32": torch.int32,
    "i64": torch.int64,
    "u8": torch.uint8,
    "bool": torch.bool,
    # PyTorch 1.13 has no wide unsigned integers: their bits stand in wider signed ones.
    "u16": torch.int64,
    "u32": torch.int64,
    "u64": torch.int64,
}

_NUMPY = {"f32": "<f4", "f64": "<f8", "f16": "<f2", "i8": "<i1", "i16": "<i2", "i32": "<i4", "i64": "<i8"}
_NUMPY |= {"u8": "<u1", "u16": "<u2", "u32": "<u4", "u64": "<i8", "bool": "?", "bf16": "<i2"}
_TYPE = re.compile(r"^(\w+?)(?:\[(.*)\])?$")


@dataclass(frozen=True)
class Value:
    """A tensor and the name of the dtype that ASG gave it."""

    dtype: str
    tensor: Tensor

    @property
    def is_float(self) -> bool:
        return self.dtype in ("f32", "f64", "f16", "bf16")


@dataclass(frozen=True)
class Graph:
    """A graph as an attribute: its JSON."""

    form: dict[str, Any]


def parse_type(text: str) -> tuple[str, list[str]]:
    """"f32[2, n]" → ("f32", ["2", "n"])"""
    found = _TYPE.match(text)
    if found is None:
        raise ValueError(f"not a type: {text}")
    dims = found.group(2)
    return found.group(1), [dim.strip() for dim in dims.split(",")] if dims else []


def read_tensor(form: dict[str, str]) -> Value:
    dtype, dims = parse_type(form["type"])
    data = np.frombuffer(base64.b64decode(form["data"]), dtype=_NUMPY[dtype])
    array = data.reshape([int(dim) for dim in dims]).copy()
    if dtype in ("u16", "u32"):
        array = array.astype(np.int64)
    tensor = torch.from_numpy(array)
    return Value(dtype, tensor.view(torch.bfloat16) if dtype == "bf16" else tensor)


def read_value(form: Any) -> Any:
    """An attribute: numbers, texts and lists as they are, dtypes of torch, tensors as `Value`."""
    if not isinstance(form, dict):
        return form
    (kind, content), *rest = form.items()
    if rest:
        raise ValueError(f"not an attribute: {form}")
    if kind == "tensor":
        return read_tensor(content)
    if kind == "dtype":
        return TORCH_DTYPES[content]
    if kind == "real":
        return float(content.split(":")[0])
    if kind == "graph":
        return Graph(content)
    return content  # an empty list, or a type as text


def read_values(forms: dict[str, Any]) -> dict[str, Any]:
    return {name: read_value(form) for name, form in forms.items()}
