#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "asg/core/array.h"
#include "asg/core/error.h"
#include "asg/graph/attributes.h"

namespace asg {

// One input of a sample: drawn uniformly from [low, high] by a fixed seed, given exactly, or absent.
struct SampleInput {
  DType dtype = DType::f64;
  Sizes sizes;
  double low = -1;
  double high = 1;
  std::optional<Array> given;
  bool absent = false;
  bool distinct = false;  // all elements differ by a margin (maxima, sorting: no ties near a kink)
};

// Floats; gradient checks run them in f64, value checks in every dtype that the port allows.
SampleInput in(Sizes sizes, double low = -1, double high = 1);
SampleInput distinct(Sizes sizes, double low = -1, double high = 1);  // all elements differ clearly
SampleInput in_ints(Sizes sizes, std::vector<std::int64_t> values);   // exact i64 values
SampleInput in_bools(Sizes sizes, std::vector<bool> values);
SampleInput in_exact(Array value);
SampleInput absent();

// A case on which an op is tested: values against the reference of others, gradients against differences.
struct Sample {
  std::string name;
  std::vector<SampleInput> inputs;
  Attrs attrs = {};
  bool gradient = true;              // false for kinks and extremes: forward only
  std::vector<Array> expected = {};  // outputs worked out by hand or by another system; may be empty
};

// A case that must be refused, with the code and a part of the text.
struct BadSample {
  std::string name;
  std::vector<SampleInput> inputs;
  Attrs attrs = {};
  ErrorCode code = ErrorCode::bad_shape;
  std::string contains = {};
};

// The array of a sample input; the same for the same (op, sample, index).
Array sample_value(const SampleInput& input, std::string_view op, std::string_view sample, std::size_t index);

}  // namespace asg
