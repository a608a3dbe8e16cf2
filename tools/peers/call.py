"""What an adapter or a formula sees, and the tables in which they are found by the name of the op."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Union

from torch import Tensor

from peers.values import Graph

RunGraph = Callable[[Graph, Sequence[Any]], list[Any]]
RunOp = Callable[[str, Sequence[Any]], Any]  # an op by name, with the defaults of its attributes


@dataclass
class Call:
    """One use of an op. Tensors are torch's for adapters, NumPy's for formulas."""

    op: str
    inputs: list[Any]
    attrs: dict[str, Any]
    variables: dict[str, Any] = field(default_factory=dict)
    randoms: dict[str, Any] = field(default_factory=dict)
    training: bool = True
    stream: int = 0
    run_graph: RunGraph | None = None
    run_op: RunOp | None = None
    updates: dict[str, Any] = field(default_factory=dict)  # new values of buffers, set by the adapter

    @property
    def x(self) -> Any:
        return self.inputs[0]

    def __getitem__(self, index: int) -> Any:
        return self.inputs[index]

    def get(self, index: int) -> Any:
        """An optional input: None where it is absent."""
        return self.inputs[index] if index < len(self.inputs) else None

    def ints(self, index: int) -> list[int] | None:
        """An input that holds a list of integers: axes, a shape, pads."""
        value = self.get(index)
        return None if value is None else [int(element) for element in value.reshape(-1)]

    def layer(self, name: str, inputs: list[Any], **attrs: Any) -> Call:
        """A layer inside this one, with the variables and masks below its name."""
        dot, slash = name + ".", name + "/"
        variables = {slot[len(dot) :]: value for slot, value in self.variables.items() if slot.startswith(dot)}
        randoms = {path[len(slash) :]: value for path, value in self.randoms.items() if path.startswith(slash)}
        inner = Call(self.op + "." + name, inputs, attrs, variables, randoms, self.training, self.stream)
        inner.run_graph, inner.run_op = self.run_graph, self.run_op
        return inner


class Unsupported(Exception):
    """The peer cannot compute this sample; a formula must."""


Outputs = Union[Tensor, Sequence[Tensor]]
Adapter = Callable[[Call], Outputs]
Formula = Callable[[Call], Any]

ADAPTERS: dict[str, Adapter] = {}
FORMULAS: dict[str, Formula] = {}


def adapter(*ops: str) -> Callable[[Adapter], Adapter]:
    """Says how the peers of these ops are called, where it is not "inputs in order, attributes by name"."""

    def register(function: Adapter) -> Adapter:
        for op in ops:
            ADAPTERS[op] = function
        return function

    return register


def formula(*ops: str) -> Callable[[Formula], Formula]:
    """Says what ops without a peer compute, in NumPy. Written so that it is analytic where the op is differentiable:
    gradients are taken by complex steps."""

    def register(function: Formula) -> Formula:
        for op in ops:
            FORMULAS[op] = function
        return function

    return register
