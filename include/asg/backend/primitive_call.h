#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "asg/backend/device_array.h"
#include "asg/graph/card.h"

namespace asg {

// A call of a typed method, as data: what all primitives have in common.
struct PrimitiveCall {
  // An operand is an array of the device, integers (a shape, axes, starts), or absent.
  struct Operand {
    DeviceArray array = {};
    std::optional<std::vector<std::int64_t>> integers = {};
  };

  PrimitiveCall(std::string_view op_name, std::initializer_list<DeviceArray> arrays, Attrs attributes = {});
  // Adds an integer operand; an empty list is absent where the op may do without.
  PrimitiveCall&& with(std::span<const std::int64_t> integers) &&;

  const OpCard* op;
  std::vector<Operand> operands = {};
  Attrs attrs;
};

}  // namespace asg
