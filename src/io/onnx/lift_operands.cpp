// Attributes that became inputs in a later opset.
#include "asg/core/error.h"
#include "io/onnx/lift.h"

namespace asg::io {
namespace {

void axes(LiftContext& context, NodeDef& node) { to_input(context, node, "axes", 1); }

void slice(LiftContext& context, NodeDef& node) {
  to_input(context, node, "starts", 1);
  to_input(context, node, "ends", 2);
  to_input(context, node, "axes", 3);
}

void split_sizes(LiftContext& context, NodeDef& node) { to_input(context, node, "split", 1); }

// The number of outputs says into how many parts; from opset 18 on an attribute says it again.
void split_count(LiftContext& /*context*/, NodeDef& node) {
  const auto count = static_cast<std::int64_t>(node.outputs.size());
  const AttrDef* said = node.find("num_outputs");
  if (said != nullptr && said->integer != count) {
    fail(ErrorCode::bad_attribute,
         "num_outputs " + std::to_string(said->integer) + " of a Split with " + std::to_string(count) + " outputs",
         "the same number of both");
  }
  if (!node.has_input(1)) node.set_integer("num_outputs", count);
}

void reshape(LiftContext& context, NodeDef& node) { to_input(context, node, "shape", 1); }

// A number of the dtype of input 0, which has it as an attribute.
void number(LiftContext& context, NodeDef& node, std::string_view attribute, std::size_t index) {
  const auto taken = node.take(attribute);
  if (!taken) return;
  node.set_input(index, context.constant(Array::scalar(context.type_of(node.operand(0)).dtype, taken->real)));
}

void pad(LiftContext& context, NodeDef& node) {
  to_input(context, node, "paddings", 1);  // the name in opset 1
  to_input(context, node, "pads", 1);
  number(context, node, "value", 2);
}

void clip(LiftContext& context, NodeDef& node) {
  number(context, node, "min", 1);
  number(context, node, "max", 2);
}

void top_k(LiftContext& context, NodeDef& node) {
  if (const auto k = node.take("k")) node.set_input(1, integers(context, {k->integer}));
}

constexpr Lift kOperandRows[] = {
    {"Squeeze", 13, axes},         {"Unsqueeze", 13, axes},    {"ReduceSum", 13, axes},
    {"ReduceL1", 18, axes},        {"ReduceL2", 18, axes},     {"ReduceLogSum", 18, axes},
    {"ReduceLogSumExp", 18, axes}, {"ReduceMax", 18, axes},    {"ReduceMean", 18, axes},
    {"ReduceMin", 18, axes},       {"ReduceProd", 18, axes},   {"ReduceSumSquare", 18, axes},
    {"Slice", 10, slice},          {"Split", 13, split_sizes}, {"Split", kAlways, split_count},
    {"Reshape", 5, reshape},       {"Pad", 11, pad},           {"Clip", 11, clip},
    {"TopK", 10, top_k},
};

}  // namespace

std::span<const Lift> operand_lifts() { return kOperandRows; }

}  // namespace asg::io
