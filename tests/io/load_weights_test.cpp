#include "asg/io/load_weights.h"

#include <gtest/gtest.h>

#include "asg/nn/nn.h"
#include "asg/ops/ops.h"
#include "support/compare.h"

namespace asg::io {
namespace {

using Names = std::vector<std::string>;
using test::identical;

// x[batch, 2] → head (weight f32[2, 3], bias f32[3]) → dropout, which brings the counters of random ops.
Graph model() {
  Graph graph;
  const Tensor x = graph.input("x", {DType::f32, {Dim::symbol("batch"), 2}});
  graph.set_output("y", nn::dropout(nn::linear(x, 3, {.name = "head"}), {.ratio = 0.5}));
  return graph;
}

Safetensors file_with(const Tensors& tensors) {
  std::string bytes;
  write_safetensors(tensors, {}, [&](std::string_view piece) { bytes += piece; });
  return Safetensors::from_bytes(bytes, "weights");
}

const Array kWeight = Array::of<float>({2, 3}, {1, 2, 3, 4, 5, 6});
const Array kBias = Array::of<float>({3}, {7, 8, 9});

const Array& value_of(const LoadedWeights& loaded, const Graph& graph, std::string_view name) {
  return loaded.values.at(graph.find_variable(name));
}

TEST(LoadWeights, ByName) {
  const Graph graph = model();
  const LoadedWeights loaded = load_weights(graph, file_with({{"head.weight", kWeight}, {"head.bias", kBias}}));
  EXPECT_TRUE(loaded.report.complete());
  EXPECT_EQ(loaded.report.loaded, (Names{"head.bias", "head.weight"}));
  EXPECT_TRUE(identical(value_of(loaded, graph, "head.weight"), kWeight));
  EXPECT_TRUE(identical(value_of(loaded, graph, "head.bias"), kBias));
  EXPECT_EQ(loaded.values.size(), 2U);
}

// As our checkpoints keep them, with the state of random numbers beside the weights.
TEST(LoadWeights, OtherVariablesOfTheModelAreExpected) {
  const Graph graph = model();
  Tensors tensors = {{"head.weight", kWeight}, {"head.bias", kBias}};
  for (const VarId id : graph.variable_ids()) {
    const Variable& variable = graph.variable(id);
    if (variable.name.starts_with("random.")) tensors.emplace(variable.name, initial_value(variable, 1));
  }
  ASSERT_EQ(tensors.size(), 4U);
  const LoadedWeights loaded = load_weights(graph, file_with(tensors));
  EXPECT_TRUE(loaded.report.complete()) << loaded.report.to_text();
  EXPECT_EQ(loaded.values.size(), 2U);
}

TEST(LoadWeights, MapsNamesAndChangesTensors) {
  const Graph graph = model();
  // As PyTorch keeps them: [out, in], and here with the bias fused below.
  const Safetensors file = file_with({{"fc.weight", kWeight.transposed({1, 0}).copy()},
                                      {"fc.all_biases", Array::of<float>({4}, {0, 7, 8, 9})},
                                      {"fc.mask", Array(DType::boolean, {2})}});
  const LoadOptions options = {.source = [](const Variable& variable) -> WeightSource {
                                 if (variable.name == "head.weight") return {"fc.weight", transposed({1, 0})};
                                 return {"fc.all_biases", [](const Array& all) { return all.sliced(0, 1, 3, 1); }};
                               },
                               .ignore = [](std::string_view tensor) { return tensor.ends_with(".mask"); }};
  const LoadedWeights loaded = load_weights(graph, file, options);
  EXPECT_TRUE(loaded.report.complete()) << loaded.report.to_text();
  EXPECT_TRUE(identical(value_of(loaded, graph, "head.weight"), kWeight));
  EXPECT_TRUE(value_of(loaded, graph, "head.weight").is_dense());
  EXPECT_TRUE(identical(value_of(loaded, graph, "head.bias"), kBias));
}

TEST(LoadWeights, ReportsWhatDoesNotFit) {
  const Graph graph = model();
  const Safetensors file = file_with({{"head.weight", kWeight.transposed({1, 0})}, {"tail", kBias}});
  const LoadedWeights loaded = load_weights(graph, file, {.strict = false});
  EXPECT_FALSE(loaded.report.complete());
  EXPECT_TRUE(loaded.values.empty());
  EXPECT_EQ(loaded.report.missing, Names{"head.bias"});
  EXPECT_EQ(loaded.report.unexpected, Names{"tail"});
  ASSERT_EQ(loaded.report.mismatched.size(), 1U);
  EXPECT_EQ(loaded.report.mismatched[0].in_model, "f32[2, 3]");
  EXPECT_EQ(loaded.report.mismatched[0].in_file, "f32[3, 2]");
  EXPECT_EQ(loaded.report.to_text(),
            "0 variables loaded\n1 variables without a tensor: head.bias\n1 tensors without a variable: tail\n"
            "1 of another type: head.weight is f32[2, 3], tensor head.weight is f32[3, 2]\n");
}

TEST(LoadWeights, StrictThrowsTheReport) {
  const Graph graph = model();
  const auto code_of = [&](const Tensors& tensors) {
    try {
      load_weights(graph, file_with(tensors));
    } catch (const UserError& error) {
      EXPECT_EQ(error.detail().where, "weights");
      EXPECT_NE(error.detail().given.find("head.bias"), std::string::npos) << error.what();
      return error.code();
    }
    return ErrorCode::bad_command;
  };
  EXPECT_EQ(code_of({{"head.weight", kWeight}}), ErrorCode::missing_value);
  EXPECT_EQ(code_of({{"head.weight", kWeight}, {"head.bias", kWeight}}), ErrorCode::type_mismatch);
}

TEST(LoadWeights, CastsFloatsOnly) {
  const Graph graph = model();
  const LoadedWeights cast = load_weights(
      graph, file_with({{"head.weight", kWeight.cast(DType::bf16)}, {"head.bias", kBias.cast(DType::f64)}}));
  EXPECT_TRUE(identical(value_of(cast, graph, "head.weight"), kWeight));
  const Safetensors file =
      file_with({{"head.weight", kWeight.cast(DType::i32)}, {"head.bias", kBias.cast(DType::f16)}});
  EXPECT_EQ(load_weights(graph, file, {.strict = false}).report.mismatched.size(), 1U);
  EXPECT_EQ(load_weights(graph, file, {.strict = false, .cast = false}).report.mismatched.size(), 2U);
}

TEST(LoadWeights, AChangeThatFailsIsAMismatch) {
  const Graph graph = model();
  const LoadOptions options = {.strict = false, .source = [](const Variable& variable) -> WeightSource {
                                 if (variable.name == "head.bias") return {};  // left as it is
                                 return {"head.bias", transposed({1, 0})};
                               }};
  const LoadReport report = load_weights(graph, file_with({{"head.bias", kBias}}), options).report;
  ASSERT_EQ(report.mismatched.size(), 1U);
  EXPECT_NE(report.mismatched[0].in_file.find("f32[3], which cannot be changed"), std::string::npos);
  EXPECT_TRUE(report.missing.empty());
}

TEST(LoadWeights, LongListsAreCut) {
  Tensors many;
  for (int k = 0; k < 20; ++k) many.emplace("t" + std::to_string(k), kBias);
  const std::string text = load_weights(Graph(), file_with(many), {.strict = false}).report.to_text();
  EXPECT_NE(text.find("20 tensors without a variable: t0, t1, t10"), std::string::npos) << text;
  EXPECT_NE(text.find("and 12 more"), std::string::npos) << text;
}

}  // namespace
}  // namespace asg::io
