// Small integer tensors are followed while building, as dims.
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "asg/graph/graph.h"
#include "asg/ops/ops.h"

namespace asg::test {
namespace {

// What is known of a tensor: "batch, 7", or "unknown".
std::string known(const Tensor& tensor) {
  const auto& contents = tensor.graph().info(tensor.value()).known;
  if (!contents) return "unknown";
  std::string text;
  for (const Dim& dim : *contents) text += (text.empty() ? "" : ", ") + dim.to_string();
  return text;
}

Tensor to_dtype(const Tensor& x, DType to) { return add_op("Cast", {x}, {{"to", to}}); }

struct KnownRow {
  const char* name;
  std::function<Tensor(const Tensor& shape)> build;  // of the shape [batch, 6]
  std::string expected;
};

Tensor ints(const Tensor& like, std::vector<std::int64_t> numbers) {
  return like.graph().constant(Array::ints(numbers));
}

const KnownRow kRows[] = {
    {"Constant", [](const Tensor& s) { return ints(s, {3, -1}); }, "3, -1"},
    {"Identity", [](const Tensor& s) { return add_op("Identity", {s}); }, "batch, 6"},
    {"Add", [](const Tensor& s) { return s + ints(s, {1, 2}); }, "batch + 1, 8"},
    {"AddBroadcast", [](const Tensor& s) { return s + ints(s, {1}); }, "batch + 1, 7"},
    {"AddScalar", [](const Tensor& s) { return s + s.graph().constant(Array::scalar_i64(1)); }, "batch + 1, 7"},
    {"Sub", [](const Tensor& s) { return s - s; }, "0, 0"},
    {"Mul", [](const Tensor& s) { return s * ints(s, {4, -1}); }, "4*batch, -6"},
    {"DivExact", [](const Tensor& s) { return s * ints(s, {4, 4}) / ints(s, {-2, 3}); }, "-2*batch, 8"},
    {"DivRoundsDown", [](const Tensor& s) { return s / ints(s, {2, 4}); }, "floordiv(batch, 2), 1"},
    {"DivTruncatesNumbers", [](const Tensor& s) { return ints(s, {-7, 7}) / ints(s, {2, -2}); }, "-3, -3"},
    {"DivOfMaybeNegative", [](const Tensor& s) { return (s - ints(s, {5, 0})) / ints(s, {2, 2}); }, "unknown"},
    {"DivByZero", [](const Tensor& s) { return s / ints(s, {0, 1}); }, "unknown"},
    {"Mod", [](const Tensor& s) { return add_op("Mod", {s, ints(s, {4, 4})}); }, "batch - 4*floordiv(batch, 4), 2"},
    {"ModLikeTheDivisor", [](const Tensor& s) { return add_op("Mod", {ints(s, {-7, 7}), ints(s, {3, -3})}); }, "2, -2"},
    {"ModByZero", [](const Tensor& s) { return add_op("Mod", {s, ints(s, {0, 4})}); }, "unknown"},
    {"Neg", [](const Tensor& s) { return -s; }, "-batch, -6"},
    {"Max", [](const Tensor& s) { return add_op("Max", {s, ints(s, {0, 7})}); }, "max(0, batch), 7"},
    {"Min", [](const Tensor& s) { return add_op("Min", {s, ints(s, {0, 7})}); }, "min(0, batch), 6"},
    {"ReduceProd", [](const Tensor& s) { return add_op("ReduceProd", {s}); }, "6*batch"},
    {"ReduceSum", [](const Tensor& s) { return add_op("ReduceSum", {s}, {{"keepdims", false}}); }, "batch + 6"},
    {"SizeOfShape", [](const Tensor& s) { return add_op("Size", {s}); }, "2"},
    {"ConstantOfShape",
     [](const Tensor& s) {
       const Tensor three = ints(s, {3});
       return add_op("ConstantOfShape", {three}, {{"value", Array::ints({7})}});
     },
     "7, 7, 7"},
    {"CastToNarrower", [](const Tensor& s) { return to_dtype(s, DType::i32); }, "batch, 6"},
    {"CastThatWraps", [](const Tensor& s) { return to_dtype(s * ints(s, {1, INT64_MAX / 6}), DType::i32); }, "unknown"},
    {"CastToFloat", [](const Tensor& s) { return to_dtype(s, DType::f32); }, "unknown"},
    {"Overflow", [](const Tensor& s) { return ints(s, {INT64_MAX}) + ints(s, {1}); }, "unknown"},
    {"TooMany", [](const Tensor& s) { return ints(s, std::vector<std::int64_t>(65, 1)); }, "unknown"},
    {"RankTwo", [](const Tensor& s) { return s.graph().constant(Array(DType::i64, {2, 2})) + s; }, "unknown"},
};

TEST(KnownContents, AreFollowed) {
  for (const KnownRow& row : kRows) {
    SCOPED_TRACE(row.name);
    Graph graph;
    const Tensor x = graph.input("x", {DType::f32, {Dim::symbol("batch"), 6}});
    EXPECT_EQ(known(row.build(add_op("Shape", {x}))), row.expected);
  }
}

TEST(KnownContents, AxesMustBeNumbersWhileBuilding) {
  Graph graph;
  const Tensor x = graph.input("x", {DType::f32, {Dim::symbol("batch"), 6}});
  const Tensor later = graph.input("axes", {DType::i64, {1}});
  try {
    add_op("ReduceSum", {x, later});
    FAIL() << "axes that are unknown were accepted";
  } catch (const UserError& error) {
    EXPECT_EQ(error.code(), ErrorCode::missing_value);
  }
  try {
    add_op("ReduceSum", {x, add_op("Shape", {x})});
    FAIL() << "axes with a symbol were accepted";
  } catch (const UserError& error) {
    EXPECT_EQ(error.code(), ErrorCode::missing_value);
    EXPECT_EQ(error.detail().given, "axes that hold batch");
  }
}

}  // namespace
}  // namespace asg::test
