"""Normalisations."""

from __future__ import annotations

import numpy as np

from peers.call import Call, formula


def _rms(x: np.ndarray, scale: np.ndarray, axis: int, epsilon: float) -> np.ndarray:
    axes = tuple(range(axis % x.ndim, x.ndim))
    return x / np.sqrt(np.mean(x * x, axis=axes, keepdims=True) + epsilon) * scale


@formula("RMSNormalization")
def rms_normalization(call: Call) -> np.ndarray:
    return _rms(call.x, call[1], call.attrs["axis"], call.attrs["epsilon"])


@formula("nn.RMSNorm")
def rms_norm(call: Call) -> np.ndarray:
    return _rms(call.x, call.variables["scale"], call.attrs.get("axis", -1), call.attrs["epsilon"])


@formula("MeanVarianceNormalization")
def mean_variance(call: Call) -> np.ndarray:
    axes = tuple(call.attrs["axes"])
    centred = call.x - call.x.mean(axis=axes, keepdims=True)
    return centred / (np.sqrt((centred * centred).mean(axis=axes, keepdims=True)) + 1e-9)


@formula("LRN")
def local_response(call: Call) -> np.ndarray:
    attrs, x = call.attrs, call.x
    size, channels = attrs["size"], x.shape[1]
    sums = np.zeros_like(x)
    for channel in range(channels):
        first = max(0, channel - (size - 1) // 2)
        last = min(channels - 1, channel + size // 2)
        sums[:, channel] = (x[:, first : last + 1] ** 2).sum(axis=1)
    return x / (attrs["bias"] + attrs["alpha"] / size * sums) ** attrs["beta"]
