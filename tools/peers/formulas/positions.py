"""Codes of positions."""

from __future__ import annotations

import numpy as np

from peers.call import Call, formula


def _positions(call: Call, length: int) -> np.ndarray:
    return np.arange(length) + (0 if call.get(1) is None else int(call[1]))


def _angles(call: Call) -> np.ndarray:
    """[length, width / 2]"""
    length, width = call.x.shape[-2:]
    rates = call.attrs["base"] ** (-2.0 * np.arange(width // 2) / width)
    return np.outer(_positions(call, length), rates)


@formula("nn.SinusoidalPosition")
def sinusoidal(call: Call) -> np.ndarray:
    angles = _angles(call)
    codes = np.zeros(call.x.shape[-2:])
    codes[:, 0::2] = np.sin(angles)
    codes[:, 1::2] = np.cos(angles)
    return call.x + codes


@formula("nn.RotaryPosition")
def rotary(call: Call) -> np.ndarray:
    """Pairs of features as complex numbers in two arrays, turned by the angle of their position."""
    x, angles = call.x, _angles(call)
    half = x.shape[-1] // 2
    if call.attrs["interleaved"]:
        first, second = slice(0, None, 2), slice(1, None, 2)
    else:
        first, second = slice(0, half), slice(half, None)
    y = np.empty_like(x)
    y[..., first] = np.cos(angles) * x[..., first] - np.sin(angles) * x[..., second]
    y[..., second] = np.sin(angles) * x[..., first] + np.cos(angles) * x[..., second]
    return y


@formula("nn.LearnedPosition")
def learned(call: Call) -> np.ndarray:
    return call.x + call.variables["weight"][_positions(call, call.x.shape[-2])]


def slopes(heads: int) -> list[float]:
    """As in the paper: a geometric series for powers of two, else interleaved with that of the next power."""
    power = 2 ** int(np.floor(np.log2(heads)))
    slopes = [2.0 ** (-8.0 * (k + 1) / power) for k in range(power)]
    if power < heads:
        slopes += [2.0 ** (-8.0 * (k + 1) / (2 * power)) for k in range(2 * power)][0::2][: heads - power]
    return slopes


@formula("nn.AlibiBias")
def alibi(call: Call) -> np.ndarray:
    heads, rows, columns = call.x.shape[-3:]
    distance = np.abs(_positions(call, rows)[:, None] - np.arange(columns)[None, :])
    return call.x - np.array(slopes(heads))[:, None, None] * distance
