#pragma once

#include <functional>
#include <string>
#include <vector>

#include "asg/graph/card.h"

namespace asg {

// What a device can do. What it lacks is lowered through the op's body; an op without a body runs on the host with
// transfers, unless that is forbidden.
struct Capabilities {
  std::function<bool(const OpCard& op)> supports_op = {};  // empty: every op
  // Of the ops that it supports, those nodes that it does not (by their types); empty: none.
  std::function<bool(const Node& node)> declines = {};
  DTypeSet dtypes = kAnyType;
  bool allow_host_fallback = true;
  // Nodes that the device wants in whole regions rather than one by one: each region becomes one Carrier node, which
  // is handed to `execute`. Empty: none.
  std::function<bool(const Node& node)> claims = {};
  // Whether `compile` runs the graph passes for it. The interpreter, which others are compared with, runs graphs as
  // they are given.
  bool wants_passes = false;
  std::vector<std::string> features = {};  // beyond the primitives, in words

  bool supports(const OpCard& op) const { return op.traits.leaf || !supports_op || supports_op(op); }
  bool supports(const Node& node) const { return supports(*node.op) && !(declines && declines(node)); }
};

}  // namespace asg
