#pragma once

#include <span>
#include <vector>

#include "asg/graph/card.h"
#include "asg/graph/graph.h"

namespace asg {

// An op in smaller ops: a graph whose inputs are the op's inputs in order (absent ones left out), whose outputs are
// its outputs, and whose variables, by name, are its slots.
struct Body {
  Graph graph;
  std::vector<BodyContext::Governed> governed;
};

// Bodies hold layers that have bodies; deeper than this they are refused with limit_exceeded.
inline constexpr int kDeepestNesting = 64;
// How many bodies of nodes lie in each other inside `graph`: 0 where no node brings one of its own.
int nesting_of(const Graph& graph);

bool has_body(const OpCard& op, const GraphPtr& own_body);

// The body of a node for the given input types: its own where it has one (types inferred anew), else the card's.
// Throws not_expandable.
Body make_body(const OpCard& op, const Attrs& attrs, const GraphPtr& own_body,
               std::span<const OutputInfo* const> inputs, Mode mode);
Body make_body(const Graph& graph, const Node& node, Mode mode);

// The same graph with other input types: everything after them is inferred anew, variables are resized.
Graph retype(const Graph& graph, std::span<const OutputInfo> input_types);

}  // namespace asg
