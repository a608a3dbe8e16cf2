"""Branches, loops and graphs as values, run by the evaluator of graphs."""

from __future__ import annotations

import torch
from torch import Tensor

from peers.call import Call, adapter


def _run(call: Call, name: str, inputs: list[Tensor]) -> list[Tensor]:
    assert call.run_graph is not None
    return call.run_graph(call.attrs[name], inputs)


@adapter("If")
def branch(call: Call) -> list[Tensor]:
    return _run(call, "then_branch" if bool(call.x) else "else_branch", call.inputs[1:])


@adapter("Carrier", "Call")
def carrier(call: Call) -> list[Tensor]:
    return _run(call, "body", call.inputs)


def _stacked(parts: list[Tensor], like: Tensor, axis: int, backward: bool) -> Tensor:
    if not parts:
        shape = list(like.shape)
        place = axis % (like.dim() + 1)
        return torch.zeros(shape[:place] + [0] + shape[place:], dtype=like.dtype)
    return torch.stack(parts[::-1] if backward else parts, axis)


@adapter("Loop")
def loop(call: Call) -> list[Tensor]:
    captures = call.attrs["num_captures"]
    rest = call.inputs[2:]
    states, captured = rest[: len(rest) - captures], rest[len(rest) - captures :]
    most = None if call.get(0) is None else int(call[0])
    going = call.get(1) is None or bool(call[1])
    stacks: list[list[Tensor]] = []
    iteration = 0
    while going and (most is None or iteration < most):
        results = _run(call, "body", [torch.tensor(iteration), torch.tensor(True), *states, *captured])
        going, states = bool(results[0]), results[1 : 1 + len(states)]
        stacks.append(results[1 + len(states) :])
        iteration += 1
    if not stacks:  # one run, for the sizes of what would have been stacked
        shapes = _run(call, "body", [torch.tensor(0), torch.tensor(True), *states, *captured])[1 + len(states) :]
        return [*states, *(_stacked([], like, 0, False) for like in shapes)]
    return [*states, *(_stacked(list(parts), parts[0], 0, False) for parts in zip(*stacks))]


def _setting(call: Call, name: str, count: int) -> list[int]:
    return list(call.attrs[name]) or [0] * count


@adapter("Scan")
def scan(call: Call) -> list[Tensor]:
    captures, scanned = call.attrs["num_captures"], call.attrs["num_scan_inputs"]
    count = len(call.inputs) - captures - scanned
    states, sequences = call.inputs[:count], call.inputs[count : count + scanned]
    captured = call.inputs[count + scanned :]
    axes = _setting(call, "scan_input_axes", scanned)
    backward = _setting(call, "scan_input_directions", scanned)
    moved = [x.movedim(axis, 0) for x, axis in zip(sequences, axes)]
    moved = [x.flip(0) if back else x for x, back in zip(moved, backward)]
    stacks = []
    for elements in zip(*moved):
        results = _run(call, "body", [*states, *elements, *captured])
        states = results[:count]
        stacks.append(results[count:])
    if stacks:
        likes = stacks[0]
    else:  # one run on zeros, for the sizes of what would have been stacked
        zeros = [x.new_zeros(x.shape[1:]) for x in moved]
        likes = _run(call, "body", [*states, *zeros, *captured])[count:]
    out_axes = _setting(call, "scan_output_axes", len(likes))
    out_backward = _setting(call, "scan_output_directions", len(likes))
    stacked = [
        _stacked([parts[number] for parts in stacks], like, out_axes[number], bool(out_backward[number]))
        for number, like in enumerate(likes)
    ]
    return [*states, *stacked]
