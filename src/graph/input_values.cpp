#include "asg/graph/input_values.h"

#include <cstddef>

namespace asg {
namespace {

// Inference inside an inference (a body, a subgraph) sees its own inputs.
thread_local const InputValues* innermost_values = nullptr;

}  // namespace

InputValues::InputValues(std::span<const Array* const> values) : values_(values), outer_(innermost_values) {
  innermost_values = this;
}

InputValues::~InputValues() { innermost_values = outer_; }

const Array* InputValues::at(int index) {
  const auto position = static_cast<std::size_t>(index);
  return innermost_values != nullptr && position < innermost_values->values_.size()
             ? innermost_values->values_[position]
             : nullptr;
}

}  // namespace asg
