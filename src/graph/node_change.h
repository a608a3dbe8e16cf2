#pragma once

#include <cstdint>
#include <variant>

#include "asg/graph/card.h"
#include "edit_places.h"
#include "working_graph.h"

namespace asg {

// What a command does to one node, wherever the node stands: in the model or inside a layer.
struct Replacement {
  const OpCard* op = nullptr;
  Attrs attrs;
  bool allow_type_change = false;
};
struct Configuration {
  Attrs attrs;
};
struct Passthrough {
  std::uint32_t keep = 0;
};
struct NewConstant {
  Array value;
};
struct NewBody {
  GraphPtr body;
};
using NodeChange = std::variant<Replacement, Configuration, Passthrough, NewConstant, NewBody>;

// Changes a node of this graph itself.
void change_node(WorkingGraph& graph, NodeId node, const NodeChange& change);

// Changes the node at a place. Inside a layer the change becomes one of the layer's configuration where an attribute
// of it governs that place, else an override of that layer's body; from there on outward the same way.
void change_at(WorkingGraph& model, const NodePlace& place, NodeChange change);

}  // namespace asg
