"""Evaluates a graph in its JSON form with the peers of its ops: branches, bodies of loops, whole models."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from torch import Tensor

from peers.call import Adapter, Call
from peers.records import Op
from peers.values import Value, read_values

FindAdapter = Callable[[Op], "Adapter | None"]


class MissingPeer(Exception):
    """PyTorch has no peer of an op of the graph."""


def _place(form: Any) -> tuple[int, int]:
    return (form, 0) if isinstance(form, int) else (form[0], form[1])


def apply_plain(name: str, inputs: Sequence[Any], ops: dict[str, Op], find_adapter: FindAdapter) -> Any:
    """An op with the defaults of its attributes."""
    adapter = find_adapter(ops[name])
    if adapter is None:
        raise MissingPeer(name)
    return adapter(Call(name, list(inputs), dict(ops[name].defaults)))


def _apply(
    node: dict[str, Any],
    inputs: list[Any],
    ops: dict[str, Op],
    find_adapter: FindAdapter,
    variables: dict[int, Tensor],
    updates: dict[int, Tensor],
) -> list[Any]:
    op = ops[node["op"]]
    adapter = find_adapter(op)
    if adapter is None:
        raise MissingPeer(op.name)
    slots: dict[str, int] = node.get("bind", {})
    call = Call(
        op=op.name,
        inputs=inputs,
        attrs=op.attrs_with_defaults(read_values(node.get("attrs", {}))),
        variables={slot: variables[number] for slot, number in slots.items()},
        run_graph=lambda graph, values: evaluate(graph.form, ops, find_adapter, dict(enumerate(values)), {})[0],
        run_op=lambda name, values: apply_plain(name, values, ops, find_adapter),
    )
    outputs = adapter(call)
    updates.update({slots[slot]: value for slot, value in call.updates.items()})
    return list(outputs) if isinstance(outputs, (list, tuple)) else [outputs]


def evaluate(
    graph: dict[str, Any],
    ops: dict[str, Op],
    find_adapter: FindAdapter,
    inputs: dict[Any, Tensor],
    variables: dict[int, Tensor],
) -> tuple[list[Tensor], dict[int, Tensor]]:
    """The outputs, and the new values of buffers by the id of their variable. Inputs are given by name or by number."""
    values: dict[int, list[Any]] = {}
    updates: dict[int, Tensor] = {}
    for number, node in enumerate(graph.get("inputs", [])):
        name = next(form.get("name") for form in graph["nodes"] if form["id"] == node)
        values[node] = [inputs[name] if name in inputs else inputs[number]]
    pending = [node for node in graph["nodes"] if node["id"] not in values]
    while pending:
        waiting = []
        for node in pending:
            places = [None if form is None else _place(form) for form in node.get("in", [])]
            if any(place is not None and place[0] not in values for place in places):
                waiting.append(node)
            elif node["op"] == "Constant":
                constant: Value = read_values(node["attrs"])["value"]
                values[node["id"]] = [constant.tensor]
            elif node["op"] == "Variable":
                values[node["id"]] = [variables[node["bind"]["value"]]]
            else:
                arguments = [None if place is None else values[place[0]][place[1]] for place in places]
                values[node["id"]] = _apply(node, arguments, ops, find_adapter, variables, updates)
        if len(waiting) == len(pending):
            raise ValueError("a graph with a cycle")
        pending = waiting
    results = [_place(output["value"]) for output in graph.get("outputs", [])]
    return [values[node][port] for node, port in results], updates
