// Where a card has another form than the op of ONNX.
#include <algorithm>

#include "asg/core/error.h"
#include "io/onnx/lift.h"

namespace asg::io {
namespace {

AttrDef tensor_attribute(Array value) {
  AttrDef result;
  result.name = "value";
  result.kind = AttrDef::Kind::tensor;
  result.tensor.value = std::move(value);
  return result;
}

Array floats(const std::vector<double>& values, Sizes sizes) {
  return Array::of<float>(std::move(sizes), std::vector<float>(values.begin(), values.end()));
}

// The value of a constant has six spellings.
void constant(LiftContext& /*context*/, NodeDef& node) {
  if (const auto sparse = node.find("sparse_value")) fail_onnx(sparse->text + " as a constant", "numbers or bools");
  for (const char* text : {"value_string", "value_strings"}) {
    if (node.find(text) != nullptr) fail_onnx("a tensor of strings as a constant", "numbers or bools");
  }
  if (const auto one = node.take("value_int")) node.set(tensor_attribute(Array::scalar_i64(one->integer)));
  if (const auto list = node.take("value_ints")) node.set(tensor_attribute(Array::ints(list->integers)));
  if (const auto one = node.take("value_float")) node.set(tensor_attribute(floats({one->real}, {})));
  if (const auto list = node.take("value_floats")) {
    node.set(tensor_attribute(floats(list->reals, {static_cast<std::int64_t>(list->reals.size())})));
  }
}

// ONNX allows one element of any rank as condition.
void condition(LiftContext& context, NodeDef& node) {
  if (context.type_of(node.operand(0)).shape.rank() == 0) return;
  node.inputs[0] = context.emit("Reshape", {node.inputs[0], integers(context, {})});
}

double ratio_of(LiftContext& context, NodeDef& node) {
  if (const auto attribute = node.take("ratio")) return attribute->real;
  if (!node.has_input(1)) return 0.5;
  const auto value = context.constant_value(node.inputs[1]);
  if (!value || value->count() != 1) {
    fail_onnx("a computed ratio for Dropout", "a constant", "fold constants before the export");
  }
  return value->get(0);
}

bool is_training(LiftContext& context, NodeDef& node) {
  if (node.opset < 7) {
    const auto test = node.take("is_test");
    return !test || test->integer == 0;
  }
  if (node.opset < 12 || !node.has_input(2)) return false;
  const auto value = context.constant_value(node.inputs[2]);
  if (!value || value->count() != 1) {
    fail_onnx("a computed training_mode for Dropout", "a constant", "fold constants before the export");
  }
  return value->get(0) != 0;
}

// The card drops always; a Dropout that does not train passes its input on, with a mask that keeps all.
void dropout(LiftContext& context, NodeDef& node) {
  const bool training = is_training(context, node);
  const double ratio = ratio_of(context, node);
  node.take("seed");
  const std::string input = node.operand(0);
  node.inputs = {input};
  if (training && ratio > 0) {
    AttrDef attribute;
    attribute.name = "ratio";
    attribute.kind = AttrDef::Kind::real;
    attribute.real = ratio;
    node.set(std::move(attribute));
    return;
  }
  if (node.outputs.size() > 1 && !node.outputs[1].empty()) {
    const std::string all = context.constant(Array::scalar(DType::boolean, 1));
    const std::string mask = context.emit("Expand", {all, context.emit("Shape", {input})});
    context.alias(node.outputs[1], mask);
  }
  node.outputs.resize(1);
  node.op = "Identity";
}

// What the weights say already.
void convolution(LiftContext& context, NodeDef& node) {
  const auto given = node.take("kernel_shape");
  if (!given) return;
  const Shape weights = context.type_of(node.operand(1)).shape;
  std::vector<Dim> kernel(given->integers.begin(), given->integers.end());
  const bool same = weights.rank() >= 2 && std::equal(kernel.begin(), kernel.end(), weights.begin() + 2, weights.end());
  if (!same) {
    fail(ErrorCode::bad_attribute,
         "kernel_shape " + Shape(std::move(kernel)).to_string() + " for weights of shape " + weights.to_string(),
         "the lengths of the weights after the first two axes");
  }
}

// The card gives the dtype of its input.
void eye_like(LiftContext& context, NodeDef& node) {
  const auto dtype = node.take("dtype");
  if (!dtype) return;
  const std::string eye = context.emit("EyeLike", {node.inputs.at(0)}, node.attributes);
  node.op = "Cast";
  node.inputs = {eye};
  node.attributes.clear();
  node.set_integer("to", dtype->integer);
}

constexpr Lift kMappingRows[] = {
    {"Constant", kAlways, constant},         {"If", kAlways, condition},
    {"Dropout", kAlways, dropout},           {"Conv", kAlways, convolution},
    {"ConvTranspose", kAlways, convolution}, {"EyeLike", kAlways, eye_like},
};

}  // namespace

std::span<const Lift> mapping_lifts() { return kMappingRows; }

}  // namespace asg::io
