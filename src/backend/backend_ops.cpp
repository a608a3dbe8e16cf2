// The typed methods of the contract in their default form: each says what it is and goes on to run_primitive.
#include "asg/backend/backend.h"

namespace asg {
namespace {

using IntegerSpan = std::span<const std::int64_t>;

Attrs with_axis(std::int64_t axis) { return {{"axis", axis}}; }

}  // namespace

#define ASG_UNARY(method, op) \
  DeviceArray Backend::method(const DeviceArray& x) { return run_primitive(PrimitiveCall(op, {x})).at(0); }
#define ASG_BINARY(method, op)                                              \
  DeviceArray Backend::method(const DeviceArray& a, const DeviceArray& b) { \
    return run_primitive(PrimitiveCall(op, {a, b})).at(0);                  \
  }
#define ASG_REDUCTION(method, op)                                                            \
  DeviceArray Backend::method(const DeviceArray& x, IntegerSpan axes, bool keepdims) {       \
    return run_primitive(PrimitiveCall(op, {x}, {{"keepdims", keepdims}}).with(axes)).at(0); \
  }
#define ASG_WITH_INTS(method, op)                                           \
  DeviceArray Backend::method(const DeviceArray& x, IntegerSpan integers) { \
    return run_primitive(PrimitiveCall(op, {x}).with(integers)).at(0);      \
  }

ASG_BINARY(add, "Add")
ASG_BINARY(sub, "Sub")
ASG_BINARY(mul, "Mul")
ASG_BINARY(div, "Div")
ASG_UNARY(neg, "Neg")
ASG_UNARY(abs, "Abs")
ASG_UNARY(sqrt, "Sqrt")
ASG_UNARY(exp, "Exp")
ASG_UNARY(log, "Log")
ASG_BINARY(pow, "Pow")
ASG_BINARY(matmul, "MatMul")
ASG_REDUCTION(reduce_sum, "ReduceSum")
ASG_REDUCTION(reduce_mean, "ReduceMean")
ASG_REDUCTION(reduce_max, "ReduceMax")
ASG_REDUCTION(reduce_min, "ReduceMin")
ASG_WITH_INTS(reshape, "Reshape")
ASG_WITH_INTS(squeeze, "Squeeze")
ASG_WITH_INTS(unsqueeze, "Unsqueeze")
ASG_UNARY(identity, "Identity")
ASG_BINARY(equal, "Equal")
ASG_BINARY(greater, "Greater")
ASG_BINARY(less, "Less")

DeviceArray Backend::transpose(const DeviceArray& x, IntegerSpan perm) {
  Attrs attrs;
  if (!perm.empty()) attrs.set("perm", std::vector<std::int64_t>(perm.begin(), perm.end()));
  return run_primitive(PrimitiveCall("Transpose", {x}, std::move(attrs))).at(0);
}

DeviceArray Backend::concat(std::span<const DeviceArray> inputs, std::int64_t axis) {
  PrimitiveCall call("Concat", {}, with_axis(axis));
  for (const DeviceArray& input : inputs) call.operands.push_back({input, std::nullopt});
  return run_primitive(call).at(0);
}

DeviceArray Backend::slice(const DeviceArray& x, IntegerSpan starts, IntegerSpan ends, IntegerSpan axes,
                           IntegerSpan steps) {
  return run_primitive(PrimitiveCall("Slice", {x}).with(starts).with(ends).with(axes).with(steps)).at(0);
}

DeviceArrays Backend::split(const DeviceArray& x, std::int64_t axis, IntegerSpan sizes, std::int64_t parts) {
  Attrs attrs = with_axis(axis);
  attrs.set("num_outputs", parts);
  return run_primitive(PrimitiveCall("Split", {x}, std::move(attrs)).with(sizes));
}

DeviceArray Backend::cast(const DeviceArray& x, DType to) {
  return run_primitive(PrimitiveCall("Cast", {x}, {{"to", to}})).at(0);
}

DeviceArray Backend::where(const DeviceArray& condition, const DeviceArray& a, const DeviceArray& b) {
  return run_primitive(PrimitiveCall("Where", {condition, a, b})).at(0);
}

DeviceArray Backend::constant(const Array& value) { return upload(value); }

DeviceArray Backend::gather(const DeviceArray& x, const DeviceArray& indices, std::int64_t axis) {
  return run_primitive(PrimitiveCall("Gather", {x, indices}, with_axis(axis))).at(0);
}

}  // namespace asg
