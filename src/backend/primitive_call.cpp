#include "asg/backend/primitive_call.h"

#include "asg/graph/registry.h"
#include "asg/ops/ops.h"

namespace asg {

PrimitiveCall::PrimitiveCall(std::string_view op_name, std::initializer_list<DeviceArray> arrays, Attrs attributes)
    : op(&Registry::global().get(op_name)), attrs(std::move(attributes)) {
  for (const DeviceArray& array : arrays) operands.push_back({array, std::nullopt});
}

PrimitiveCall&& PrimitiveCall::with(std::span<const std::int64_t> integers) && {
  const bool absent = integers.empty() && op->inputs[operands.size()].kind == PortKind::optional;
  if (absent) {
    operands.emplace_back();
  } else {
    operands.push_back({{}, std::vector<std::int64_t>(integers.begin(), integers.end())});
  }
  return std::move(*this);
}

}  // namespace asg
