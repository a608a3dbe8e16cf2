// Mistakes that others made in layers and losses, and that must not be made here. The name of a test says the mistake.
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "asg/autograd/gradients.h"
#include "asg/graph/registry.h"
#include "asg/loss/loss.h"
#include "asg/nn/nn.h"
#include "nn/run_layer.h"
#include "support/compare.h"
#include "support/run_op.h"

namespace asg::test {
namespace {

// A model of one layer on an input "x"; other inputs are added by `more`.
Graph one_layer(std::string_view op, const char* type, const Attrs& attrs = {}) {
  Graph graph;
  const Tensor x = graph.input("x", TensorType::parse(type));
  graph.set_output("y", add_op(op, {x}, attrs));
  return graph;
}

Array counted(const Sizes& sizes) {
  Array array(DType::f64, sizes);
  for (std::int64_t at = 0; at < array.count(); ++at) array.set(at, std::sin(static_cast<double>(at) + 1));
  return array;
}

Array output_of(const Graph& graph, Mode mode, NamedArrays values) {
  return run_layer(graph, mode, std::move(values)).outputs.front();
}

// ---- "`mean` losses that are not scalars"

TEST(Regressions, MeanLossesThatAreNotScalars) {
  int checked = 0;
  for (const OpCard* op : Registry::global().all()) {
    if (op->category != Category::loss) continue;
    for (const Sample& sample : op->samples) {
      const Attr* reduction = sample.attrs.find("reduction");
      if (reduction != nullptr && reduction->as_text() == "none") continue;
      const auto types = output_types(*op, sample.attrs, sample_inputs(*op, sample.name, sample.inputs));
      EXPECT_EQ(types.front().shape.rank(), 0) << op->name << ", sample " << sample.name;
      ++checked;
    }
  }
  EXPECT_GE(checked, 60);
}

// ---- "attention that works for batch 1 and length 1 only", "masks that cannot be used"

const Attrs kTwoHeads = {{"heads", 2}};

TEST(Regressions, AttentionThatWorksForBatch1AndLength1Only) {
  for (const char* op : {"nn.MultiHeadAttention", "nn.TransformerBlock", "nn.TransformerEncoder"}) {
    SCOPED_TRACE(op);
    Attrs attrs = kTwoHeads;
    if (std::string_view(op) != "nn.MultiHeadAttention") attrs.set("hidden", 6);
    const Graph graph = one_layer(op, "f64[batch, length, 4]", attrs);
    for (const Sizes& sizes : {Sizes{1, 1, 4}, Sizes{3, 1, 4}, Sizes{1, 5, 4}, Sizes{4, 3, 4}}) {
      const Array x = counted(sizes);
      const Array y = output_of(graph, Mode::eval, {{"x", x}});
      ASSERT_EQ(y.sizes(), sizes);
      // Examples do not see each other: alone each gives what it gives in the batch.
      for (std::int64_t example = 0; example < sizes[0]; ++example) {
        const Array alone = output_of(graph, Mode::eval, {{"x", x.sliced(0, example, 1, 1).copy()}});
        EXPECT_TRUE(near(alone, y.sliced(0, example, 1, 1).copy(), 1e-12));
      }
    }
  }
}

// What a masked position holds has no influence on the others.
TEST(Regressions, MasksThatCannotBeUsed) {
  Graph graph;
  const Tensor x = graph.input("x", TensorType::parse("f64[batch, length, 4]"));
  const Tensor mask = graph.input("mask", TensorType::parse("bool[batch, 1, 1, length]"));
  graph.set_output("y", add_op("nn.MultiHeadAttention", {x, {}, {}, mask}, kTwoHeads));
  const Array hidden = Array::of<bool>({2, 1, 1, 3}, {true, true, false, true, false, true});
  const Array original = counted({2, 3, 4});
  Array changed = original.copy();
  for (std::int64_t feature = 0; feature < 4; ++feature) {
    changed.set(2 * 4 + feature, 50);        // example 0, position 2
    changed.set((3 + 1) * 4 + feature, -7);  // example 1, position 1
  }
  const Array before = output_of(graph, Mode::eval, {{"x", original}, {"mask", hidden}});
  const Array after = output_of(graph, Mode::eval, {{"x", changed}, {"mask", hidden}});
  for (const std::int64_t row : {0, 1, 3, 5}) {  // the positions that were not changed
    for (std::int64_t feature = 0; feature < 4; ++feature) {
      EXPECT_NEAR(after.get(row * 4 + feature), before.get(row * 4 + feature), 1e-12) << row;
    }
  }
  const Array open = Array::of<bool>({2, 1, 1, 3}, {true, true, true, true, true, true});
  EXPECT_FALSE(near(output_of(graph, Mode::eval, {{"x", original}, {"mask", open}}), before, 1e-6));
}

TEST(Regressions, CausalAttentionThatSeesTheFuture) {
  for (const char* positions : {"none", "rotary", "alibi"}) {
    const Graph graph = one_layer("nn.MultiHeadAttention", "f64[1, length, 4]",
                                  {{"heads", 2}, {"causal", true}, {"positions", positions}});
    const Array x = counted({1, 5, 4});
    const Array whole = output_of(graph, Mode::eval, {{"x", x}});
    const Array start = output_of(graph, Mode::eval, {{"x", x.sliced(1, 0, 3, 1).copy()}});
    EXPECT_TRUE(near(start, whole.sliced(1, 0, 3, 1).copy(), 1e-12)) << positions;
  }
}

// ---- "BatchNorm without running statistics", "per-channel normalisation that uses channel 0 only"

TEST(Regressions, BatchNormWithoutRunningStatistics) {
  Graph graph;
  const Tensor x = graph.input("x", TensorType::parse("f64[batch, 2]"));
  graph.set_output("y", add_op("nn.BatchNorm", {x}, {{"momentum", 0.25}, {"epsilon", 0.0}}));
  const Array batch = Array::of<double>({4, 2}, {1, 10, 2, 30, 3, 10, 6, 30});  // means 3 and 20
  const LayerRun trained = run_layer(graph, Mode::train, {{"x", batch}});
  const Array& mean = trained.variables.at("batch_norm_1.running_mean");
  const Array& variance = trained.variables.at("batch_norm_1.running_variance");
  EXPECT_NEAR(mean.get(0), 0.25 * 3, 1e-14);
  EXPECT_NEAR(mean.get(1), 0.25 * 20, 1e-14);
  EXPECT_NEAR(variance.get(0), 0.75 + 0.25 * 14.0 / 3, 1e-14);  // unbiased, as PyTorch has it
  EXPECT_NEAR(variance.get(1), 0.75 + 0.25 * 400.0 / 3, 1e-12);
  // Evaluation uses them and changes nothing, for a batch of one as well.
  NamedArrays values = trained.variables;
  values["x"] = Array::of<double>({1, 2}, {1, 10});
  const LayerRun judged = run_layer(graph, Mode::eval, values);
  EXPECT_NEAR(judged.outputs.front().get(0), (1 - 0.75) / std::sqrt(variance.get(0)), 1e-14);
  EXPECT_NEAR(judged.outputs.front().get(1), (10 - 5.0) / std::sqrt(variance.get(1)), 1e-14);
  EXPECT_TRUE(identical(judged.variables.at("batch_norm_1.running_mean"), mean));
}

TEST(Regressions, PerChannelNormalisationThatUsesChannel0Only) {
  for (const std::int64_t axis : {1, -1}) {
    const Graph graph = one_layer("nn.BatchNorm", "f64[4, 3, 3]", {{"axis", axis}, {"epsilon", 0.0}});
    Array x = counted({4, 3, 3});
    for (std::int64_t at = 0; at < x.count(); ++at) x.set(at, x.get(at) * static_cast<double>(at % 3 + 1) + at / 3 % 3);
    const Array y = output_of(graph, Mode::train, {{"x", x}});
    for (std::int64_t channel = 0; channel < 3; ++channel) {
      double sum = 0;
      double squares = 0;
      for (std::int64_t at = 0; at < y.count(); ++at) {
        if ((axis == 1 ? at / 3 % 3 : at % 3) != channel) continue;
        sum += y.get(at);
        squares += y.get(at) * y.get(at);
      }
      EXPECT_NEAR(sum, 0, 1e-12) << axis << ' ' << channel;
      EXPECT_NEAR(squares / 12, 1, 1e-12) << axis << ' ' << channel;
    }
  }
}

// ---- "spatial dropout that is plain dropout", "initialisers and dropout that cannot be seeded"

Array seed(std::uint64_t number) { return Array::of<std::uint64_t>({}, {number}); }

TEST(Regressions, SpatialDropoutThatIsPlainDropout) {
  const Graph graph = one_layer("nn.SpatialDropout", "f64[batch, 8, height, width]");
  Array ones(DType::f64, {5, 8, 3, 4});
  for (std::int64_t at = 0; at < ones.count(); ++at) ones.set(at, 1);
  const Array y = output_of(graph, Mode::train, {{"x", ones}});
  std::set<double> seen;
  for (std::int64_t channel = 0; channel < 5 * 8; ++channel) {
    for (std::int64_t place = 0; place < 12; ++place) {
      EXPECT_EQ(y.get(channel * 12 + place), y.get(channel * 12)) << "a channel that is dropped in part";
    }
    seen.insert(y.get(channel * 12));
  }
  EXPECT_EQ(seen, (std::set<double>{0, 2}));
  EXPECT_TRUE(identical(output_of(graph, Mode::eval, {{"x", ones}}), ones));
}

TEST(Regressions, DropoutThatCannotBeSeeded) {
  for (const char* op : {"nn.Dropout", "nn.SpatialDropout"}) {
    const Graph graph = one_layer(op, "f64[16, 8, 2]");
    const Array x = counted({16, 8, 2});
    const auto run = [&](std::uint64_t number, std::uint64_t step) {
      return output_of(graph, Mode::train, {{"x", x}, {"random.seed", seed(number)}, {"random.step", seed(step)}});
    };
    EXPECT_TRUE(identical(run(1, 1), run(1, 1))) << op;
    EXPECT_FALSE(bit_equal(run(1, 1), run(2, 1))) << op;
    EXPECT_FALSE(bit_equal(run(1, 1), run(1, 2))) << op;
  }
}

// ---- "rotary and sinusoidal codes that need full length"

TEST(Regressions, PositionCodesThatNeedFullLength) {
  for (const char* op : {"nn.RotaryPosition", "nn.SinusoidalPosition", "nn.LearnedPosition"}) {
    SCOPED_TRACE(op);
    const bool table = std::string_view(op) == "nn.LearnedPosition";
    Graph graph;
    const Tensor x = graph.input("x", TensorType::parse("f64[batch, length, 6]"));
    const Tensor offset = graph.input("offset", TensorType::parse("i64[]"));
    graph.set_output("y", add_op(op, {x, offset}, table ? Attrs{{"count", 9}} : Attrs{}));
    const Array whole = counted({2, 7, 6});
    const Array coded = output_of(graph, Mode::eval, {{"x", whole}, {"offset", Array::scalar_i64(1)}});
    // Any part of the sequence, given with its own offset, has the codes that it has in the whole.
    for (const auto& [start, length] : {std::pair{0, 3}, std::pair{2, 1}, std::pair{3, 4}}) {
      const Array part =
          output_of(graph, Mode::eval,
                    {{"x", whole.sliced(1, start, length, 1).copy()}, {"offset", Array::scalar_i64(1 + start)}});
      EXPECT_TRUE(near(part, coded.sliced(1, start, length, 1).copy(), 1e-12)) << start;
    }
  }
}

// A rotary code keeps lengths, and products of queries and keys depend on the distance only.
TEST(Regressions, RotaryCodesThatAreNotRelative) {
  for (const bool interleaved : {false, true}) {
    Graph graph;
    const Tensor x = graph.input("x", TensorType::parse("f64[2, 4]"));
    const Tensor offset = graph.input("offset", TensorType::parse("i64[]"));
    graph.set_output("y", add_op("nn.RotaryPosition", {x, offset}, {{"interleaved", interleaved}}));
    const auto product = [&](std::int64_t first) {
      const Array y = output_of(graph, Mode::eval, {{"x", counted({2, 4})}, {"offset", Array::scalar_i64(first)}});
      double sum = 0;
      for (std::int64_t feature = 0; feature < 4; ++feature) sum += y.get(feature) * y.get(4 + feature);
      return sum;
    };
    EXPECT_NEAR(product(0), product(1000), 1e-12);
  }
}

// ---- "convolution bias gradient summed to a scalar" and its kin: parameters of layers are all trained.

TEST(Regressions, LayersWithParametersThatNeverTrain) {
  for (const OpCard* op : Registry::global().all()) {
    if (!op->name.starts_with("nn.") || op->samples.empty()) continue;
    Graph graph;
    NodeSpec spec;
    spec.op = op;
    spec.attrs = op->samples.front().attrs;
    const Inputs inputs = sample_inputs(*op, op->samples.front().name, op->samples.front().inputs);
    for (std::size_t index = 0; index < inputs.size(); ++index) {
      spec.inputs.push_back(inputs[index] ? graph.constant(*inputs[index]).value() : Value{});
    }
    const Tensor y = graph.add_outputs(std::move(spec)).front();
    graph.set_output("loss", add_op("ReduceSum", {y * y}, {{"keepdims", false}}));
    std::vector<VarId> parameters;
    for (VarId id : graph.variable_ids()) {
      if (graph.variable(id).kind == VarKind::parameter) parameters.push_back(id);
    }
    if (parameters.empty()) continue;
    const Differentiated joint = differentiate(graph, graph.find_output("loss")->value, parameters, Mode::train);
    EXPECT_TRUE(joint.warnings.empty()) << op->name << ": " << joint.warnings.front();
    for (std::size_t at = 0; at < parameters.size(); ++at) {
      EXPECT_EQ(joint.graph.type(joint.gradients[at]), graph.variable(parameters[at]).type) << op->name;
    }
  }
}

}  // namespace
}  // namespace asg::test
