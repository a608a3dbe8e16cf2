#pragma once

#include <string>
#include <vector>

#include "asg/compile/pass.h"
#include "asg/graph/card.h"
#include "asg/graph/graph.h"
#include "asg/graph/walk.h"

namespace asg::passes {

// A graph under surgery, walked once from inputs to outputs: whoever holds it visits the nodes of `order`, calls
// `refresh` on each and then forwards, replaces or leaves it. Nodes that stay keep their ids and are shared with the
// given graph.
//
// Types are kept: a value is replaced only by one of the same type. What is known of contents may grow, and then what
// stands behind is inferred anew as it is visited.
class Rewriter {
 public:
  explicit Rewriter(Graph graph);

  const Graph& graph() const { return graph_; }
  const std::vector<NodeId>& order() const { return order_; }  // of the given graph
  const Node& node(NodeId id) const { return graph_.node(id); }
  Value resolved(Value value) const;  // where it went; itself where it stays

  // Brings the inputs of a node up to date, and its types where what stands before it has changed.
  void refresh(NodeId id);

  // Whether one value may stand for another: the same type, and all contents that were known.
  static bool fits(const OutputInfo& old, const OutputInfo& now);

  // From now on `to` stands for `from`. False, and nothing happens, where it does not fit.
  bool forward(Value from, Value to);
  // Another op under the same id, name, scope and origin. False, and nothing happens, where the types would change or
  // the op refuses its inputs.
  bool replace(NodeId id, const OpCard& op, std::vector<Value> inputs, Attrs attrs);
  // A constant under the same id. Its length may be one that only data decided before.
  void replace_by_constant(NodeId id, Array value);
  // A new node in the place of `like`: its scope and origin, but no name. Throws what inference throws.
  NodeId add(const Node& like, const OpCard& op, std::vector<Value> inputs, Attrs attrs);
  Value add_constant(const Node& like, Array value);
  Value add_input(std::string name, TensorType type);
  // Another op or other inputs for a node, for whoever changes what it computes: what was known of its contents is
  // forgotten. Throws what inference throws.
  void reset(NodeId id, const OpCard& op, std::vector<Value> inputs, Attrs attrs);

  // Takes all out that were forwarded, and points outputs and updates to where their values went.
  PassResult finish(std::vector<std::string> notes);

 private:
  bool must_infer(Value old, Value now) const;
  void put(Node node, bool changed);

  Graph graph_;
  NodeId first_new_;  // nodes from here on are not in the given graph
  std::vector<NodeId> order_;
  Remap forwarded_;            // where values went that did not stay
  std::vector<bool> changed_;  // nodes of which more is known than in the given graph
};

bool is_constant(const Node& node);
// The value of a Constant node; null for all others.
const Array* constant_of(const Graph& graph, Value value);

}  // namespace asg::passes
