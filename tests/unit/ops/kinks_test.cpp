// Gradients where differences cannot check them: at kinks, ties and poles, and for lengths that are symbols.
#include <limits>

#include "asg/autograd/gradients.h"
#include "asg/graph/card.h"
#include "asg/graph/expand.h"
#include "asg/graph/graph.h"
#include "asg/ops/ops.h"
#include "support/compare.h"
#include "support/run_op.h"

namespace asg::test {
namespace {

Array reals(const std::vector<double>& values) {
  return Array::of<double>({static_cast<std::int64_t>(values.size())}, values);
}

// d(sum of the op's output, weighted 1, 2, 3 …)/d(each float input), taken `order` times by the first of them.
std::vector<Array> gradients(const char* op, const Attrs& attrs, const std::vector<Array>& inputs, int order) {
  Graph graph;
  std::vector<Tensor> tensors;
  std::vector<Tensor> targets;
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    const TensorType type{inputs[k].dtype(), Shape::of(inputs[k].sizes())};
    tensors.push_back(graph.input("x" + std::to_string(k), type));
    if (is_float(type.dtype)) targets.push_back(tensors.back());
  }
  graph.set_output("y", add_op(op, tensors, attrs));
  const auto by_body = [](const Node& node) { return node.op->gradient_kind == GradientKind::body; };
  Expansion expansion = expand(graph, Mode::train, by_body);
  graph = std::move(expansion.graph);
  for (Tensor& target : targets) target = graph.tensor(expansion.remap(target.value()));
  Tensor value = graph.tensor(graph.find_output("y")->value);
  graph.set_outputs({});
  std::vector<double> weights;
  for (Dim k = 1; weights.size() < static_cast<std::size_t>(value.shape().element_count().value()); k = k + 1) {
    weights.push_back(static_cast<double>(k.value()));
  }
  value = value * graph.constant(reals(weights).reshaped(value.shape().sizes()));
  std::vector<Tensor> found;
  for (int times = 0; times < order; ++times) {
    found = add_gradients(add_op("ReduceSum", {value}, {{"keepdims", false}}), targets).gradients;
    value = found.front();
  }
  for (std::size_t k = 0; k < found.size(); ++k) graph.set_output("g" + std::to_string(k), found[k]);
  return run_graph(graph, inputs);
}

struct Row {
  const char* name;
  const char* op;
  Attrs attrs;
  std::vector<Array> inputs;
  std::vector<std::vector<double>> expected;  // by float input; empty: not looked at
  int order = 1;
};

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::vector<Row> rows() {
  const Array one = Array::scalar(DType::f64, 1);
  const Array minus_one = Array::scalar(DType::f64, -1);
  return {
      {"AbsAtZero", "Abs", {}, {reals({0, -3})}, {{0, -2}}},
      {"ReluAtZero", "Relu", {}, {reals({0, 3, kNan})}, {{0, 2, 0}}},
      {"LeakyReluAtZero", "LeakyRelu", {{"alpha", 0.5}}, {reals({0, 3})}, {{0.5, 2}}},
      {"EluAtZero", "Elu", {{"alpha", 0.5}}, {reals({0, 3})}, {{0.5, 2}}},
      {"EluFarAbove", "Elu", {}, {reals({1000})}, {{0}}, 2},
      {"MaxGoesToTheFirstOfTies", "Max", {}, {reals({1, 2, 0}), reals({1, 1, 5})}, {{1, 2, 0}, {0, 0, 3}}},
      {"MaxOfThree", "Max", {}, {reals({1, 0}), reals({1, 7}), reals({1, 7})}, {{1, 0}, {0, 2}, {0, 0}}},
      {"MinGoesToTheFirstOfTies", "Min", {}, {reals({1, 2, 0}), reals({1, 1, 5})}, {{1, 0, 3}, {0, 2, 0}}},
      {"ReduceMaxSharesAmongTies", "ReduceMax", {}, {reals({4, 1, 4, 3})}, {{0.5, 0, 0.5, 0}}},
      {"ReduceMinSharesAmongTies",
       "ReduceMin",
       {{"keepdims", false}},
       {reals({1, 1, 1, 3})},
       {{1 / 3., 1 / 3., 1 / 3., 0}}},
      {"ClipOnTheBounds", "Clip", {}, {reals({-1, 1, -2, 2}), minus_one, one}, {{1, 2, 0, 0}, {3}, {4}}},
      {"ClipWithCrossedBounds", "Clip", {}, {reals({-2, 0, 2}), one, minus_one}, {{0, 0, 0}, {0}, {6}}},
      {"PowAtZero", "Pow", {}, {reals({0, 0, 0}), reals({0, 1, 2})}, {{0, 2, 0}, {0, 0, 0}}},
      {"PowAtZeroTwice", "Pow", {}, {reals({0, 0, 0, 0}), reals({0, 1, 2, 3})}, {{0, 0, 6, 0}, {}}, 2},
      {"SigmoidFarAway", "Sigmoid", {}, {reals({-1000, 1000})}, {{0, 0}}},
      {"SoftplusFarAway", "Softplus", {}, {reals({-1000, 1000})}, {{0, 2}}},
      {"GeluFarAway", "Gelu", {}, {reals({-1e200, 1e200})}, {{0, 2}}},
      {"TanhGeluFarAway", "Gelu", {{"approximate", "tanh"}}, {reals({-1e200, 1e200})}, {{0, 2}}},
      {"SiluFarAway", "Silu", {}, {reals({-1e200, 1e200})}, {{0, 2}}},
      {"LogSoftmaxFarAway", "LogSoftmax", {}, {reals({1000, -1000})}, {{-2, 2}}},
      {"LpPoolOfZeros",
       "LpPool",
       {{"kernel_shape", Sizes{2}}, {"strides", Sizes{2}}, {"p", 2}},
       {reals({0, 0, 3, 4}).reshaped({1, 1, 4})},
       {{0, 0, 1.2, 1.6}}},
      {"ReduceL2AtZero", "ReduceL2", {}, {reals({0, 0})}, {{0, 0}}},
      {"ReduceLogSumExpOfNothingButMinusInfinity", "ReduceLogSumExp", {}, {reals({-kInf, -kInf})}, {{0, 0}}},
      {"ReduceLogSumExpFarAway", "ReduceLogSumExp", {}, {reals({1000, -1000, -kInf})}, {{1, 0, 0}}},
      {"ReduceProdWithOneZero", "ReduceProd", {}, {reals({2, 0, 3})}, {{0, 6, 0}}},
      {"ReduceProdWithTwoZeros", "ReduceProd", {}, {reals({0, 5, 0})}, {{0, 0, 0}}},
      {"ScatterSharesAmongTies",
       "ScatterElements",
       {{"reduction", "max"}},
       {reals({4, 1}), Array::ints({0, 0, 1}), reals({4, 2, 1})},
       {{0.5, 1}, {0.5, 0, 1}}},
      {"ScatterProductWithOneZero",
       "ScatterElements",
       {{"reduction", "mul"}},
       {reals({4, 1}), Array::ints({0, 0, 1}), reals({0, 2, 1})},
       {{0, 2}, {8, 0, 2}}},
      {"ScatterProductWithTwoZeros",
       "ScatterElements",
       {{"reduction", "mul"}},
       {reals({4, 1}), Array::ints({0, 0, 1}), reals({0, 0, 1})},
       {{0, 2}, {0, 0, 2}}},
      {"FloorIsFlat", "Floor", {}, {reals({0.5, 1})}, {{0, 0}}},
      {"SignIsFlat", "Sign", {}, {reals({0.5, 0})}, {{0, 0}}},
      {"CeilIsFlat", "Ceil", {}, {reals({0.5, 1})}, {{0, 0}}},
      {"RoundIsFlat", "Round", {}, {reals({0.5, 1})}, {{0, 0}}},
      {"HardmaxIsFlat", "Hardmax", {}, {reals({1, 2})}, {{0, 0}}},
      {"ModCountsWholeTurns", "Mod", {{"fmod", true}}, {reals({6, -7}), reals({2, 3})}, {{1, 2}, {-3, 4}}},
      {"SumOfThree", "Sum", {}, {reals({1, 2}), reals({3}), reals({4, 5})}, {{1, 2}, {3}, {1, 2}}},
      {"MeanOfTwo", "Mean", {}, {reals({1, 2}), reals({3})}, {{0.5, 1}, {1.5}}},
      {"PReluAtZero", "PRelu", {}, {reals({0, 3, -4}), reals({0.5})}, {{0.5, 2, 1.5}, {-12}}},
      {"SeluAtZero", "Selu", {{"alpha", 0.5}, {"gamma", 2.0}}, {reals({0, 3})}, {{1, 4}}},
      {"SeluFarAbove", "Selu", {}, {reals({1000})}, {{0}}, 2},
      {"CeluAtZero", "Celu", {{"alpha", 0.5}}, {reals({0, 3})}, {{1, 2}}},
      {"CeluFarAbove", "Celu", {}, {reals({1000})}, {{0}}, 2},
      {"MishFarAway", "Mish", {}, {reals({-1e200, 1e200})}, {{0, 2}}},
      {"SoftsignAtZeroAndFarAway", "Softsign", {}, {reals({0, 1e200})}, {{1, 0}}},
      {"AsinhFarAway", "Asinh", {}, {reals({0, 1e200})}, {{1, 0}}},
      {"HardSigmoidAtItsCorners", "HardSigmoid", {{"alpha", 0.5}}, {reals({-1, 0, 1})}, {{0, 1, 0}}},
      {"HardSwishFarAway", "HardSwish", {}, {reals({-1e200, 0, 1e200})}, {{0, 1, 3}}},
      {"ThresholdedReluOnItsThreshold", "ThresholdedRelu", {}, {reals({1, 2})}, {{0, 2}}},
      {"ShrinkOnItsEdges", "Shrink", {{"bias", 0.5}}, {reals({-0.5, 0.5, -2, 2})}, {{0, 0, 3, 4}}},
      {"WhereIgnoresWhatIsNotChosen",
       "Where",
       {},
       {Array::of<bool>({2}, {true, false}), reals({1, kNan}), reals({kNan, 1})},
       {{1, 0}, {0, 2}}},
  };
}

TEST(Kinks, HaveTheGradientsThatTheCardsSay) {
  for (const Row& row : rows()) {
    SCOPED_TRACE(row.name);
    const auto actual = gradients(row.op, row.attrs, row.inputs, row.order);
    ASSERT_EQ(actual.size(), row.expected.size());
    for (std::size_t k = 0; k < actual.size(); ++k) {
      if (row.expected[k].empty()) continue;
      EXPECT_TRUE(near(actual[k], reals(row.expected[k]).reshaped(actual[k].sizes()), 1e-12)) << "input " << k;
    }
  }
}

// One graph for every batch: the share of each element in a mean is found when the graph runs.
TEST(Kinks, MeansOverSymbols) {
  for (const DType dtype : {DType::f64, DType::f32, DType::f16}) {
    SCOPED_TRACE(name_of(dtype));
    Graph graph;
    const Tensor x = graph.input("x", {dtype, {Dim::symbol("batch"), 3, Dim::symbol("length")}});
    const Tensor mean = add_op("ReduceMean", {x}, {{"keepdims", false}});
    graph.set_output("gradient", add_gradients(mean, std::vector<Tensor>{x}).gradients[0]);
    for (const std::int64_t batch : {1, 5}) {
      const Array input(dtype, {batch, 3, 2});
      const Array gradient = run_graph(graph, std::vector<Array>{input})[0];
      ASSERT_EQ(gradient.sizes(), input.sizes());
      const double tolerance = dtype == DType::f64 ? 1e-15 : dtype == DType::f32 ? 1e-7 : 1e-4;
      EXPECT_NEAR(gradient.get(0), 1.0 / static_cast<double>(batch * 6), tolerance);
    }
  }
}

}  // namespace
}  // namespace asg::test
