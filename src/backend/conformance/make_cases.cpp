#include <utility>

#include "backend/conformance/suite.h"

namespace asg::conformance {
namespace {

template <class Method>
Typed call_unary(Method method) {
  return [method](Backend& backend, const DeviceArrays& x) { return DeviceArrays{(backend.*method)(x.at(0))}; };
}
template <class Method>
Typed call_binary(Method method) {
  return
      [method](Backend& backend, const DeviceArrays& x) { return DeviceArrays{(backend.*method)(x.at(0), x.at(1))}; };
}

Typed typed_unary(const std::string& op) {
  if (op == "Neg") return call_unary(&Backend::neg);
  if (op == "Abs") return call_unary(&Backend::abs);
  if (op == "Sqrt") return call_unary(&Backend::sqrt);
  if (op == "Exp") return call_unary(&Backend::exp);
  if (op == "Log") return call_unary(&Backend::log);
  internal_check(op == "Identity", "a unary primitive without a typed method");
  return call_unary(&Backend::identity);
}

Typed typed_binary(const std::string& op) {
  if (op == "Add") return call_binary(&Backend::add);
  if (op == "Sub") return call_binary(&Backend::sub);
  if (op == "Mul") return call_binary(&Backend::mul);
  if (op == "Div") return call_binary(&Backend::div);
  if (op == "Pow") return call_binary(&Backend::pow);
  if (op == "MatMul") return call_binary(&Backend::matmul);
  if (op == "Equal") return call_binary(&Backend::equal);
  if (op == "Greater") return call_binary(&Backend::greater);
  internal_check(op == "Less", "a binary primitive without a typed method");
  return call_binary(&Backend::less);
}

using ReductionMethod = DeviceArray (Backend::*)(const DeviceArray&, std::span<const std::int64_t>, bool);

ReductionMethod reduction_method(const std::string& op) {
  if (op == "ReduceSum") return &Backend::reduce_sum;
  if (op == "ReduceMean") return &Backend::reduce_mean;
  if (op == "ReduceMax") return &Backend::reduce_max;
  internal_check(op == "ReduceMin", "a reduction without a typed method");
  return &Backend::reduce_min;
}

using ReshapeMethod = DeviceArray (Backend::*)(const DeviceArray&, std::span<const std::int64_t>);

ReshapeMethod reshape_method(const std::string& op) {
  if (op == "Reshape") return &Backend::reshape;
  if (op == "Squeeze") return &Backend::squeeze;
  internal_check(op == "Unsqueeze", "a change of shape without a typed method");
  return &Backend::unsqueeze;
}

Case make(std::string op, std::string name, std::vector<Operand> operands, Attrs attrs, std::vector<Array> expected,
          Typed typed) {
  Case made;
  made.name = op + " " + std::move(name);
  made.op = std::move(op);
  made.operands = std::move(operands);
  made.attrs = std::move(attrs);
  made.expected = std::move(expected);
  made.typed = std::move(typed);
  return made;
}

}  // namespace

Operand tensor(Array array) { return {Operand::Kind::tensor, std::move(array)}; }
Operand integers(Integers values) { return {Operand::Kind::integers, Array::ints(values)}; }
Operand integers_or_absent(Integers values) {
  if (values.empty()) return {Operand::Kind::absent, {}};
  return integers(std::move(values));
}

Array reals(Sizes sizes, const std::vector<double>& values, DType dtype) {
  return Array::of<double>(std::move(sizes), values).cast(dtype);
}
Array longs(Sizes sizes, const Integers& values) { return Array::of<std::int64_t>(std::move(sizes), values); }
Array flags(Sizes sizes, const std::vector<int>& values) {
  Array array(DType::boolean, std::move(sizes));
  for (std::size_t k = 0; k < values.size(); ++k) array.set_i64(static_cast<std::int64_t>(k), values[k]);
  return array;
}

Case unary_case(std::string op, std::string name, Array x, Array expected, double tolerance) {
  Typed typed = typed_unary(op);
  Case made = make(std::move(op), std::move(name), {tensor(std::move(x))}, {}, {std::move(expected)}, std::move(typed));
  made.tolerance = tolerance;
  return made;
}

Case binary_case(std::string op, std::string name, Array a, Array b, Array expected, double tolerance) {
  Typed typed = typed_binary(op);
  Case made = make(std::move(op), std::move(name), {tensor(std::move(a)), tensor(std::move(b))}, {},
                   {std::move(expected)}, std::move(typed));
  made.tolerance = tolerance;
  return made;
}

Case reduction_case(std::string op, std::string name, Array x, Integers axes, bool keepdims, Array expected) {
  const ReductionMethod method = reduction_method(op);
  Typed typed = [=](Backend& backend, const DeviceArrays& given) {
    return DeviceArrays{(backend.*method)(given.at(0), axes, keepdims)};
  };
  return make(std::move(op), std::move(name), {tensor(std::move(x)), integers_or_absent(axes)},
              {{"keepdims", keepdims}}, {std::move(expected)}, std::move(typed));
}

Case reshape_case(std::string op, std::string name, Array x, Integers values, Array expected) {
  const ReshapeMethod method = reshape_method(op);
  Typed typed = [=](Backend& backend, const DeviceArrays& given) {
    return DeviceArrays{(backend.*method)(given.at(0), values)};
  };
  Operand operand = op == "Squeeze" ? integers_or_absent(values) : integers(values);
  return make(std::move(op), std::move(name), {tensor(std::move(x)), std::move(operand)}, {}, {std::move(expected)},
              std::move(typed));
}

Case transpose_case(std::string name, Array x, Integers perm, Array expected) {
  Attrs attrs;
  if (!perm.empty()) attrs.set("perm", perm);
  Typed typed = [=](Backend& backend, const DeviceArrays& given) {
    return DeviceArrays{backend.transpose(given.at(0), perm)};
  };
  return make("Transpose", std::move(name), {tensor(std::move(x))}, std::move(attrs), {std::move(expected)},
              std::move(typed));
}

Case concat_case(std::string name, std::vector<Array> inputs, std::int64_t axis, Array expected) {
  std::vector<Operand> operands;
  for (Array& input : inputs) operands.push_back(tensor(std::move(input)));
  Typed typed = [=](Backend& backend, const DeviceArrays& given) { return DeviceArrays{backend.concat(given, axis)}; };
  return make("Concat", std::move(name), std::move(operands), {{"axis", axis}}, {std::move(expected)},
              std::move(typed));
}

Case slice_case(std::string name, Array x, SliceOf slice, Array expected) {
  Typed typed = [=](Backend& backend, const DeviceArrays& given) {
    return DeviceArrays{backend.slice(given.at(0), slice.starts, slice.ends, slice.axes, slice.steps)};
  };
  std::vector<Operand> operands = {tensor(std::move(x)), integers(slice.starts), integers(slice.ends),
                                   integers_or_absent(slice.axes), integers_or_absent(slice.steps)};
  return make("Slice", std::move(name), std::move(operands), {}, {std::move(expected)}, std::move(typed));
}

Case split_case(std::string name, Array x, std::int64_t axis, Integers sizes, std::int64_t parts,
                std::vector<Array> expected) {
  Typed typed = [=](Backend& backend, const DeviceArrays& given) {
    return backend.split(given.at(0), axis, sizes, parts);
  };
  Attrs attrs = {{"axis", axis}};
  if (parts != 0) attrs.set("num_outputs", parts);
  return make("Split", std::move(name), {tensor(std::move(x)), integers_or_absent(sizes)}, std::move(attrs),
              std::move(expected), std::move(typed));
}

Case cast_case(std::string name, Array x, DType to, Array expected) {
  Typed typed = [=](Backend& backend, const DeviceArrays& given) {
    return DeviceArrays{backend.cast(given.at(0), to)};
  };
  return make("Cast", std::move(name), {tensor(std::move(x))}, {{"to", to}}, {std::move(expected)}, std::move(typed));
}

Case where_case(std::string name, Array condition, Array a, Array b, Array expected) {
  Typed typed = [](Backend& backend, const DeviceArrays& given) {
    return DeviceArrays{backend.where(given.at(0), given.at(1), given.at(2))};
  };
  return make("Where", std::move(name), {tensor(std::move(condition)), tensor(std::move(a)), tensor(std::move(b))}, {},
              {std::move(expected)}, std::move(typed));
}

Case constant_case(std::string name, Array value) {
  Typed typed = [=](Backend& backend, const DeviceArrays&) { return DeviceArrays{backend.constant(value)}; };
  return make("Constant", std::move(name), {}, {{"value", value}}, {value}, std::move(typed));
}

Case gather_case(std::string name, Array x, Array indices, std::int64_t axis, Array expected) {
  Typed typed = [=](Backend& backend, const DeviceArrays& given) {
    return DeviceArrays{backend.gather(given.at(0), given.at(1), axis)};
  };
  return make("Gather", std::move(name), {tensor(std::move(x)), tensor(std::move(indices))}, {{"axis", axis}},
              {std::move(expected)}, std::move(typed));
}

}  // namespace asg::conformance
