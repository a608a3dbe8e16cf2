#include "asg/graph/contexts.h"

#include "asg/graph/card.h"
#include "asg/graph/graph.h"
#include "asg/graph/registry.h"

namespace asg {

const Attr* AttrReader::find(std::string_view name) const {
  if (const Attr* given = attrs_->find(name)) return given;
  const AttrSpec* spec = op_->find_attribute(name);
  return spec != nullptr && spec->fallback ? &*spec->fallback : nullptr;
}

const Attr& AttrReader::attr(std::string_view name) const {
  if (const Attr* found = find(name)) return *found;
  fail(ErrorCode::missing_attribute, "no attribute '" + std::string(name) + "' for op '" + op_->name + "'",
       "the attribute, which has no default");
}

// ---- InferContext

InferContext::InferContext(const OpCard& op, const Attrs& attrs, std::span<const OutputInfo* const> inputs,
                           std::function<Dim()> fresh_symbol)
    : AttrReader(op, attrs), inputs_(inputs), fresh_symbol_(std::move(fresh_symbol)) {
  outputs_.reserve(op.outputs.size());
}

bool InferContext::has(int index) const {
  return index < input_count() && inputs_[static_cast<std::size_t>(index)] != nullptr;
}

const TensorType& InferContext::type(int index) const {
  internal_check(has(index), "a type rule asks for an input that is absent");
  return inputs_[static_cast<std::size_t>(index)]->type;
}

std::optional<std::vector<Dim>> InferContext::known(int index) const {
  if (!has(index)) return std::nullopt;
  const auto& known = inputs_[static_cast<std::size_t>(index)]->known;
  return known ? std::optional(*known) : std::nullopt;
}

std::vector<Dim> InferContext::need_known(int index) const {
  if (auto contents = known(index)) return *std::move(contents);
  const auto& ports = op().inputs;
  const auto port = std::min(static_cast<std::size_t>(index), ports.size() - 1);
  fail(ErrorCode::missing_value, "input '" + std::string(ports[port].name) + "' that is only known when the graph runs",
       "integers that are known while building, because the rank or size of the result depends on them",
       "use a constant, or compute it from Shape by Gather, Slice, Concat and arithmetic");
}

void InferContext::output(int index, TensorType type) {
  const auto slot = static_cast<std::size_t>(index);
  if (slot >= outputs_.size()) outputs_.resize(slot + 1);
  outputs_[slot].type = std::move(type);
}

void InferContext::output_known(int index, std::vector<Dim> contents) {
  const auto slot = static_cast<std::size_t>(index);
  internal_check(slot < outputs_.size(), "a type rule gives contents before the type of the output");
  outputs_[slot].known = std::make_shared<const std::vector<Dim>>(std::move(contents));
}

// ---- GradientContext

namespace {

// Sums `gradient` over the axes along which `target` was broadcast to its shape.
Tensor sum_over_broadcast(const Tensor& gradient, const Shape& target) {
  const Shape& shape = gradient.shape();
  const int extra = shape.rank() - target.rank();
  internal_check(extra >= 0, "a gradient has fewer axes than its input");
  std::vector<std::int64_t> leading;
  std::vector<std::int64_t> stretched;
  for (int axis = 0; axis < extra; ++axis) leading.push_back(axis);
  for (int axis = 0; axis < target.rank(); ++axis) {
    if (target[axis] == Dim(1) && shape[axis + extra] != Dim(1)) stretched.push_back(axis);
  }
  Tensor result = gradient;
  Graph& graph = gradient.graph();
  if (!leading.empty()) {
    result = add_op("ReduceSum", {result, graph.constant(Array::ints(leading))}, {{"keepdims", false}});
  }
  if (!stretched.empty()) {
    result = add_op("ReduceSum", {result, graph.constant(Array::ints(stretched))}, {{"keepdims", true}});
  }
  return result;
}

}  // namespace

Tensor GradientContext::grad(int index) {
  Tensor& gradient = output_grads[static_cast<std::size_t>(index)];
  if (!gradient.valid()) {
    const Tensor& output = out(index);
    gradient = add_op("Expand", {graph_->scalar(output.dtype(), 0), add_op("Shape", {output})});
  }
  return gradient;
}

void GradientContext::set(int index, Tensor gradient) {
  internal_check(!gradient.valid() || gradient.type() == in(index).type(),
                 "a gradient rule gives a gradient of another type than its input");
  results[static_cast<std::size_t>(index)] = gradient;
}

void GradientContext::set_summed(int index, Tensor gradient) {
  set(index, sum_over_broadcast(gradient, in(index).shape()));
}

// ---- BodyContext

Tensor BodyContext::parameter(std::string slot, Shape shape, Initializer init) {
  const DType dtype = inputs.empty() || !is_float(inputs.front().dtype()) ? DType::f32 : inputs.front().dtype();
  return graph_->parameter(std::move(slot), {dtype, std::move(shape)}, std::move(init));
}

Tensor BodyContext::buffer(std::string slot, TensorType type, Initializer init) {
  return graph_->read(graph_->add_variable({.id = {},
                                            .name = std::move(slot),
                                            .type = std::move(type),
                                            .init = std::move(init),
                                            .kind = VarKind::buffer,
                                            .trainable = false}));
}

void BodyContext::update(std::string_view slot, const Tensor& value) {
  if (!training()) return;
  const VarId variable = graph_->find_variable(slot);
  internal_check(static_cast<bool>(variable), "a body updates a slot that it does not declare");
  graph_->add_update(variable, value);
}

namespace {

Tensor shared_variable(Graph& graph, std::string_view name, VarKind kind) {
  VarId variable = graph.find_variable(name);
  if (!variable) {
    variable = graph.add_variable(
        {.id = {}, .name = std::string(name), .type = {DType::u64, {}}, .init = {}, .kind = kind, .trainable = false});
  }
  return graph.read(variable);
}

}  // namespace

Tensor BodyContext::seed() { return shared_variable(*graph_, kSeedVariable, VarKind::random); }
Tensor BodyContext::step() { return shared_variable(*graph_, kStepVariable, VarKind::counter); }

Tensor BodyContext::layer(std::string name, std::string_view op, std::vector<Tensor> layer_inputs, Attrs attrs) {
  return op_named(std::move(name), op, std::move(layer_inputs), std::move(attrs));
}

Tensor BodyContext::op_named(std::string name, std::string_view op, std::vector<Tensor> op_inputs, Attrs attrs) {
  NodeSpec spec;
  spec.op = &Registry::global().get(op);
  for (const Tensor& input : op_inputs) spec.inputs.push_back(input.value());
  spec.attrs = std::move(attrs);
  spec.name = std::move(name);
  return graph_->add_outputs(std::move(spec)).front();
}

void BodyContext::governed(std::string label, std::string inner, std::string attribute) {
  governed_by.push_back({std::move(label), std::move(inner), std::move(attribute)});
}

// ---- CostContext

double CostContext::elements(const TensorType& type) const {
  double count = 1;
  for (const Dim& dim : type.shape) count *= static_cast<double>(dim.known().value_or(1));
  return count;
}

}  // namespace asg
