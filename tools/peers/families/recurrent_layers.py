"""The layers nn.RNN, nn.GRU and nn.LSTM: PyTorch's fused functions, a layer at a time, since dropout between two layers
takes the mask that ASG drew."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.nn.utils.rnn import PackedSequence, pack_padded_sequence, pad_packed_sequence

from peers.call import Call, adapter
from peers.families.layers import masked
from peers.families.recurrences import reordered

FUNCTIONS = {"Tanh": torch.rnn_tanh, "Relu": torch.rnn_relu, "GRU": torch.gru, "LSTM": torch.lstm}


def _weights(call: Call, kind: str, layer: int, directions: int) -> list[Tensor]:
    """Those of PyTorch, by direction: input, hidden, and both biases."""
    slot = f"layer_{layer + 1}."
    w, r, b = call.variables[slot + "input_weight"], call.variables[slot + "hidden_weight"], call.variables.get(slot + "bias")
    result = []
    for number in range(directions):
        rows = w.shape[1]
        biases = w.new_zeros(2 * rows) if b is None else b[number]
        result += [reordered(part, kind) for part in (w[number], r[number], *biases.split([rows, rows]))]
    return result


def _first(call: Call, index: int, layer: int, directions: int, hidden: int) -> Tensor:
    """[directions, batch, hidden]"""
    given = call.get(index)
    if given is None:
        return call.x.new_zeros(directions, call.x.shape[0], hidden)
    return given[:, layer * directions : (layer + 1) * directions].transpose(0, 1).contiguous()


def _one_layer(
    function: Any, x: Tensor, lengths: Tensor | None, states: list[Tensor], weights: list[Tensor], both: bool
) -> tuple[Tensor, list[Tensor]]:
    """Biases, one layer, no dropout, not in training, whether both directions."""
    settings = (weights, True, 1, 0.0, False, both)
    if lengths is None:
        y, *last = function(x, states[0] if len(states) == 1 else states, *settings, True)
        return y, last
    packed = pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
    ordered = [state.index_select(1, packed.sorted_indices) for state in states]
    y, *last = function(packed.data, packed.batch_sizes, ordered[0] if len(ordered) == 1 else ordered, *settings)
    whole = PackedSequence(y, packed.batch_sizes, packed.sorted_indices, packed.unsorted_indices)
    padded, _ = pad_packed_sequence(whole, batch_first=True, total_length=x.shape[1])
    return padded, [state.index_select(1, packed.unsorted_indices) for state in last]


def _layers(call: Call, kind: str) -> list[Tensor]:
    attrs = call.attrs
    both = bool(attrs["bidirectional"])
    directions = 2 if both else 1
    function = FUNCTIONS[attrs["activation"] if kind == "RNN" else kind]
    lengths = None if call.get(1) is None else call[1].long()
    y, last = call.x, []
    for layer in range(attrs["layers"]):
        indices = [2, 3] if kind == "LSTM" else [2]
        first = [_first(call, index, layer, directions, attrs["hidden"]) for index in indices]
        y, states = _one_layer(function, y, lengths, first, _weights(call, kind, layer, directions), both)
        last.append(states)
        if layer + 1 < attrs["layers"]:
            y = masked(y, call, f"dropout_{layer + 1}/mask", attrs["dropout"])
    return [y, *(torch.cat(states).transpose(0, 1) for states in zip(*last))]


@adapter("nn.RNN")
def rnn_layer(call: Call) -> list[Tensor]:
    return _layers(call, "RNN")


@adapter("nn.GRU")
def gru_layer(call: Call) -> list[Tensor]:
    return _layers(call, "GRU")


@adapter("nn.LSTM")
def lstm_layer(call: Call) -> list[Tensor]:
    return _layers(call, "LSTM")
