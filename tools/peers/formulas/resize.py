"""Resize as ONNX defines it: along each axis a matrix, whose rows weigh the pixels around a place of the input."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from peers.call import Call, formula


def _source(mode: str, x: int, scale: float, length: int, output: int, roi: tuple[float, float]) -> float:
    """The place of the input that position x of the output looks at."""
    width = scale * length  # a fraction where scales are given
    if mode == "align_corners":
        return 0.0 if width == 1 else x * (length - 1) / (width - 1)
    if mode == "asymmetric":
        return x / scale
    if mode == "tf_half_pixel_for_nn":
        return (x + 0.5) / scale
    if mode == "tf_crop_and_resize":
        span = (roi[1] - roi[0]) * (length - 1)
        return roi[0] * (length - 1) + (span / 2 if width == 1 else x * span / (width - 1))
    if mode == "pytorch_half_pixel" and width == 1:
        return -0.5
    offset = length / 2 * (1 - output / width) if mode == "half_pixel_symmetric" else 0.0
    return offset + (x + 0.5) / scale - 0.5


def _cubic(distances: np.ndarray, a: float) -> np.ndarray:
    d = np.abs(distances)
    near = (a + 2) * d**3 - (a + 3) * d**2 + 1
    far = a * d**3 - 5 * a * d**2 + 8 * a * d - 4 * a
    return np.where(d <= 1, near, np.where(d < 2, far, 0.0))


def _coefficients(call: Call, ratio: float, scale: float) -> np.ndarray:
    """Weights of the neighbours, the left one at distance `ratio` in (0, 1]."""
    attrs = call.attrs
    if attrs["mode"] == "nearest":
        rule = attrs["nearest_mode"]
        left = {"floor": ratio < 1, "ceil": False, "round_prefer_floor": ratio <= 0.5, "round_prefer_ceil": ratio < 0.5}
        return np.array([1.0, 0.0] if left[rule] else [0.0, 1.0])
    cubic = attrs["mode"] == "cubic"
    narrow = min(scale, 1.0) if attrs.get("antialias") else 1.0
    start = math.floor((-2 if cubic else -1) / narrow) + 1
    distances = (np.arange(start, 2 - start) - ratio) * narrow
    weights = _cubic(distances, attrs["cubic_coeff_a"]) if cubic else np.clip(1 - np.abs(distances), 0, 1)
    return weights / weights.sum() if attrs.get("antialias") else weights


def axis_matrix(
    call: Call, length: int, output: int, scale: float, roi: tuple[float, float]
) -> tuple[np.ndarray, np.ndarray]:
    """[output, length], and which positions lie outside the region of interest."""
    matrix = np.zeros((output, length))
    outside = np.zeros(output, bool)
    for x in range(output):
        source = _source(call.attrs["coordinate_transformation_mode"], x, scale, length, output, roi)
        if call.attrs["coordinate_transformation_mode"] == "tf_crop_and_resize":
            outside[x] = source < 0 or source > length - 1
            if outside[x]:
                continue
        base = math.ceil(source) - 1  # the pixel on the left, also of a whole number
        weights = _coefficients(call, source - base, scale)
        places = base + np.arange(len(weights)) - (len(weights) // 2 - 1)
        if call.attrs["exclude_outside"] and call.attrs["mode"] != "nearest":
            weights = np.where((places >= 0) & (places < length), weights, 0.0)
            if not weights.any():  # ONNX divides nothing by nothing; here the last pixel stands
                matrix[x, 0 if source < 0 else length - 1] = 1
                continue
            weights = weights / weights.sum()
        for place, weight in zip(np.clip(places, 0, length - 1), weights):
            matrix[x, place] += weight
    return matrix, outside


def plan(
    call: Call, shape: tuple[int, ...], operands: Sequence[Any]
) -> list[tuple[int, int, float, tuple[float, float]]]:
    """(axis, output length, scale, region) for each axis, by what was said of roi, scales and sizes."""
    given = [None if value is None else np.asarray(value) for value in operands]
    roi, scales, sizes = (None if value is None or value.size == 0 else value.real for value in given)
    axes = [axis % len(shape) for axis in call.attrs.get("axes") or range(len(shape))]
    lengths = np.array([shape[axis] for axis in axes], float)
    if scales is None and sizes is None:  # a gradient has the sizes of the result
        sizes = np.array([call.x.shape[axis] for axis in axes])
    if scales is not None:
        outputs = np.floor(lengths * scales)
    else:
        scales, outputs = sizes / lengths, sizes
        policy = call.attrs.get("keep_aspect_ratio_policy", "stretch")
        if policy != "stretch":
            common = scales.min() if policy == "not_larger" else scales.max()
            scales, outputs = np.full(len(axes), common), np.floor(common * lengths + 0.5)
    if roi is None:
        roi = np.concatenate([np.zeros(len(axes)), np.ones(len(axes))])
    return [
        (axis, int(outputs[k]), float(scales[k]), (float(roi[k]), float(roi[k + len(axes)])))
        for k, axis in enumerate(axes)
    ]


@formula("Resize")
def resize(call: Call) -> np.ndarray:
    y = call.x
    outside = np.zeros((1,) * y.ndim, bool)
    for axis, output, scale, roi in plan(call, call.x.shape, [call.get(1), call.get(2), call.get(3)]):
        length = call.x.shape[axis]
        if output == length and scale == 1 and roi == (0.0, 1.0):
            continue
        matrix, beyond = axis_matrix(call, length, output, scale, roi)
        moved = np.moveaxis(y, axis, -1)[..., None, :]
        # Pixels of weight 0 must not be looked at: they may be infinite.
        y = np.moveaxis(np.where(matrix != 0, moved * matrix, 0).sum(-1), -1, axis)
        outside = outside | beyond.reshape([-1 if place == axis else 1 for place in range(y.ndim)])
    return np.where(outside, call.attrs.get("extrapolation_value", 0.0), y)


@formula("ResizeGrad")
def resize_grad(call: Call) -> np.ndarray:
    """The transposed matrices, for an input of the given shape."""
    y, shape = call.x, tuple(call.ints(1) or [])
    for axis, output, scale, roi in plan(call, shape, [call.attrs[name] for name in ("roi", "scales", "sizes")]):
        if output == shape[axis] and scale == 1 and roi == (0.0, 1.0):
            continue
        matrix, _ = axis_matrix(call, shape[axis], output, scale, roi)
        y = np.moveaxis(np.moveaxis(y, axis, -1) @ matrix, -1, axis)
    return y
