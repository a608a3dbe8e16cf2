// From nodes to typed methods.
#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "asg/backend/attribute_codec.h"
#include "asg/backend/primitives.h"
#include "asg/backend/walk.h"
#include "asg/graph/infer.h"
#include "backend/at_node.h"

namespace asg {
namespace {

using Integers = std::vector<std::int64_t>;

// A node with its input values, read as the typed methods want them.
struct Call {
  const DeviceArray& operator[](std::size_t index) const { return in[index]; }
  template <class T>
  T attribute(std::string_view name) const {
    return decode_attribute<T>(node, name);
  }

  // The contents of an integer input; nothing of an absent one.
  Integers ints(std::size_t index) const {
    if (index >= in.size() || !in[index]) return {};
    const std::string what = "input '" + std::string(node.op->inputs[index].name) + "' of op '" + node.op->name + "'";
    if (in[index].dtype() != DType::i64) {
      fail(ErrorCode::bad_dtype, std::string(name_of(in[index].dtype())) + " for " + what, "i64",
           "convert it with cast");
    }
    if (in[index].sizes().size() > 1) {
      fail(ErrorCode::bad_shape, in[index].to_string() + " for " + what, "a list of integers",
           "reshape it to one axis");
    }
    const Array array = backend.download(in[index]);
    Integers integers;
    for (std::int64_t position = 0; position < array.count(); ++position) integers.push_back(array.get_i64(position));
    return integers;
  }

  Backend& backend;
  const Node& node;
  std::span<const DeviceArray> in;
};

using Method = DeviceArrays (*)(const Call&);

template <DeviceArray (Backend::*method)(const DeviceArray&)>
DeviceArrays unary(const Call& call) {
  return {(call.backend.*method)(call[0])};
}

template <DeviceArray (Backend::*method)(const DeviceArray&, const DeviceArray&)>
DeviceArrays binary(const Call& call) {
  return {(call.backend.*method)(call[0], call[1])};
}

template <DeviceArray (Backend::*method)(const DeviceArray&, std::span<const std::int64_t>)>
DeviceArrays with_ints(const Call& call) {
  return {(call.backend.*method)(call[0], call.ints(1))};
}

template <DeviceArray (Backend::*method)(const DeviceArray&, std::span<const std::int64_t>, bool)>
DeviceArrays reduction(const Call& call) {
  const Integers axes = call.ints(1);
  // No axes mean all in the typed methods.
  if (axes.empty() && call.attribute<bool>("noop_with_empty_axes")) return {call.backend.identity(call[0])};
  return {(call.backend.*method)(call[0], axes, call.attribute<bool>("keepdims"))};
}

// In the typed method a 0 copies the length of its axis. Where it is meant as 0 the tensor has no elements; flattened
// it has no other length that could be copied.
DeviceArrays reshape(const Call& call) {
  const Integers shape = call.ints(1);
  const bool means_zero = call.attribute<bool>("allowzero") && std::find(shape.begin(), shape.end(), 0) != shape.end();
  const DeviceArray x = means_zero ? call.backend.reshape(call[0], Integers{-1}) : call[0];
  return {call.backend.reshape(x, shape)};
}

DeviceArrays transpose(const Call& call) { return {call.backend.transpose(call[0], call.attribute<Integers>("perm"))}; }
DeviceArrays concat(const Call& call) { return {call.backend.concat(call.in, call.attribute<std::int64_t>("axis"))}; }
DeviceArrays slice(const Call& call) {
  return {call.backend.slice(call[0], call.ints(1), call.ints(2), call.ints(3), call.ints(4))};
}
DeviceArrays split(const Call& call) {
  return call.backend.split(call[0], call.attribute<std::int64_t>("axis"), call.ints(1),
                            call.attribute<std::int64_t>("num_outputs"));
}
DeviceArrays cast(const Call& call) { return {call.backend.cast(call[0], call.attribute<DType>("to"))}; }
DeviceArrays where(const Call& call) { return {call.backend.where(call[0], call[1], call[2])}; }
DeviceArrays constant(const Call& call) { return {call.backend.constant(call.attribute<Array>("value"))}; }
DeviceArrays gather(const Call& call) {
  return {call.backend.gather(call[0], call[1], call.attribute<std::int64_t>("axis"))};
}

const std::unordered_map<std::string_view, Method>& methods() {
  static const std::unordered_map<std::string_view, Method> kMethods = {
      {"Add", binary<&Backend::add>},
      {"Sub", binary<&Backend::sub>},
      {"Mul", binary<&Backend::mul>},
      {"Div", binary<&Backend::div>},
      {"Neg", unary<&Backend::neg>},
      {"Abs", unary<&Backend::abs>},
      {"Sqrt", unary<&Backend::sqrt>},
      {"Exp", unary<&Backend::exp>},
      {"Log", unary<&Backend::log>},
      {"Pow", binary<&Backend::pow>},
      {"MatMul", binary<&Backend::matmul>},
      {"ReduceSum", reduction<&Backend::reduce_sum>},
      {"ReduceMean", reduction<&Backend::reduce_mean>},
      {"ReduceMax", reduction<&Backend::reduce_max>},
      {"ReduceMin", reduction<&Backend::reduce_min>},
      {"Reshape", reshape},
      {"Transpose", transpose},
      {"Concat", concat},
      {"Slice", slice},
      {"Split", split},
      {"Squeeze", with_ints<&Backend::squeeze>},
      {"Unsqueeze", with_ints<&Backend::unsqueeze>},
      {"Identity", unary<&Backend::identity>},
      {"Cast", cast},
      {"Equal", binary<&Backend::equal>},
      {"Greater", binary<&Backend::greater>},
      {"Less", binary<&Backend::less>},
      {"Where", where},
      {"Constant", constant},
      {"Gather", gather},
  };
  return kMethods;
}

bool fits(const OpCard& op, std::span<const DeviceArray> inputs) {
  const int count = static_cast<int>(inputs.size());
  if (count < op.least_inputs() || (op.most_inputs() >= 0 && count > op.most_inputs())) return false;
  for (std::size_t index = 0; index < inputs.size(); ++index) {
    const Port& port = op.inputs[std::min(index, op.inputs.size() - 1)];
    if (!inputs[index] && port.kind != PortKind::optional) return false;
  }
  return true;
}

// A typed method can be called only when its operands are there. What is wrong is said by inference, in its words.
void check_inputs(const Node& node, std::span<const DeviceArray> inputs) {
  if (fits(*node.op, inputs)) return;
  std::vector<OutputInfo> infos(inputs.size());
  std::vector<const OutputInfo*> pointers;
  for (std::size_t index = 0; index < inputs.size(); ++index) {
    if (inputs[index]) infos[index].type = {inputs[index].dtype(), Shape::of(inputs[index].sizes())};
    pointers.push_back(inputs[index] ? &infos[index] : nullptr);
  }
  infer(*node.op, node.attrs, node.body, pointers, [] { return Dim(1); });
  fail_internal("inference accepts inputs that do not fit the ports of " + node.op->name);
}

}  // namespace

bool is_primitive(const OpCard& op) { return methods().contains(op.name); }

DeviceArrays run_node(Backend& backend, const Node& node, std::span<const DeviceArray> inputs) {
  return at_node(node, [&] {
    check_inputs(node, inputs);
    const auto method = methods().find(node.op->name);
    return method == methods().end() ? backend.run_op(node, inputs) : method->second({backend, node, inputs});
  });
}

}  // namespace asg
