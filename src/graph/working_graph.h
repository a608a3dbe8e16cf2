#pragma once

#include <span>
#include <vector>

#include "asg/graph/graph.h"
#include "asg/graph/walk.h"

namespace asg {

// A graph while the commands of an edit change it: the model, or the body of a layer. Types are inferred anew only
// when somebody needs them (`settle`), so that commands which fit only together can stand in one edit.
class WorkingGraph {
 public:
  explicit WorkingGraph(const Graph& before);

  const Graph& now() const { return graph_; }  // types may be old
  Graph& settled();                            // all types as inference gives them; throws what it finds

  // Puts a node in place of the one with its id; its types are inferred later.
  void put(Node node);
  void mark(NodeId id) { dirty_.push_back(id); }
  void set_outputs(std::vector<Output> outputs) { graph_.set_outputs(std::move(outputs)); }
  void set_updates(std::vector<Update> updates) { graph_.set_updates(std::move(updates)); }
  void put(Variable variable) { graph_.put(std::move(variable)); }

  // Everything that uses `from` uses `to` instead: nodes (but `except`), outputs, updates. Returns how many places.
  int move_uses(Value from, Value to, NodeId except = {});
  bool is_used(Value value) const;
  // Removes a node that nobody uses, and the constants and reads of variables that only it used.
  void remove(NodeId id);
  // The same for several at once, which may use each other.
  void remove(std::span<const NodeId> ids);

  // Infers what is left and drops the variables that the edit left without a user.
  Graph finish() &&;

 private:
  std::vector<bool> used_variables() const;

  Graph graph_;
  std::vector<NodeId> dirty_;
  std::vector<bool> unused_before_;  // by variable: nobody used it when the edit began, so it stays
};

}  // namespace asg
