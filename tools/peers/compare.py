"""The measure: max |a − b| / max(1, max |b|) for each tensor, and what it may be."""

from __future__ import annotations

import math

import numpy as np
import torch
from torch import Tensor

from peers.values import Value

# Half floats differ by the rounding of their last bit.
BOUNDS = {"f64": 1e-12, "f32": 1e-5, "f16": 1e-3, "bf16": 8e-3}


def bound_of(dtype: str) -> float:
    """Integers and truth values must be equal."""
    return BOUNDS.get(dtype, 0.0)


def _as_array(tensor: Tensor) -> np.ndarray:
    tensor = tensor.detach()
    return tensor.double().numpy() if tensor.is_floating_point() else tensor.numpy()


def difference(ours: Value, peers: Tensor) -> float:
    """Infinite where the shapes, the kinds of numbers, the NaNs or the infinities are not the same."""
    if list(ours.tensor.shape) != list(peers.shape) or ours.is_float != peers.is_floating_point():
        return math.inf
    a, b = _as_array(ours.tensor), _as_array(peers)
    if not ours.is_float:
        return 0.0 if np.array_equal(a, b.astype(a.dtype)) else math.inf
    regular = np.isfinite(b)
    if not np.array_equal(np.isfinite(a), regular) or not np.array_equal(a[~regular], b[~regular], equal_nan=True):
        return math.inf
    if not regular.any():
        return 0.0
    scale = max(1.0, float(np.abs(b[regular]).max()))
    return float(np.abs(a[regular] - b[regular]).max()) / scale


def zeros_like(value: Value) -> Tensor:
    return torch.zeros_like(value.tensor)
