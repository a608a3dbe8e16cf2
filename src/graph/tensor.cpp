#include "asg/graph/tensor.h"

#include "asg/graph/builder.h"
#include "asg/graph/graph.h"

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
  return add_node(op, node_inputs({}, inputs), {.where = where, .attrs = std::move(attrs)});
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
Tensor operator<=(const Operand& a, const Operand& b) { return binary("LessOrEqual", a, b); }
Tensor operator>=(const Operand& a, const Operand& b) { return binary("GreaterOrEqual", a, b); }
Tensor operator-(const Operand& a) { return add_op("Neg", {a.tensor}, {}, a.where); }

}  // namespace asg
