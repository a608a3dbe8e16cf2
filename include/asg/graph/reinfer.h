#pragma once

#include <span>
#include <vector>

#include "asg/graph/graph.h"

namespace asg {

// Infers types anew after surgery, from `dirty` downstream as far as anything changes, and brings the variables of
// layers in line with their slots:
//   a slot whose type stays     keeps its variable
//   a slot of another type      resizes its variable (same id); refused when another slot needs the old type
//   a new slot                  gets a new variable named after the layer
//   a slot that is gone         loses its binding; use `drop_unused_variables` afterwards
// Throws UserError with the node; the graph is then half-way and must be thrown away (work on a copy).
void reinfer(Graph& graph, std::span<const NodeId> dirty);

// Removes the variables among `candidates` that no node binds and no update writes. Returns those removed.
std::vector<VarId> drop_unused_variables(Graph& graph, std::span<const VarId> candidates);

}  // namespace asg
