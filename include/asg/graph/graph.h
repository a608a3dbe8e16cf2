#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "asg/core/source_location.h"
#include "asg/core/type.h"
#include "asg/graph/attributes.h"
#include "asg/graph/ids.h"
#include "asg/graph/node.h"
#include "asg/graph/tensor.h"
#include "asg/graph/variable.h"

namespace asg {

// `variable` gets `value` when the step ends. All reads in the step see the old value.
struct Update {
  VarId variable;
  Value value;
  friend bool operator==(const Update&, const Update&) = default;
};

// A named result.
struct Output {
  std::string name;
  Value value;
  friend bool operator==(const Output&, const Output&) = default;
};

// All that can be said of a node when it is added. Only `op` is needed.
struct NodeSpec {
  const OpCard* op = nullptr;
  std::vector<Value> inputs = {};
  Attrs attrs = {};
  std::string name = {};
  std::string scope = {};              // below the graph's current scope
  std::vector<Binding> bindings = {};  // slots bound to existing variables; the others get new ones
  GraphPtr body = {};                  // for this instance; else the card's
  StreamKey stream = 0;                // 0: made from the new id where the op needs one
  std::shared_ptr<const Origin> origin = {};
  SourceLocation where = {};
};

// A program over tensors with state: nodes, named inputs and outputs, variables and their updates.
// The model, its gradient, the optimiser's update and the whole training step are all of this type.
// A value type: copies share their (immutable) nodes, so a copy costs little.
//
// Invariants of a graph that `validate` accepts: ids are unique, every input refers to an existing output, there is no
// cycle, names are unique, types are what inference gives, layers bind each slot to a variable of its type.
class Graph {
 public:
  explicit Graph(std::string name = "model", GraphId id = GraphId{1});

  const std::string& name() const { return name_; }
  GraphId id() const { return id_; }
  void set_name(std::string name) { name_ = std::move(name); }
  void set_id(GraphId id) { id_ = id; }

  // ---- Building: types are inferred and everything is checked at once; a refused call changes nothing.
  Tensor input(std::string name, TensorType type, SourceLocation where = SourceLocation::current());
  Tensor constant(Array value, SourceLocation where = SourceLocation::current());
  Tensor scalar(DType dtype, double value, SourceLocation where = SourceLocation::current());
  VarId add_variable(Variable variable);  // its id is set here unless given; throws duplicate_name
  Tensor parameter(std::string name, TensorType type, Initializer init,
                   SourceLocation where = SourceLocation::current());
  Tensor read(VarId variable, SourceLocation where = SourceLocation::current());  // one Variable node per variable
  NodeId add(NodeSpec spec);
  std::vector<Tensor> add_outputs(NodeSpec spec);  // as add, all outputs as tensors
  Tensor tensor(Value value) { return Tensor(*this, value); }
  void set_output(std::string name, const Tensor& value);  // replaces an output of that name
  void add_update(VarId variable, const Tensor& value);    // replaces an update of that variable
  // Another name for a node; variables that carry its path in their names follow. Throws duplicate_name, bad_name.
  void rename(NodeId node, std::string name);

  // Nodes added while it lives stand in the scope `name` below the current one.
  class ScopeGuard {
   public:
    ScopeGuard(Graph& graph, std::string_view name);
    ~ScopeGuard();
    ScopeGuard(const ScopeGuard&) = delete;
    ScopeGuard& operator=(const ScopeGuard&) = delete;

   private:
    Graph& graph_;
    std::string outer_;
  };
  const std::string& current_scope() const { return scope_; }

  // Nodes added while it lives carry this origin unless they name one of their own.
  class OriginGuard {
   public:
    OriginGuard(Graph& graph, std::shared_ptr<const Origin> origin);
    ~OriginGuard();
    OriginGuard(const OriginGuard&) = delete;
    OriginGuard& operator=(const OriginGuard&) = delete;

   private:
    Graph& graph_;
    std::shared_ptr<const Origin> outer_;
  };

  // ---- Looking.
  std::size_t node_count() const { return live_; }
  bool has(NodeId id) const { return id.number < nodes_.size() && nodes_[id.number] != nullptr; }
  const Node& node(NodeId id) const;  // throws unknown_node
  const NodePtr& node_ptr(NodeId id) const;
  std::vector<NodeId> node_ids() const;                                                     // rising
  NodeId last_id() const { return NodeId{static_cast<std::uint32_t>(nodes_.size() - 1)}; }  // none when empty
  const OutputInfo& info(Value value) const;  // throws unknown_node, bad_index
  const TensorType& type(Value value) const { return info(value).type; }
  NodeId find_node(std::string_view path) const;  // "scope/name"; none when there is no such name
  std::string free_name(std::string_view scope, std::string_view stem) const;  // "stem_1", or the next that is free
  std::span<const NodeId> inputs() const { return inputs_; }
  std::span<const Output> outputs() const { return outputs_; }
  const Output* find_output(std::string_view name) const;
  std::span<const Update> updates() const { return updates_; }
  std::vector<VarId> variable_ids() const;  // rising
  bool has(VarId id) const { return id.number < variables_.size() && variables_[id.number] != nullptr; }
  const Variable& variable(VarId id) const;          // throws unknown_variable
  VarId find_variable(std::string_view name) const;  // none when there is no such name
  NodeId reader_of(VarId id) const;                  // its Variable node; none when nothing reads it directly

  // ---- Surgery for edits, passes and readers: no inference, no checks beyond memory safety. Whoever uses it
  // leaves a graph that validates.
  NodeId reserve_node_id();
  VarId reserve_variable_id();
  NodeId next_node_id() const { return NodeId{static_cast<std::uint32_t>(nodes_.size())}; }
  VarId next_variable_id() const { return VarId{static_cast<std::uint32_t>(variables_.size())}; }
  void reserve_ids(NodeId next_node, VarId next_variable);  // ids below these are never handed out again
  void put(Node node);                                      // under node.id, new or in place of the old one
  void put(NodePtr node);
  void erase(NodeId id);
  void put(Variable variable);
  void erase(VarId id);
  void set_inputs(std::vector<NodeId> inputs) { inputs_ = std::move(inputs); }
  void set_outputs(std::vector<Output> outputs) { outputs_ = std::move(outputs); }
  void set_updates(std::vector<Update> updates) { updates_ = std::move(updates); }
  Dim fresh_symbol();  // "?1", "?2" …: a length that only the data decides

  // Same nodes, names, variables, outputs and updates (not the counters behind fresh ids).
  friend bool operator==(const Graph& a, const Graph& b);

 private:
  std::string check_name(std::string_view scope, std::string name) const;
  std::vector<Binding> bind_slots(const std::string& path, const std::vector<Variable>& slots,
                                  const std::vector<Binding>& given);

  std::string name_;
  GraphId id_;
  std::vector<NodePtr> nodes_;  // by id; slot 0 and erased ones are null
  std::size_t live_ = 0;
  std::unordered_map<std::string, NodeId> node_names_;  // full path of named nodes
  std::vector<NodeId> inputs_;
  std::vector<Output> outputs_;
  std::vector<std::shared_ptr<const Variable>> variables_;
  std::unordered_map<std::string, VarId> variable_names_;
  std::vector<Update> updates_;
  std::unordered_map<VarId, NodeId> readers_;  // the Variable node of each variable that is read
  std::string scope_;
  std::shared_ptr<const Origin> origin_;
  std::uint32_t fresh_symbols_ = 0;
};

}  // namespace asg
