"""RNN, GRU and LSTM as ONNX defines them, with every option, one step after the other."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from peers.call import Call, formula

Activation = Callable[[np.ndarray], np.ndarray]


WITH_BETA = {"hardsigmoid", "affine", "scaledtanh"}
WITH_ALPHA = WITH_BETA | {"leakyrelu", "thresholdedrelu", "elu"}


def _sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def _activation(name: str, alpha: float | None, beta: float | None) -> Activation:
    a = {"LeakyRelu": 0.01, "HardSigmoid": 0.2}.get(name, 1.0) if alpha is None else alpha
    b = {"HardSigmoid": 0.5, "ScaledTanh": 1.0}.get(name, 0.0) if beta is None else beta
    table: dict[str, Activation] = {
        "Tanh": np.tanh,
        "Sigmoid": _sigmoid,
        "Relu": lambda x: np.where(x.real > 0, x, 0),
        "LeakyRelu": lambda x: np.where(x.real >= 0, x, a * x),
        "ThresholdedRelu": lambda x: np.where(x.real > a, x, 0),
        "Elu": lambda x: np.where(x.real >= 0, x, a * (np.exp(np.where(x.real >= 0, 0, x)) - 1)),
        "HardSigmoid": lambda x: np.where(a * x.real + b <= 0, 0, np.where(a * x.real + b >= 1, 1, a * x + b)),
        "Affine": lambda x: a * x + b,
        "ScaledTanh": lambda x: a * np.tanh(b * x),
        "Softsign": lambda x: x / (1 + np.where(x.real < 0, -x, x)),
        "Softplus": lambda x: np.log(1 + np.exp(x)),
    }
    return {key.lower(): function for key, function in table.items()}[name.lower()]


class _Direction:
    """One direction of a recurrence: its weights, activations and step."""

    def __init__(self, call: Call, kind: str, number: int) -> None:
        attrs = call.attrs
        usual = {"RNN": ["Tanh"], "GRU": ["Sigmoid", "Tanh"], "LSTM": ["Sigmoid", "Tanh", "Tanh"]}[kind]
        names = list(attrs.get("activations") or usual * 2)
        # Numbers are consumed in order by those functions that take one.
        alphas, betas = iter(attrs.get("activation_alpha") or []), iter(attrs.get("activation_beta") or [])
        functions = [
            _activation(
                name,
                next(alphas, None) if name.lower() in WITH_ALPHA else None,
                next(betas, None) if name.lower() in WITH_BETA else None,
            )
            for name in names
        ]
        self.f = functions[number * len(usual) : (number + 1) * len(usual)]
        self.attrs, self.kind = attrs, kind
        self.w, self.r = call[1][number], call[2][number]
        rows = self.w.shape[0]
        bias = np.zeros(2 * rows) if call.get(3) is None else call[3][number]
        self.wb, self.rb = bias[:rows], bias[rows:]
        size = self.r.shape[1]
        peepholes = call.get(7)
        self.p = np.zeros((3, size)) if peepholes is None else peepholes[number].reshape(3, size)

    def _clipped(self, x: np.ndarray) -> np.ndarray:
        limit = self.attrs.get("clip") or 0.0
        return np.where(x.real > limit, limit, np.where(x.real < -limit, -limit, x)) if limit > 0 else x

    def step(self, x: np.ndarray, h: np.ndarray, c: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return {"RNN": self._rnn, "GRU": self._gru, "LSTM": self._lstm}[self.kind](x, h, c)

    def _rnn(self, x: np.ndarray, h: np.ndarray, c: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return self.f[0](self._clipped(x @ self.w.T + h @ self.r.T + self.wb + self.rb)), c

    def _gru(self, x: np.ndarray, h: np.ndarray, c: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        wz, wr, wh = np.split(self.w, 3)
        rz, rr, rh = np.split(self.r, 3)
        bz, br, bh = np.split(self.wb, 3)
        cz, cr, ch = np.split(self.rb, 3)
        z = self.f[0](self._clipped(x @ wz.T + h @ rz.T + bz + cz))
        r = self.f[0](self._clipped(x @ wr.T + h @ rr.T + br + cr))
        inner = r * (h @ rh.T + ch) if self.attrs.get("linear_before_reset") else (r * h) @ rh.T + ch
        n = self.f[1](self._clipped(x @ wh.T + inner + bh))
        return (1 - z) * n + z * h, c

    def _lstm(self, x: np.ndarray, h: np.ndarray, c: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        i, o, f, g = np.split(x @ self.w.T + h @ self.r.T + self.wb + self.rb, 4, axis=-1)
        i = self.f[0](self._clipped(i + self.p[0] * c))
        f = 1 - i if self.attrs.get("input_forget") else self.f[0](self._clipped(f + self.p[2] * c))
        c = f * c + i * self.f[1](self._clipped(g))
        o = self.f[0](self._clipped(o + self.p[1] * c))
        return o * self.f[2](c), c


def _recurrence(call: Call, kind: str) -> list[np.ndarray]:
    direction = call.attrs["direction"]
    batch_first = bool(call.attrs.get("layout"))
    x = call.x.swapaxes(0, 1) if batch_first else call.x
    length, batch = x.shape[:2]
    directions, size = call[2].shape[0], call[2].shape[-1]
    lengths = [length] * batch if call.get(4) is None else [int(each) for each in call[4]]
    kind_of_number = np.result_type(*(value for value in call.inputs if value is not None and value.dtype.kind in "fc"))

    def initial(index: int) -> np.ndarray:
        given = call.get(index)
        if given is None:
            return np.zeros((directions, batch, size), kind_of_number)
        return given.swapaxes(0, 1) if batch_first else given

    h, c = initial(5).astype(kind_of_number), initial(6).astype(kind_of_number)
    y = np.zeros((length, directions, batch, size), kind_of_number)
    for number in range(directions):
        backward = direction == "reverse" or number == 1
        step = _Direction(call, kind, number).step
        for sequence in range(batch):
            state, cell = h[number, sequence], c[number, sequence]
            places = range(lengths[sequence])
            for place in reversed(places) if backward else places:
                state, cell = step(x[place, sequence], state, cell)
                y[place, number, sequence] = state
            h[number, sequence], c[number, sequence] = state, cell
    states = [h, c] if kind == "LSTM" else [h]
    if batch_first:
        return [y.transpose(2, 0, 1, 3), *(state.swapaxes(0, 1) for state in states)]
    return [y, *states]


@formula("RNN")
def rnn(call: Call) -> list[np.ndarray]:
    return _recurrence(call, "RNN")


@formula("GRU")
def gru(call: Call) -> list[np.ndarray]:
    return _recurrence(call, "GRU")


@formula("LSTM")
def lstm(call: Call) -> list[np.ndarray]:
    return _recurrence(call, "LSTM")
