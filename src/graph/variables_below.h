#pragma once

#include <set>
#include <string_view>

#include "asg/graph/graph.h"

namespace asg {

// The variables of a model that a person means by a path: the one of that name; those that a layer binds, or a layer
// inside it ("block/attention"); those of all nodes in a scope. Throws unknown_scope, with the nearest name, and
// unknown_variable where what it names holds none.
std::set<VarId> variables_below(const Graph& model, std::string_view path);

}  // namespace asg
