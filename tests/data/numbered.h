#pragma once

#include <numeric>
#include <vector>

#include "asg/data/dataset.h"

namespace asg::data::test {

// Examples that carry their own number, so that they can be followed.
inline Dataset numbered(std::int64_t count) {
  std::vector<float> values(static_cast<std::size_t>(count));
  std::iota(values.begin(), values.end(), 0.0F);
  return make_dataset("numbered", Array::of<float>({count, 1}, values), Array(DType::i64, {count}), 1);
}

inline std::vector<float> numbers(const NamedArrays& examples) {
  const auto data = examples.at("features").data<float>();
  return {data.begin(), data.end()};
}

}  // namespace asg::data::test
