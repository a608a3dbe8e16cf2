#include "io/onnx/lift.h"

#include <initializer_list>

namespace asg::io {

void lift(LiftContext& context, NodeDef& node) {
  if (!node.domain.empty() || node.opset >= kNewestForm) return;
  const int opset = node.opset;
  // Said which inputs a kernel might overwrite; it never had a meaning for the values.
  if (opset < 6) node.take("consumed_inputs");
  for (const auto table : {operand_lifts(), broadcast_lifts(), meaning_lifts(), mapping_lifts()}) {
    for (const Lift& row : table) {
      if (row.op == node.op && opset < row.below) row.apply(context, node);
    }
  }
}

std::string_view newest_name(std::string_view op) {
  if (op == "Upsample") return "Resize";
  if (op == "Scatter") return "ScatterElements";
  return op;
}

std::string integers(LiftContext& context, std::vector<std::int64_t> values) {
  return context.constant(Array::ints(values));
}

void to_input(LiftContext& context, NodeDef& node, std::string_view attribute, std::size_t index) {
  if (const auto taken = node.take(attribute)) node.set_input(index, integers(context, taken->integers));
}

}  // namespace asg::io
