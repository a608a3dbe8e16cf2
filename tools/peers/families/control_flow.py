"""Branches, loops and graphs as values, run by the evaluator of graphs."""

from __future__ import annotations

from torch import Tensor

from peers.call import Call, adapter


@adapter("If")
def branch(call: Call) -> list[Tensor]:
    assert call.run_graph is not None
    name = "then_branch" if bool(call.x) else "else_branch"
    return call.run_graph(call.attrs[name], call.inputs[1:])


@adapter("Carrier")
def carrier(call: Call) -> list[Tensor]:
    assert call.run_graph is not None
    return call.run_graph(call.attrs["body"], call.inputs)
