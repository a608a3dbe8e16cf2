"""Formulas of plain ops."""

from __future__ import annotations

import numpy as np

from peers.call import Call, formula


@formula("Div")
def quotient_that_wraps(call: Call) -> np.ndarray:
    """Integers by magnitude; NumPy's conversion wraps the one quotient that does not fit."""
    a, b = (value.astype(object) for value in np.broadcast_arrays(*call.inputs))
    magnitude = np.abs(a) // np.abs(b)
    exact = np.where((a < 0) == (b < 0), magnitude, -magnitude)
    return (exact % 2**64).astype(np.uint64).astype(np.int64)


@formula("Mod")
def remainder_of_the_smallest(call: Call) -> np.ndarray:
    """Of integers, where PyTorch cannot divide; Python's remainder has the sign of the divisor too."""
    assert not call.attrs["fmod"]
    a, b = (value.astype(object) for value in np.broadcast_arrays(*call.inputs))
    return (a % b).astype(np.int64)


@formula("BitShift")
def shift_of_any_width(call: Call) -> np.ndarray:
    """Beyond the width of the dtype nothing is left."""
    a, b = (value.astype(object) for value in np.broadcast_arrays(*call.inputs))
    shifted = a * 2**b if call.attrs["direction"] == "LEFT" else a // 2**b
    return (shifted % 2**64).astype(np.uint64).astype(np.int64)


@formula("HardSigmoid")
def hard_sigmoid(call: Call) -> np.ndarray:
    alpha, beta = call.attrs["alpha"], call.attrs["beta"]
    line = alpha * call.x.real + beta
    # Infinities must not meet an imaginary 0.
    inner = alpha * np.where(np.isinf(call.x.real), 0, call.x) + beta
    return np.where(line <= 0, 0, np.where(line >= 1, 1, inner))


@formula("PRelu")
def prelu(call: Call) -> np.ndarray:
    x, slope = call.inputs
    if not np.iscomplexobj(x) and not np.iscomplexobj(slope):
        return np.where(x > 0, x, slope * x)
    # To first order, part by part: infinities must not meet an imaginary 0.
    real = np.where(x.real > 0, x.real, slope.real * x.real)
    from_x = np.where(x.real > 0, x.imag, slope.real * x.imag)
    from_slope = np.where((x.real <= 0) & (slope.imag != 0), slope.imag * x.real, 0)
    return real + 1j * (from_x + from_slope)


@formula("Shrink")
def shrink(call: Call) -> np.ndarray:
    x, limit, bias = call.x, call.attrs["lambd"], call.attrs["bias"]
    return np.where(x.real < -limit, x + bias, np.where(x.real > limit, x - bias, 0))


@formula("Hardmax")
def hardmax(call: Call) -> np.ndarray:
    x, axis = call.x.real, call.attrs["axis"]
    if x.shape[axis] == 0:
        return np.zeros(x.shape)
    winner = np.expand_dims(np.argmax(x, axis=axis), axis)
    places = np.arange(x.shape[axis]).reshape([-1 if at == axis % x.ndim else 1 for at in range(x.ndim)])
    return (places == winner).astype(float)


@formula("Swish")
def swish(call: Call) -> np.ndarray:
    return call.x / (1 + np.exp(-call.attrs["alpha"] * call.x))


@formula("ReduceMax", "ReduceMin")
def extreme_of_nothing(call: Call) -> np.ndarray:
    """PyTorch refuses to reduce an axis without elements; here the result is the neutral element."""
    axes = call.ints(1)
    places = tuple(axes) if axes else None
    neutral = -np.inf if call.op == "ReduceMax" else np.inf
    function = np.max if call.op == "ReduceMax" else np.min
    return function(call.x, axis=places, keepdims=bool(call.attrs["keepdims"]), initial=neutral)


@formula("Conv")
def convolution_without_channels(call: Call) -> np.ndarray:
    """A sum of nothing: the bias alone, wherever a window fits."""
    x, w = call.inputs[:2]
    assert w.shape[1] == 0 and not call.attrs["strides"] and not call.attrs["pads"]
    sizes = [length - kernel + 1 for length, kernel in zip(x.shape[2:], w.shape[2:])]
    bias = np.zeros(w.shape[0]) if call.get(2) is None else call[2]
    return np.broadcast_to(bias.reshape(-1, *[1] * len(sizes)), (x.shape[0], w.shape[0], *sizes))


@formula("Reshape")
def reshape_of_nothing(call: Call) -> np.ndarray:
    """Without elements a 0 copies a length where the others then fit, else it means 0; -1 follows from what is left."""
    x, shape = call.x, call.ints(1) or []
    copies = [axis for axis, length in enumerate(shape) if length == 0 and axis < x.ndim]
    left = [length for axis, length in enumerate(x.shape) if axis not in copies]
    said = [length for length in shape if length > 0]
    if -1 in shape:
        rest = int(np.prod(left)) // int(np.prod(said))
        return x.reshape([x.shape[a] if a in copies else rest if n == -1 else n for a, n in enumerate(shape)])
    return x.reshape(shape)


@formula("Pad")
def pad_of_nothing(call: Call) -> np.ndarray:
    """Where more is cut off than there is, only padding is left."""
    pads, rank = call.ints(1) or [], call.x.ndim
    sizes = [length + pads[axis] + pads[axis + rank] for axis, length in enumerate(call.x.shape)]
    value = 0.0 if call.get(2) is None else call[2].reshape(())
    return np.full(sizes, value)
