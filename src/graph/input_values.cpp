#include "asg/graph/input_values.h"

#include <cstddef>

namespace asg {
namespace {

// Inference inside an inference (a body, a subgraph) sees its own inputs.
thread_local const InputValues* innermost = nullptr;

}  // namespace

InputValues::InputValues(std::span<const Array* const> values) : values_(values), outer_(innermost) {
  innermost = this;
}

InputValues::~InputValues() { innermost = outer_; }

const Array* InputValues::at(int index) {
  const auto position = static_cast<std::size_t>(index);
  return innermost != nullptr && position < innermost->values_.size() ? innermost->values_[position] : nullptr;
}

}  // namespace asg
