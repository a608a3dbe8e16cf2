// The operators of tensors are ops like all others.
#include <functional>
#include <string>

#include <gtest/gtest.h>

#include "asg/graph/card.h"
#include "asg/graph/graph.h"
#include "asg/ops/ops.h"

namespace asg::test {
namespace {

struct OperatorRow {
  const char* op;
  std::function<Tensor(const Tensor& x)> with_number_on_the_right;
  std::function<Tensor(const Tensor& x)> with_number_on_the_left;
};

const OperatorRow kOperatorRows[] = {
    {"Add", [](const Tensor& x) { return x + 2; }, [](const Tensor& x) { return 2 + x; }},
    {"Sub", [](const Tensor& x) { return x - 2; }, [](const Tensor& x) { return 2 - x; }},
    {"Mul", [](const Tensor& x) { return x * 2; }, [](const Tensor& x) { return 2 * x; }},
    {"Div", [](const Tensor& x) { return x / 2; }, [](const Tensor& x) { return 2 / x; }},
    {"Less", [](const Tensor& x) { return x < 2; }, [](const Tensor& x) { return 2 < x; }},
    {"Greater", [](const Tensor& x) { return x > 2; }, [](const Tensor& x) { return 2 > x; }},
    {"LessOrEqual", [](const Tensor& x) { return x <= 2; }, [](const Tensor& x) { return 2 <= x; }},
    {"GreaterOrEqual", [](const Tensor& x) { return x >= 2; }, [](const Tensor& x) { return 2 >= x; }},
};

class OperatorTest : public testing::TestWithParam<OperatorRow> {};

TEST_P(OperatorTest, MakesItsOpAndKeepsTheOrderOfOperands) {
  const OperatorRow& row = GetParam();
  Graph graph("operators");
  const Tensor x = graph.input("x", {DType::f32, {3}});
  const auto place_of_x = [&](const Tensor& y) {
    const Node& node = graph.node(y.value().node);
    EXPECT_EQ(node.op->name, row.op);
    return node.inputs.at(0) == x.value() ? 0 : 1;
  };
  EXPECT_EQ(place_of_x(row.with_number_on_the_right(x)), 0);
  EXPECT_EQ(place_of_x(row.with_number_on_the_left(x)), 1);
}

INSTANTIATE_TEST_SUITE_P(Tensors, OperatorTest, testing::ValuesIn(kOperatorRows),
                         [](const auto& row) { return std::string(row.param.op); });

}  // namespace
}  // namespace asg::test
