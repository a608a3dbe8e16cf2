#pragma once

#include <functional>

#include "asg/graph/body.h"
#include "asg/graph/graph.h"
#include "asg/graph/walk.h"

namespace asg {

struct Expansion {
  Graph graph;
  Remap remap;  // values of the given graph → values of the expanded one
};

// The random stream of a node inside a body with stream `body`. Grouping must change no random number, so a block made
// by it has no stream (0) and its nodes keep theirs; inside any other body the path tells nodes apart, which survives
// edits of their neighbours.
StreamKey stream_inside(StreamKey body, const Node& node);

// Whether nodes of the op have a random stream: those that need one (OpCard::needs_stream), and those that run graphs
// which are their attributes (If, Scan, Loop, Call): their stream tells apart what two of them draw inside. A Carrier,
// whose nodes draw what they would draw outside, has none.
bool carries_stream(const OpCard& op);

// Replaces layers by their bodies until only plain ops are left.
//   expects:    a graph that validates
//   guarantees: the same function and updates in this mode; variables keep their ids; every new node has an origin
//               (node of the given graph, path inside it); the same graph gives the same ids
//   example:    nn.Linear(x) → MatMul(x, Variable weight), Add(…, Variable bias)
// `further` may ask for plain ops to be replaced by their bodies too (those that a target lacks).
Expansion expand(const Graph& graph, Mode mode, const std::function<bool(const Node&)>& further = {});

}  // namespace asg
