"""The numbers of bench/engine/numbers.cpp, bit by bit: they depend on a name and on their place alone."""

from __future__ import annotations

import numpy


def _hash_of(name: str) -> int:
    value = 2166136261
    for byte in name.encode():
        value = (value ^ byte) * 16777619 % 2**32
    return value


def _scrambled(name: str, first: int, count: int) -> numpy.ndarray:
    bits = numpy.arange(first, first + count, dtype=numpy.uint32) + numpy.uint32(_hash_of(name))
    bits = (bits ^ (bits >> numpy.uint32(16))) * numpy.uint32(0x7FEB352D)
    bits = (bits ^ (bits >> numpy.uint32(15))) * numpy.uint32(0x846CA68B)
    return bits ^ (bits >> numpy.uint32(16))


def uniform(name: str, first: int, count: int, limit: float) -> numpy.ndarray:
    """f32 in [-limit, limit): the places first … first + count - 1."""
    share = (_scrambled(name, first, count) >> numpy.uint32(8)).astype(numpy.float32) * numpy.float32(2**-24)
    return (share - numpy.float32(0.5)) * (2 * numpy.float32(limit))


def whole(name: str, count: int, below: int) -> numpy.ndarray:
    """i64 in [0, below)"""
    return (_scrambled(name, 0, count) % numpy.uint32(below)).astype(numpy.int64)
