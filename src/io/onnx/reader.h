#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "asg/graph/graph.h"
#include "io/onnx/lift.h"
#include "io/onnx/model.h"
#include "io/onnx/table.h"

namespace asg::io {

// Names that are not taken yet: "name", "name_2", "name_3" … A table of what was tried keeps a file in which everything
// has one name from taking for ever.
class Numbered {
 public:
  template <class IsTaken>
  std::string free(const std::string& name, const IsTaken& is_taken) {
    int& number = tried_[name];
    for (;;) {
      std::string candidate = ++number == 1 ? name : name + "_" + std::to_string(number);
      if (!is_taken(candidate)) return candidate;
    }
  }

 private:
  std::unordered_map<std::string, int> tried_;
};

// What the readers of a model and of its subgraphs share.
struct ReadState {
  const OnnxOptions& options;
  const ModelDef& model;
  OpTable ops = {};
  std::map<std::string, Dim, std::less<>> symbols = {};  // dims by the name that the file gives
  Numbered symbol_names = {};
  std::set<std::string> symbols_taken = {};
  std::map<std::pair<std::string, std::string>, const FunctionDef*> functions = {};  // by domain and name
  std::int64_t nodes = 0;                                                            // read so far
  std::int64_t made_names = 0;
};

// Builds one graph: that of the model, or one that a node carries. Values stand in a table by their ONNX names.
class GraphReader : private LiftContext {
 public:
  GraphReader(ReadState& state, Graph& graph) : state_(state), graph_(graph) {}

  // The graph of the model: inputs, initialisers, nodes, outputs. Returns the inputs by their ONNX names.
  std::map<std::string, std::string, std::less<>> read_model(const GraphDef& def);

 private:
  using Captures = std::vector<std::string>;

  // ---- What an adapter sees.
  TensorType type_of(const std::string& value) override { return value_of(value).type(); }
  std::optional<Array> constant_value(const std::string& value) override;
  std::string constant(Array value) override;
  std::string emit(std::string op, std::vector<std::string> inputs, std::vector<AttrDef> attributes) override;
  void alias(const std::string& name, const std::string& value) override;

  // ---- Values.
  Tensor value_of(const std::string& name);  // throws dangling_value
  void define(const std::string& name, const Tensor& value);
  std::string made_name();

  // ---- Inputs and initialisers.
  void read_input(const ValueDef& def);
  Tensor initial(const TensorDef& def);
  TensorType declared(const ValueDef& def);
  bool becomes_constant(const std::string& name, const Array& given) const;
  std::string input_name(const std::string& name);  // one that the graph accepts
  void find_uses(const GraphDef& def);

  // ---- Nodes.
  void read_nodes(const std::vector<NodeDef>& nodes);
  void read_node(NodeDef node, int depth);
  void add_node(const NodeDef& node);
  std::vector<Value> operands(const OpCard& card, const NodeDef& node);
  Tensor random_variable(std::string_view name);
  void set_outputs(const GraphDef& def);

  // ---- Subgraphs.
  void read_graphs(const OpCard& card, const NodeDef& node, Attrs& attrs, std::vector<Value>& inputs);
  GraphPtr read_graph(const NodeDef& node, const GraphDef& def, const Captures& captures);
  void believe(const ValueDef& def);
  std::vector<TensorType> body_types(const NodeDef& node, const GraphDef& def);
  TensorType element_type(const NodeDef& node, std::size_t index, std::int64_t states);

  ReadState& state_;
  Graph& graph_;
  std::unordered_map<std::string, Tensor> values_;
  std::unordered_map<std::string, const TensorDef*> initializers_;  // those that nothing has used so far
  Numbered node_names_;                                             // paths
  Numbered variable_names_;
  std::set<std::string, std::less<>> differentiable_;  // names at operands that have a gradient
  std::set<std::string, std::less<>> indifferent_;     // names at operands that have none
};

// Names that a graph uses and does not define, in the order of their first use.
std::vector<std::string> free_names(const GraphDef& def);

// The nodes of a function in place of a call: inputs, outputs and attributes are those of the call, all other values
// get names that begin with `prefix`.
std::vector<NodeDef> inlined(const FunctionDef& function, const NodeDef& call, const std::string& prefix);

}  // namespace asg::io
