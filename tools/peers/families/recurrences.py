"""RNN, GRU and LSTM with ONNX's layout of weights, through PyTorch's own fused functions."""

from __future__ import annotations

import torch
from torch import Tensor

from peers.call import Call, Unsupported, adapter

USUAL = {"RNN": ["Tanh"], "GRU": ["Sigmoid", "Tanh"], "LSTM": ["Sigmoid", "Tanh", "Tanh"]}
# PyTorch's order of the gates in terms of ONNX's: z r h → r z n, i o f c → i f g o.
GATES = {"RNN": [0], "GRU": [1, 0, 2], "LSTM": [0, 2, 3, 1]}


def _check(call: Call, kind: str) -> None:
    """PyTorch knows one choice of each option."""
    attrs = call.attrs
    if call.x.numel() == 0:
        raise Unsupported
    names = [name.capitalize() for name in attrs.get("activations") or []]
    directions = 2 if attrs["direction"] == "bidirectional" else 1
    usual = not names or names == USUAL[kind] * directions
    plain = not attrs.get("clip") and not attrs.get("input_forget") and call.get(7) is None
    if not usual or not plain or call.get(4) is not None:
        raise Unsupported
    if kind == "GRU" and not attrs.get("linear_before_reset"):
        raise Unsupported


def reordered(weights: Tensor, kind: str) -> Tensor:
    return torch.cat([weights.chunk(len(GATES[kind]))[gate] for gate in GATES[kind]])


def _parameters(call: Call, kind: str, directions: int) -> list[Tensor]:
    w, r, b = call[1], call[2], call.get(3)
    size = r.shape[-1]
    result = []
    for number in range(directions):
        bias = w.new_zeros(2 * w.shape[1]) if b is None else b[number]
        both = bias.split([w.shape[1], w.shape[1]])
        result += [reordered(part, kind) for part in (w[number], r[number], *both)]
    assert result[1].shape[1] == size
    return result


def _run(call: Call, kind: str) -> tuple[Tensor, list[Tensor]]:
    """[length, directions, batch, size], and the last states [directions, batch, size]."""
    _check(call, kind)
    direction = call.attrs["direction"]
    batch_first = bool(call.attrs.get("layout"))
    x = call.x.transpose(0, 1) if batch_first else call.x
    x = x.flip(0) if direction == "reverse" else x
    directions = 2 if direction == "bidirectional" else 1
    size = call[2].shape[-1]

    def initial(index: int) -> Tensor:
        given = call.get(index)
        if given is None:
            return x.new_zeros(directions, x.shape[1], size)
        return given.transpose(0, 1).contiguous() if batch_first else given

    functions = {"RNN": torch.rnn_tanh, "GRU": torch.gru, "LSTM": torch.lstm}
    state = (initial(5), initial(6)) if kind == "LSTM" else initial(5)
    weights = _parameters(call, kind, directions)
    # Biases, one layer, no dropout, not in training, whether both directions, and time first.
    y, *last = functions[kind](x, state, weights, True, 1, 0.0, False, directions == 2, False)
    y = y.reshape(y.shape[0], y.shape[1], directions, size).transpose(1, 2)
    return (y.flip(0) if direction == "reverse" else y), last


def _recurrence(call: Call, kind: str) -> list[Tensor]:
    y, last = _run(call, kind)
    if call.attrs.get("layout"):
        return [y.permute(2, 0, 1, 3), *(state.transpose(0, 1) for state in last)]
    return [y, *last]


@adapter("RNN")
def rnn(call: Call) -> list[Tensor]:
    return _recurrence(call, "RNN")


@adapter("GRU")
def gru(call: Call) -> list[Tensor]:
    return _recurrence(call, "GRU")


@adapter("LSTM")
def lstm(call: Call) -> list[Tensor]:
    return _recurrence(call, "LSTM")
