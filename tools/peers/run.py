"""Runs one case through its peer or formula and measures every tensor."""

from __future__ import annotations

import importlib
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch
from torch import Tensor

from peers import graphs
from peers.call import ADAPTERS, FORMULAS, Adapter, Call, Formula, Unsupported
from peers.compare import bound_of, difference, zeros_like
from peers.records import Case, Op
from peers.values import Value

COMPLEX_STEP = 1e-30


@dataclass(frozen=True)
class Measure:
    """How one tensor fared."""

    what: str  # "output_0", "gradient of input_0", "update of running_mean"
    is_gradient: bool
    dtype: str
    error: float

    @property
    def passed(self) -> bool:
        return self.error <= bound_of(self.dtype)


@dataclass(frozen=True)
class Outcome:
    by_formula: bool
    measures: list[Measure]


class NoPeer(Exception):
    """Neither a peer nor a formula computes the op."""


def resolve(dotted: str) -> Any:
    """"torch.nn.functional.relu" → the function. Raises AttributeError where this PyTorch has none."""
    names = dotted.split(".")
    if names[0] != "torch":
        raise AttributeError(dotted)
    found: Any = importlib.import_module("torch")
    for name in names[1:]:
        found = getattr(found, name)
    return found


def adapter_of(op: Op) -> Adapter | None:
    """An adapter, or the function that the card names, called with inputs in order and attributes by name."""
    if op.name in ADAPTERS:
        return ADAPTERS[op.name]
    if not op.torch or op.name in FORMULAS:
        return None
    try:
        function = resolve(op.torch)
    except AttributeError:
        return None
    return lambda call: function(*call.inputs, **call.attrs)


def listed(outputs: Any) -> list[Any]:
    return list(outputs) if isinstance(outputs, (list, tuple)) else [outputs]


def run_case(op: Op, case: Case, ops: dict[str, Op]) -> Outcome:
    adapter = adapter_of(op)
    if adapter is not None:
        try:
            return Outcome(False, _with_arbiter(adapter, op, case, ops))
        except Unsupported:
            pass
    if op.name not in FORMULAS:
        raise NoPeer(f"{op.name} has neither a peer that computes this sample nor a formula in tools/peers")
    return Outcome(True, _through_formula(FORMULAS[op.name], op, case))


def _measures(case: Case, outputs: Sequence[Tensor], updates: dict[str, Tensor]) -> list[Measure]:
    if len(outputs) != len(case.outputs):
        raise ValueError(f"{len(outputs)} outputs of the peer, {len(case.outputs)} of ours")
    measures = [
        Measure(f"output {index}", False, ours.dtype, difference(ours, theirs))
        for index, (ours, theirs) in enumerate(zip(case.outputs, outputs))
    ]
    for slot, ours in case.updates.items():
        measures.append(Measure(f"update of {slot}", False, ours.dtype, difference(ours, updates[slot])))
    return measures


def _measure_gradient(case: Case, name: str, target: Tensor, theirs: Tensor) -> Measure:
    """A gradient by an element that is not a number says nothing, so it is not compared."""
    ours = case.gradients[name]
    nothing = torch.isnan(target.detach())
    known = Value(ours.dtype, ours.tensor.masked_fill(nothing, 0))
    error = difference(known, theirs.masked_fill(nothing, 0)) if theirs.shape == ours.tensor.shape else math.inf
    return Measure(f"gradient of {name}", True, ours.dtype, error)


# ---- PyTorch


def _with_arbiter(adapter: Adapter, op: Op, case: Case, ops: dict[str, Op]) -> list[Measure]:
    """Where PyTorch's own f32 is further off than the bound, what it computes in f64 from the same numbers decides."""
    measures = _through_torch(adapter, op, case, ops)
    if case.dtype != "f32" or all(measure.passed for measure in measures):
        return measures
    again = _through_torch(adapter, op, _widened(case), ops)
    return [min(pair, key=lambda measure: measure.error) for pair in zip(measures, again)]


def _widened(case: Case) -> Case:
    def wide(value: Value | None) -> Value | None:
        return Value(value.dtype, value.tensor.double()) if value is not None and value.dtype == "f32" else value

    def all_wide(values: dict[str, Value]) -> dict[str, Any]:
        return {name: wide(value) for name, value in values.items()}

    return replace(
        case,
        inputs=[wide(value) for value in case.inputs],
        variables=all_wide(case.variables),
        randoms=all_wide(case.randoms),
        weights=all_wide(case.weights),
    )


def _through_torch(adapter: Adapter, op: Op, case: Case, ops: dict[str, Op]) -> list[Measure]:
    def leaf(name: str, value: Value) -> Tensor:
        tensor = value.tensor.clone()
        return tensor.requires_grad_() if name in case.gradients else tensor

    inputs = [None if value is None else leaf(f"input_{index}", value) for index, value in enumerate(case.inputs)]
    variables = {slot: leaf(slot, value) for slot, value in case.variables.items()}
    call = Call(
        op=op.name,
        inputs=inputs,
        attrs=case.attrs,
        variables=variables,
        randoms={path: value.tensor for path, value in case.randoms.items()},
        training=case.training,
        stream=case.stream,
        run_graph=lambda graph, values: graphs.evaluate(graph.form, ops, adapter_of, dict(enumerate(values)), {})[0],
        run_op=lambda name, values: graphs.apply_plain(name, values, ops, adapter_of),
    )
    outputs = listed(adapter(call))
    measures = _measures(case, outputs, call.updates)
    targets = {f"input_{index}": tensor for index, tensor in enumerate(inputs)} | variables
    return measures + _torch_gradients(case, outputs, targets)


def _torch_gradients(case: Case, outputs: Sequence[Tensor], targets: dict[str, Any]) -> list[Measure]:
    if not case.gradients:
        return []
    total = torch.zeros((), dtype=torch.float64)
    for name, weights in case.weights.items():
        output = outputs[int(name.removeprefix("output_"))]
        total = total + (output * weights.tensor).sum().double()
    names = list(case.gradients)
    found: Sequence[Tensor | None] = [None] * len(names)
    if total.requires_grad:
        found = torch.autograd.grad(total, [targets[name] for name in names], allow_unused=True)
    measures = []
    for name, gradient in zip(names, found):
        theirs = zeros_like(case.gradients[name]) if gradient is None else gradient
        measures.append(_measure_gradient(case, name, targets[name], theirs))
    return measures


# ---- NumPy


def _through_formula(formula: Formula, op: Op, case: Case) -> list[Measure]:
    def wide(value: Value) -> np.ndarray:
        return value.tensor.double().numpy() if value.is_float else value.tensor.numpy()

    named = {f"input_{index}": wide(value) for index, value in enumerate(case.inputs) if value is not None}
    named |= {slot: wide(value) for slot, value in case.variables.items()}

    def compute(changed: dict[str, np.ndarray]) -> tuple[list[np.ndarray], dict[str, np.ndarray]]:
        values = named | changed
        call = Call(
            op=op.name,
            inputs=[values.get(f"input_{index}") for index in range(len(case.inputs))],
            attrs=case.attrs,
            variables={slot: values[slot] for slot in case.variables},
            randoms={path: wide(value) for path, value in case.randoms.items()},
            training=case.training,
            stream=case.stream,
        )
        outputs = [np.asarray(output) for output in listed(formula(call))]
        return outputs, {slot: np.asarray(value) for slot, value in call.updates.items()}

    def rounded(array: np.ndarray, like: Value) -> Tensor:
        return torch.from_numpy(np.array(array)).to(like.tensor.dtype)

    plain, updates = compute({})
    outputs = [rounded(array, ours) for array, ours in zip(plain, case.outputs)]
    measures = _measures(case, outputs, {slot: rounded(updates[slot], case.updates[slot]) for slot in case.updates})
    for name, ours in case.gradients.items():
        gradient = np.zeros(named[name].shape)
        for place in np.ndindex(*gradient.shape):
            moved = named[name].astype(np.complex128)
            moved[place] += 1j * COMPLEX_STEP
            results, _ = compute({name: moved})
            total = sum(
                np.sum(results[int(output.removeprefix("output_"))].imag * wide(weights))
                for output, weights in case.weights.items()
            )
            gradient[place] = total / COMPLEX_STEP
        target = torch.from_numpy(named[name])
        measures.append(_measure_gradient(case, name, target, rounded(gradient, ours)))
    return measures
