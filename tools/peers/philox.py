"""The random numbers of docs/numbers.md in NumPy: Philox 4x32-10, a function of (seed, stream, step, position)."""

from __future__ import annotations

import numpy as np

_MASK = (1 << 64) - 1
_GOLDEN = 0x9E3779B97F4A7C15


def _mix(value: int) -> int:
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9 & _MASK
    value = (value ^ (value >> 27)) * 0x94D049BB133111EB & _MASK
    return value ^ (value >> 31)


def combine(stream: int, part: int) -> int:
    return _mix(((_mix((stream + _GOLDEN) & _MASK) ^ part) + _GOLDEN) & _MASK)


def _upper_53(high: np.ndarray, low: np.ndarray) -> np.ndarray:
    """The upper 53 bits of two words, exact as a float."""
    return ((high << np.uint64(32) | low) >> np.uint64(11)).astype(np.float64)


class RandomStream:
    """The numbers of one (seed, stream, step), by position."""

    def __init__(self, seed: int, stream: int, step: int) -> None:
        self._key = combine(seed & _MASK, stream)
        self._step = step & _MASK

    def _words(self, count: int) -> list[np.ndarray]:
        low = np.uint64(0xFFFFFFFF)
        position = np.arange(count, dtype=np.uint64)
        half = np.uint64(32)
        full = np.full(count, self._step, dtype=np.uint64)
        c = [position & low, position >> half, full & low, full >> half]
        key = [self._key & 0xFFFFFFFF, self._key >> 32]
        for _ in range(10):
            first = c[0] * np.uint64(0xD2511F53)
            second = c[2] * np.uint64(0xCD9E8D57)
            c = [
                (second >> half) ^ c[1] ^ np.uint64(key[0]),
                second & low,
                (first >> half) ^ c[3] ^ np.uint64(key[1]),
                first & low,
            ]
            key = [(key[0] + 0x9E3779B9) & 0xFFFFFFFF, (key[1] + 0xBB67AE85) & 0xFFFFFFFF]
        return c

    def uniform(self, count: int) -> np.ndarray:
        """[0, 1)"""
        words = self._words(count)
        return _upper_53(words[0], words[1]) * 2.0**-53

    def normal(self, count: int) -> np.ndarray:
        """Mean 0, deviation 1."""
        words = self._words(count)
        radius = (_upper_53(words[0], words[1]) + 1.0) * 2.0**-53  # in (0, 1]
        angle = _upper_53(words[2], words[3]) * 2.0**-53
        return np.sqrt(-2.0 * np.log(radius)) * np.cos(2 * np.pi * angle)
