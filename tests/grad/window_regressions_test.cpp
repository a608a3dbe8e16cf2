// Mistakes that others made with convolutions, pools and norms, each under its name: numbers worked out by hand.
#include "asg/backend/interpreter.h"
#include "asg/graph/graph.h"
#include "asg/ops/ops.h"
#include "grad/mistakes.h"

namespace asg::test {
namespace {

std::vector<Mistake> window_rows() {
  const Array x3 = reals({1, 1, 3}, {1, 2, 3});
  const Array two_channels = reals({2, 2, 2}, {1, 3, 10, 50, 5, 7, 20, 40});
  const Array by_channel = reals({2, 2, 2}, {1, 2, 10, 20, 3, 4, 30, 40});
  const Array ones = reals({2}, {1, 1});
  const Array zeros = reals({2}, {0, 0});
  const Array mean = reals({2}, {1, 10});
  const Array variance = reals({2}, {4, 9});
  return {
      // The gradient of a bias is one sum for each channel, over the batch and all places.
      {"ConvolutionBiasGradientSummedToAScalar",
       "Conv",
       {reals({2, 1, 3}, {1, 2, 3, 4, 5, 6}), reals({2, 1, 2}, {1, 1, 1, 1}), zeros},
       {},
       by_channel,
       2,
       reals({2}, {10, 100})},
      // Input, weight and bias of a transposed convolution all have gradients.
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
      {"TransposedConvolutionBiasGradientSummedToAScalar",
       "ConvTranspose",
       {x3, reals({1, 2, 2}, {1, 1, 1, 1}), zeros},
       {{"strides", Sizes{2}}},
       reals({1, 2, 6}, {1, 2, 3, 4, 5, 6, 10, 20, 30, 40, 50, 60}),
       2,
       reals({2}, {21, 210})},
      // A window that hangs over the edge is divided by what it holds, forward and back.
      {"PaddedAveragePoolingDividesByTheWholeWindow",
       "AveragePool",
       {x3},
       {{"kernel_shape", Sizes{3}}, {"strides", Sizes{2}}, {"pads", Sizes{1, 1}}},
       reals({1, 1, 2}, {6, 12}),
       0,
       reals({1, 1, 3}, {3, 9, 6})},
      // Adaptive pools pass gradients, to every window that an element is in.
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
      // Each channel has its own scale, mean and variance.
      {"NormalisationThatUsesChannelZeroOnly",
       "BatchNormalization",
       {two_channels, reals({2}, {2, 6}), zeros, mean, variance},
       {{"epsilon", 0.0}},
       reals({2, 2, 2}, {1, 1, 1, 1, 1, 1, 1, 1}),
       0,
       reals({2, 2, 2}, {1, 1, 2, 2, 1, 1, 2, 2})},
      {"NormalisationWhoseScaleGradientUsesChannelZeroOnly",
       "BatchNormalization",
       {two_channels, ones, zeros, mean, variance},
       {{"epsilon", 0.0}},
       by_channel,
       1,
       reals({2}, {20, 2300 / 3.})},
      {"NormalisationWhoseBiasGradientUsesChannelZeroOnly",
       "BatchNormalization",
       {two_channels, ones, zeros, mean, variance},
       {{"epsilon", 0.0}},
       by_channel,
       2,
       reals({2}, {10, 100})},
      {"InstanceNormalisationThatUsesChannelZeroOnly",
       "InstanceNormalization",
       {two_channels, ones, zeros},
       {{"epsilon", 0.0}},
       by_channel,
       1,
       reals({2}, {2, 20})},
      {"GroupNormalisationThatUsesChannelZeroOnly",
       "GroupNormalization",
       {two_channels, ones, zeros},
       {{"epsilon", 0.0}, {"num_groups", 2}},
       by_channel,
       1,
       reals({2}, {2, 20})},
  };
}

INSTANTIATE_TEST_SUITE_P(Windows, Mistakes, testing::ValuesIn(window_rows()), name_of_mistake);

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
}  // namespace asg::test
