#include "asg/graph/tensor.h"

#include "asg/graph/graph.h"
#include "asg/graph/registry.h"

namespace asg {

Graph& Tensor::graph() const {
  if (graph_ == nullptr) {
    fail(ErrorCode::missing_input, "a tensor without a value", "a tensor of a graph",
         "make it with Graph::input, Graph::constant, Graph::parameter or an op");
  }
  return *graph_;
}

const TensorType& Tensor::type() const { return graph().type(value_); }

Tensor Tensor::named(std::string name) const {
  graph().rename(value_.node, std::move(name));
  return *this;
}

Tensor Ints::in(Graph& graph, SourceLocation where) const {
  if (!given) return {};
  if (tensor.valid()) return tensor;
  return graph.constant(Array::ints(list), where);
}

namespace {

// The graph that all given tensors belong to.
Graph& common_graph(std::string_view op, const std::vector<Tensor>& inputs) {
  Graph* graph = nullptr;
  for (const Tensor& input : inputs) {
    if (!input.valid()) continue;
    if (graph == nullptr) graph = &input.graph();
    if (graph != &input.graph()) {
      fail(ErrorCode::foreign_tensor,
           "tensors of graphs '" + graph->name() + "' and '" + input.graph().name() + "' for op '" + std::string(op) +
               "'",
           "inputs of one graph", "build both in the same graph, or pass one as an input");
    }
  }
  if (graph == nullptr) {
    fail(ErrorCode::missing_input, "no input with a value for op '" + std::string(op) + "'", "at least one tensor",
         "ops without inputs are added with Graph::add");
  }
  return *graph;
}

Tensor binary(const char* op, const Operand& a, const Operand& b) {
  const Tensor& known = a.tensor.valid() ? a.tensor : b.tensor;
  auto as_tensor = [&](const Operand& operand) {
    return operand.tensor.valid() ? operand.tensor : known.graph().scalar(known.dtype(), operand.number, operand.where);
  };
  return add_op(op, {as_tensor(a), as_tensor(b)}, {}, a.where);
}

}  // namespace

std::vector<Tensor> add_op_outputs(std::string_view op, const std::vector<Tensor>& inputs, Attrs attrs,
                                   SourceLocation where) {
  Graph& graph = common_graph(op, inputs);
  NodeSpec spec;
  spec.op = &Registry::global().get(op);
  spec.inputs.reserve(inputs.size());
  for (const Tensor& input : inputs) spec.inputs.push_back(input.value());
  spec.attrs = std::move(attrs);
  spec.where = where;
  return graph.add_outputs(std::move(spec));
}

Tensor add_op(std::string_view op, const std::vector<Tensor>& inputs, Attrs attrs, SourceLocation where) {
  return add_op_outputs(op, inputs, std::move(attrs), where).front();
}

Tensor operator+(const Operand& a, const Operand& b) { return binary("Add", a, b); }
Tensor operator-(const Operand& a, const Operand& b) { return binary("Sub", a, b); }
Tensor operator*(const Operand& a, const Operand& b) { return binary("Mul", a, b); }
Tensor operator/(const Operand& a, const Operand& b) { return binary("Div", a, b); }
Tensor operator<(const Operand& a, const Operand& b) { return binary("Less", a, b); }
Tensor operator>(const Operand& a, const Operand& b) { return binary("Greater", a, b); }
Tensor operator-(const Operand& a) { return add_op("Neg", {a.tensor}, {}, a.where); }

}  // namespace asg
