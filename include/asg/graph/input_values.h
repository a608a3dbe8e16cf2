#pragma once

#include <span>

#include "asg/core/array.h"

namespace asg {

// The inputs of the node whose types are being inferred, as arrays: in a run all of them, while building those that are
// constants. A type rule reads them where lengths depend on floats (the scales of a Resize).
class InputValues {
 public:
  explicit InputValues(std::span<const Array* const> values);
  ~InputValues();
  InputValues(const InputValues&) = delete;
  InputValues& operator=(const InputValues&) = delete;

  // Input `index` of the innermost inference; null where it is not known.
  static const Array* at(int index);

 private:
  std::span<const Array* const> values_;
  const InputValues* outer_;
};

}  // namespace asg
