// Mistakes that others made with convolutions, pools and norms, each under its name: numbers worked out by hand.
#include <ostream>

#include <gtest/gtest.h>

#include "asg/autograd/gradients.h"
#include "asg/backend/interpreter.h"
#include "asg/graph/graph.h"
#include "asg/ops/ops.h"

namespace asg {
namespace {

Array reals(Sizes sizes, std::vector<double> values) { return Array::of<double>(std::move(sizes), values); }

// An op, the weights of the elements of its first output in the loss, and the gradient of one input.
struct Row {
  const char* mistake;
  const char* op;
  std::vector<Array> inputs;
  Attrs attrs;
  Array weights;
  std::size_t by;
  Array gradient;
};

void PrintTo(const Row& row, std::ostream* out) { *out << row.mistake; }

std::vector<Row> rows() {
  const Array x3 = reals({1, 1, 3}, {1, 2, 3});
  const Array two_channels = reals({2, 2, 2}, {1, 3, 10, 50, 5, 7, 20, 40});
  return {
      {"ConvolutionBiasGradientSummedToAScalar",
       "Conv",
       {x3, reals({2, 1, 2}, {1, 1, 1, 1}), reals({2}, {0, 0})},
       {},
       reals({1, 2, 2}, {1, 2, 10, 20}),
       2,
       reals({2}, {3, 30})},
      {"TransposedConvolutionWithZeroGradient",
       "ConvTranspose",
       {x3, reals({1, 1, 2}, {10, 100})},
       {{"strides", Sizes{2}}},
       reals({1, 1, 6}, {1, 2, 3, 4, 5, 6}),
       0,
       reals({1, 1, 3}, {210, 430, 650})},
      {"TransposedConvolutionWithZeroWeightGradient",
       "ConvTranspose",
       {x3, reals({1, 1, 2}, {10, 100})},
       {{"strides", Sizes{2}}},
       reals({1, 1, 6}, {1, 2, 3, 4, 5, 6}),
       1,
       reals({1, 1, 2}, {22, 28})},
      {"PaddedAveragePoolingDividesByTheWholeWindow",
       "AveragePool",
       {x3},
       {{"kernel_shape", Sizes{3}}, {"strides", Sizes{2}}, {"pads", Sizes{1, 1}}},
       reals({1, 1, 2}, {6, 12}),
       0,
       reals({1, 1, 3}, {3, 9, 6})},
      {"AdaptiveAveragePoolingWithZeroGradient",
       "AdaptiveAveragePool",
       {x3},
       {{"output_size", Sizes{2}}},
       reals({1, 1, 2}, {4, 6}),
       0,
       reals({1, 1, 3}, {2, 5, 3})},
      {"AdaptiveMaxPoolingWithZeroGradient",
       "AdaptiveMaxPool",
       {x3},
       {{"output_size", Sizes{2}}},
       reals({1, 1, 2}, {4, 6}),
       0,
       reals({1, 1, 3}, {0, 4, 6})},
      {"NormalisationThatUsesChannelZeroOnly",
       "BatchNormalization",
       {two_channels, reals({2}, {2, 6}), reals({2}, {0, 0}), reals({2}, {1, 10}), reals({2}, {4, 9})},
       {{"epsilon", 0.0}},
       reals({2, 2, 2}, {1, 1, 1, 1, 1, 1, 1, 1}),
       0,
       reals({2, 2, 2}, {1, 1, 2, 2, 1, 1, 2, 2})},
  };
}

Array gradient_of(const Row& row) {
  Graph graph;
  std::vector<Tensor> inputs;
  NamedArrays values;
  for (const Array& input : row.inputs) {
    const std::string name = "input_" + std::to_string(inputs.size());
    inputs.push_back(graph.input(name, {input.dtype(), Shape::of(input.sizes())}));
    values[name] = input;
  }
  const Tensor y = add_op(row.op, inputs, row.attrs);
  const Tensor loss = add_op("ReduceSum", {y * graph.constant(row.weights)}, {{"keepdims", false}});
  graph.set_output("loss", loss);
  const Differentiated joint =
      differentiate(graph, loss.value(), std::vector<Value>{inputs[row.by].value()}, Mode::train);
  Interpreter interpreter;
  return interpreter.download_all(interpreter.execute(joint.graph, interpreter.upload_all(values))).at("gradient:0");
}

class Mistakes : public testing::TestWithParam<Row> {};

TEST_P(Mistakes, IsNotRepeated) {
  const Array gradient = gradient_of(GetParam());
  ASSERT_EQ(gradient.sizes(), GetParam().gradient.sizes());
  for (std::int64_t k = 0; k < gradient.count(); ++k) {
    EXPECT_NEAR(gradient.get(k), GetParam().gradient.get(k), 1e-12) << "element " << k;
  }
}

INSTANTIATE_TEST_SUITE_P(Windows, Mistakes, testing::ValuesIn(rows()),
                         [](const testing::TestParamInfo<Row>& row) { return std::string(row.param.mistake); });

// The running statistics move towards those of each channel of the batch.
TEST(WindowMistakes, BatchNormWithoutRunningStatistics) {
  Graph graph;
  const Tensor x = graph.input("x", {DType::f64, {2, 2}});
  const auto vector = [&](double a, double b) { return graph.constant(reals({2}, {a, b})); };
  const Tensor scale = vector(1, 1);
  const Tensor bias = vector(0, 0);
  const Tensor mean = vector(0, 100);
  const Tensor variance = vector(1, 1);
  const auto outputs = add_op_outputs("BatchNormalization", {x, scale, bias, mean, variance},
                                      {{"training_mode", true}, {"momentum", 0.5}});
  graph.set_output("mean", outputs[1]);
  graph.set_output("variance", outputs[2]);
  Interpreter interpreter;
  const NamedArrays inputs = {{"x", reals({2, 2}, {1, 20, 3, 40})}};
  const NamedArrays results = interpreter.download_all(interpreter.execute(graph, interpreter.upload_all(inputs)));
  EXPECT_DOUBLE_EQ(results.at("mean").get(0), 1);
  EXPECT_DOUBLE_EQ(results.at("mean").get(1), 65);
  EXPECT_DOUBLE_EQ(results.at("variance").get(0), 1);
  EXPECT_DOUBLE_EQ(results.at("variance").get(1), 50.5);
}

}  // namespace
}  // namespace asg
