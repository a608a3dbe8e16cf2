#include "asg/graph/samples.h"

#include <cmath>
#include <utility>

#include "asg/core/random.h"

namespace asg {
namespace {

constexpr std::uint64_t kSeed = 20;  // any number, but always the same one

SampleInput exact(Array value) {
  SampleInput input;
  input.dtype = value.dtype();
  input.sizes = value.sizes();
  input.given = std::move(value);
  return input;
}

// How many integers lie in [low, high].
std::uint64_t integers_in(const SampleInput& input) {
  const double count = std::floor(input.high) - std::ceil(input.low) + 1;
  if (!(count >= 1 && count <= 0x1p53)) {
    fail(ErrorCode::bad_card, "a sample without an integer between its bounds", "bounds with an integer between them");
  }
  return static_cast<std::uint64_t>(count);
}

double drawn(const SampleInput& input, const RandomStream& random, std::uint64_t position) {
  if (input.dtype == DType::boolean) return static_cast<double>(random.below(position, 2));
  if (is_float(input.dtype)) return input.low + (input.high - input.low) * random.uniform(position);
  return std::ceil(input.low) + static_cast<double>(random.below(position, integers_in(input)));
}

// Number `index` of `count` evenly spaced values. A float stands at 3/10 of its interval: with bounds of equal size
// and unlike sign none is 0 and no two have the same magnitude, so |x| has neither a kink nor a tie there.
double spaced(const SampleInput& input, std::uint64_t index, std::uint64_t count) {
  if (is_float(input.dtype)) {
    return input.low + (input.high - input.low) * (static_cast<double>(index) + 0.3) / static_cast<double>(count);
  }
  const std::uint64_t step = integers_in(input) / count;
  return std::ceil(input.low) + static_cast<double>(index * step);
}

void check_distinct(const SampleInput& input, std::uint64_t count) {
  const bool fits = is_float(input.dtype) ? input.low < input.high || count <= 1
                                          : input.dtype != DType::boolean && integers_in(input) >= count;
  if (!fits) {
    fail(ErrorCode::bad_card,
         "a sample of " + std::to_string(count) + " distinct values of dtype " + std::string(name_of(input.dtype)),
         "a number type and bounds that hold so many values");
  }
}

// Evenly spaced values in an order shuffled by Fisher and Yates.
void fill_distinct(Array& values, const SampleInput& input, const RandomStream& random) {
  auto out = values.mutable_data<double>();
  check_distinct(input, out.size());
  for (std::size_t k = 0; k < out.size(); ++k) out[k] = spaced(input, k, out.size());
  for (std::size_t left = out.size(); left > 1; --left) {
    std::swap(out[left - 1], out[static_cast<std::size_t>(random.below(left, left))]);
  }
}

}  // namespace

SampleInput in(Sizes sizes, double low, double high) {
  SampleInput input;
  input.sizes = std::move(sizes);
  input.low = low;
  input.high = high;
  return input;
}

SampleInput distinct(Sizes sizes, double low, double high) {
  SampleInput input = in(std::move(sizes), low, high);
  input.distinct = true;
  return input;
}

SampleInput in_ints(Sizes sizes, std::vector<std::int64_t> values) {
  return exact(Array::of<std::int64_t>(std::move(sizes), values));
}

SampleInput in_bools(Sizes sizes, std::vector<bool> values) { return exact(Array::of<bool>(std::move(sizes), values)); }

SampleInput in_exact(Array value) { return exact(std::move(value)); }

SampleInput absent() {
  SampleInput input;
  input.absent = true;
  return input;
}

Array sample_value(const SampleInput& input, std::string_view op, std::string_view sample, std::size_t index) {
  if (input.absent) return Array();
  if (input.given) return *input.given;
  const RandomStream random(kSeed, combine(combine(combine(StreamKey{0}, op), sample), index));
  Array values(DType::f64, input.sizes);
  if (input.distinct) {
    fill_distinct(values, input, random);
  } else {
    auto out = values.mutable_data<double>();
    for (std::size_t position = 0; position < out.size(); ++position) out[position] = drawn(input, random, position);
  }
  return values.cast(input.dtype);
}

}  // namespace asg
