// What each rule of `simplify` makes of a graph, and what none may touch.
#include "compile_passes/rules.h"

#include <cmath>

#include <gtest/gtest.h>

#include "asg/backend/interpreter.h"
#include "compile_passes/graphs.h"
#include "support/compare.h"

namespace asg::test {
namespace {

Graph graph_of(const RuleRow& row) {
  Graph graph;
  const Tensor x = graph.input("x", {DType::f32, {2, 3}});
  graph.set_output("y", row.build(graph, x));
  return graph;
}

class Rules : public testing::TestWithParam<RuleRow> {};

TEST_P(Rules, RewriteAsWritten) {
  const Graph graph = graph_of(GetParam());
  EXPECT_EQ(outline(graph), GetParam().before);
  const Graph after = passed_by("simplify", graph);
  EXPECT_EQ(outline(after), GetParam().after);
  EXPECT_EQ(outline(passed_by("simplify", after)), GetParam().after) << "not a fixed point";
}

// Zeros of both signs, infinities, NaN and the smallest and largest numbers.
std::vector<double> odd_numbers() {
  return {0.0, -0.0, 1.5, -2, 1e-45, -1e-45, 3e38, -3e38, INFINITY, -INFINITY, NAN, 1e-20};
}

Array odd_values(const TensorType& type, std::size_t shift) {
  const std::vector<double> numbers = odd_numbers();
  Array array(type.dtype, type.shape.sizes());
  for (std::int64_t at = 0; at < array.count(); ++at) {
    array.set(at, numbers[(static_cast<std::size_t>(at) + shift) % numbers.size()]);
  }
  return array;
}

// As `identical`, but that all NaN are alike.
testing::AssertionResult same_numbers(const Array& actual, const Array& expected) {
  for (std::int64_t at = 0; at < expected.count(); ++at) {
    const double a = actual.get(at);
    const double e = expected.get(at);
    const bool same = std::isnan(e) ? std::isnan(a) : a == e && std::signbit(a) == std::signbit(e);
    if (!same) return testing::AssertionFailure() << "element " << at << " is " << a << " instead of " << e;
  }
  return testing::AssertionSuccess();
}

TEST_P(Rules, HoldForOddNumbers) {
  const Graph before = graph_of(GetParam());
  const Graph after = passed_by("simplify", before);
  // A sum of one element starts from +0 in the interpreter.
  const bool may_lose_minus = GetParam().name.starts_with("reduce_one");
  Interpreter interpreter;
  for (std::size_t shift = 0; shift < odd_numbers().size(); ++shift) {
    NamedArrays values;
    for (const NodeId id : before.inputs()) {
      values[before.node(id).path()] = odd_values(before.type({id, 0}), shift + id.number - 1);
    }
    const auto run = [&](const Graph& graph) {
      return interpreter.download_all(interpreter.execute(graph, interpreter.upload_all(values))).at("y");
    };
    const Array expected = run(before);
    if (may_lose_minus) {
      EXPECT_TRUE(near(run(after), expected, 0));
    } else {
      EXPECT_TRUE(same_numbers(run(after), expected));
    }
  }
}

std::string test_name(const testing::TestParamInfo<RuleRow>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(Arithmetic, Rules, testing::ValuesIn(arithmetic_rows()), test_name);
INSTANTIATE_TEST_SUITE_P(Shapes, Rules, testing::ValuesIn(shape_rows()), test_name);
INSTANTIATE_TEST_SUITE_P(Broadcasts, Rules, testing::ValuesIn(broadcast_rows()), test_name);

}  // namespace
}  // namespace asg::test
