#pragma once

#include <span>
#include <string>
#include <vector>

#include "asg/autograd/gradients.h"
#include "asg/graph/expand.h"
#include "asg/graph/graph.h"

namespace asg {

// Products with the Jacobian J of some values of a graph, the outputs, by others, `wrt`. The Jacobian itself is never
// made: it has as many entries as both sides have elements multiplied.

// A graph with a product in it.
struct JacobianProduct {
  Graph graph;                        // the expanded graph, then the product
  Remap remap;                        // values of the given graph → values of this one
  std::vector<Value> products;        // one for each entry of `wrt` (vjp) or of `outputs` (jvp), of the same type
  std::vector<std::string> warnings;  // where nothing depends on anything: the product is explicit zeros
};

// Jᵀu, one reverse sweep: how the weighted sum ⟨u, outputs⟩ changes with each value of `wrt`. With one output of rank 0
// and u = 1 it is the gradient.
//   expects:    a graph that validates; floats throughout; `cotangents` are values of the graph, one per output and of
//               its type; an empty Value, or an empty list, asks for a new input "cotangent:<n>"
//   guarantees: the products become the outputs "vjp:<n>"; outputs and updates of the graph stay
//   throws:     type_mismatch, wrong_input_count, bad_dtype, and no_gradient with the reason
JacobianProduct vjp(const Graph& graph, std::span<const Value> outputs, std::span<const Value> cotangents,
                    std::span<const Value> wrt, Mode mode = Mode::eval);

// Jv: how the outputs move when `wrt` moves along v. New inputs are "tangent:<n>", products the outputs "jvp:<n>".
//
// It needs no rules of its own. Jᵀu is linear in u, whatever the graph computes, so its derivative by u is J itself, at
// any u: jvp builds Jᵀu for a u that is never read, and differentiates that by u along v. The rules of the cards
// are graph, so the second sweep goes through them like through any other op; the tests compare both products for every
// sample of every card.
JacobianProduct jvp(const Graph& graph, std::span<const Value> outputs, std::span<const Value> wrt,
                    std::span<const Value> tangents, Mode mode = Mode::eval);

// The same in place, for a graph of plain ops, as add_vjp (asg/autograd/gradients.h) is for vjp: appends the nodes that
// compute the movement of each output when the targets move along the tangents.
GradientResult add_jvp(std::span<const Tensor> outputs, std::span<const Tensor> targets,
                       std::span<const Tensor> tangents);

}  // namespace asg
