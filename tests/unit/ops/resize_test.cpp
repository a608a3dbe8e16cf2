#include <gtest/gtest.h>

#include "asg/graph/registry.h"
#include "support/run_op.h"

namespace asg::test {
namespace {

struct AspectRow {
  Sizes x, asked;
  const char* policy;
  Sizes made;
};

// A length that is half a step between two numbers is rounded up, as ONNX has it.
TEST(Resize, LengthsThatKeepTheAspectRatioAreRounded) {
  const AspectRow rows[] = {
      {{5, 4}, {5, 2}, "not_larger", {3, 2}},    // by 1/2: 2.5 and 2
      {{5, 4}, {1, 2}, "not_smaller", {3, 2}},   // by 1/2
      {{5, 4}, {4, 4}, "not_larger", {4, 3}},    // by 4/5: 4 and 3.2
      {{3, 7}, {2, 7}, "not_larger", {2, 5}},    // by 2/3: 2 and 4.67
      {{3, 7}, {2, 7}, "not_smaller", {3, 7}},   // by 1
      {{2, 3}, {5, 100}, "not_larger", {5, 8}},  // by 5/2: 5 and 7.5
      {{5, 4}, {5, 2}, "stretch", {5, 2}},
  };
  const OpCard& op = *Registry::global().find("Resize");
  for (const AspectRow& row : rows) {
    const Inputs inputs = {Array(DType::f32, row.x), std::nullopt, std::nullopt, Array::ints(row.asked)};
    const auto made = run_op(op, {{"keep_aspect_ratio_policy", row.policy}}, inputs);
    EXPECT_EQ(made[0].sizes(), row.made) << row.policy;
  }
}

}  // namespace
}  // namespace asg::test
