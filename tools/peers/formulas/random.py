"""Random ops: which numbers they draw is defined by docs/numbers.md, so no other system draws the same."""

from __future__ import annotations

import math

import numpy as np

from peers.call import Call, formula
from peers.philox import RandomStream


def _stream(call: Call, first: int) -> RandomStream:
    """Seed and step are the inputs from `first` on."""
    return RandomStream(int(call[first]), call.stream, int(call[first + 1]))


@formula("Dropout")
def dropout(call: Call) -> list[np.ndarray]:
    x, ratio = call.x, call.attrs["ratio"]
    kept = _stream(call, 1).uniform(x.size).reshape(x.shape) >= ratio
    scale = 1 / (1 - ratio) if ratio < 1 else 0.0
    return [np.where(kept, x * scale, 0), kept]


@formula("Bernoulli")
def bernoulli(call: Call) -> np.ndarray:
    drawn = _stream(call, 1).uniform(call.x.size).reshape(call.x.shape)
    return np.where(np.isnan(call.x), np.nan, drawn < call.x)


@formula("RandomUniform", "RandomUniformLike")
def uniform(call: Call) -> np.ndarray:
    like = call.op.endswith("Like")
    shape = call.x.shape if like else tuple(call.attrs["shape"])
    low, high = call.attrs["low"], call.attrs["high"]
    drawn = _stream(call, 1 if like else 0).uniform(math.prod(shape)).reshape(shape)
    return low + (high - low) * drawn


@formula("RandomNormal", "RandomNormalLike")
def normal(call: Call) -> np.ndarray:
    like = call.op.endswith("Like")
    shape = call.x.shape if like else tuple(call.attrs["shape"])
    drawn = _stream(call, 1 if like else 0).normal(math.prod(shape)).reshape(shape)
    return call.attrs["mean"] + call.attrs["scale"] * drawn
