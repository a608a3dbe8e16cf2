#pragma once

#include <string>
#include <string_view>

#include "asg/core/dim.h"
#include "asg/core/dtype.h"

namespace asg {

// The type of a value: element type and shape.
struct TensorType {
  DType dtype = DType::f32;
  Shape shape;

  std::string to_string() const;  // "f32[batch, 784]"
  // Reads what to_string writes. Throws bad_dtype, bad_shape or bad_dim.
  static TensorType parse(std::string_view text);
  friend bool operator==(const TensorType& a, const TensorType& b) = default;
};

}  // namespace asg
