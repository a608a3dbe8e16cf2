// Before opset 7 an op broadcast its second operand only when told to, and from a given axis on.
#include "asg/core/error.h"
#include "io/onnx/lift.h"

namespace asg::io {
namespace {

// Appends axes of length 1 to input 1, so that its first axis stands at `axis` of input 0.
void align(LiftContext& context, NodeDef& node, std::int64_t axis) {
  const int rank = context.type_of(node.operand(0)).shape.rank();
  const int operand_rank = context.type_of(node.operand(1)).shape.rank();
  if (axis < 0) axis += rank;
  if (axis < 0 || axis > rank) {
    fail(ErrorCode::bad_index, "axis " + std::to_string(axis) + " for a tensor with " + std::to_string(rank) + " axes",
         "an axis that it has");
  }
  std::vector<std::int64_t> added;
  for (std::int64_t at = axis + operand_rank; at < rank; ++at) added.push_back(at - axis);
  if (!added.empty()) node.inputs[1] = context.emit("Unsqueeze", {node.inputs[1], integers(context, added)});
}

void broadcast(LiftContext& context, NodeDef& node) {
  const auto told = node.take("broadcast");
  const auto axis = node.take("axis");
  if (!told || told->integer == 0 || !axis) return;
  align(context, node, axis->integer);
}

void gemm(LiftContext& /*context*/, NodeDef& node) { node.take("broadcast"); }

// A slope per channel, axis 1.
void p_relu(LiftContext& context, NodeDef& node) {
  if (context.type_of(node.operand(1)).shape.rank() == 1) align(context, node, 1);
}

constexpr Lift kRows[] = {
    {"Add", 7, broadcast},   {"Sub", 7, broadcast},  {"Mul", 7, broadcast},     {"Div", 7, broadcast},
    {"Pow", 7, broadcast},   {"And", 7, broadcast},  {"Or", 7, broadcast},      {"Xor", 7, broadcast},
    {"Equal", 7, broadcast}, {"Less", 7, broadcast}, {"Greater", 7, broadcast}, {"Gemm", 7, gemm},
    {"PRelu", 7, p_relu},
};

}  // namespace

std::span<const Lift> broadcast_lifts() { return kRows; }

}  // namespace asg::io
