// Mistakes that others made in layers and losses, and that must not be made here. The name of a test says the mistake.
#include <algorithm>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "asg/autograd/gradients.h"
#include "asg/backend/interpreter.h"
#include "asg/graph/registry.h"
#include "asg/loss/loss.h"
#include "asg/nn/nn.h"
#include "nn/run_layer.h"
#include "support/compare.h"
#include "support/run_op.h"

namespace asg::test {
namespace {

// A model of one layer as its first sample has it; the inputs are constants.
Graph first_sample(const OpCard& op) {
  Graph graph;
  NodeSpec spec;
  spec.op = &op;
  spec.attrs = op.samples.front().attrs;
  for (const auto& input : sample_inputs(op, op.samples.front().name, op.samples.front().inputs)) {
    spec.inputs.push_back(input ? graph.constant(*input).value() : Value{});
  }
  graph.set_output("y", graph.add_outputs(std::move(spec)).front());
  return graph;
}

// ---- "`mean` losses that are not scalars"

// Every loss, with `mean` and with `sum`, is one number, as inferred and as computed.
TEST(Regressions, MeanLossesThatAreNotScalars) {
  for (const OpCard* op : Registry::global().all()) {
    if (op->category != Category::loss) continue;
    SCOPED_TRACE(op->name);
    int means = 0;
    for (const Sample& sample : op->samples) {
      const Attr* reduction = sample.attrs.find("reduction");
      if (reduction != nullptr && reduction->as_text() == "none") continue;
      SCOPED_TRACE("sample " + sample.name);
      const Inputs inputs = sample_inputs(*op, sample.name, sample.inputs);
      EXPECT_EQ(output_types(*op, sample.attrs, inputs).front().shape.rank(), 0);
      EXPECT_EQ(run_op(*op, sample.attrs, inputs).front().rank(), 0);
      means += reduction == nullptr || reduction->as_text() == "mean" ? 1 : 0;
    }
    EXPECT_GT(means, 0) << "no sample for the mean";
  }
}

// ---- "BatchNorm without running statistics", "per-channel normalisation that uses channel 0 only"

// Training moves the running statistics by the momentum; evaluation uses them, and not those of the batch.
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

// Every channel of the result has mean 0 and variance 1, wherever the channels stand.
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

// A channel is kept or dropped as a whole.
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

// The same seed and step drop the same elements; another seed or another step drops others.
TEST(Regressions, DropoutThatCannotBeSeeded) {
  const std::pair<const char*, Attrs> layers[] = {
      {"nn.Dropout", {}}, {"nn.SpatialDropout", {}}, {"nn.MultiHeadAttention", {{"heads", 2}, {"dropout", 0.5}}}};
  for (const auto& [op, attrs] : layers) {
    const Graph graph = one_layer(op, "f64[16, 8, 2]", attrs);
    const Array x = counted({16, 8, 2});
    const auto run = [&](std::uint64_t number, std::uint64_t step) {
      return output_of(graph, Mode::train, {{"x", x}, {"random.seed", seed(number)}, {"random.step", seed(step)}});
    };
    EXPECT_TRUE(identical(run(1, 1), run(1, 1))) << op;
    EXPECT_FALSE(bit_equal(run(1, 1), run(2, 1))) << op;
    EXPECT_FALSE(bit_equal(run(1, 1), run(1, 2))) << op;
  }
}

// One seed, one beginning; another seed, another one: for every way to draw, and for all that the layers draw.
TEST(Regressions, InitialisersThatCannotBeSeeded) {
  const auto expect_seeded = [](const Variable& variable) {
    SCOPED_TRACE(variable.name + ", " + variable.init.to_string());
    EXPECT_TRUE(identical(initial_value(variable, 1), initial_value(variable, 1)));
    EXPECT_FALSE(bit_equal(initial_value(variable, 1), initial_value(variable, 2)));
  };
  const Initializer drawn[] = {Initializer::uniform(0, 1),          Initializer::normal(0, 1),
                               Initializer::truncated_normal(0, 1), Initializer::xavier_uniform(),
                               Initializer::xavier_normal(),        Initializer::kaiming_uniform(),
                               Initializer::kaiming_normal(),       Initializer::orthogonal()};
  const auto is_drawn = [&](const Initializer& init) {
    return std::any_of(std::begin(drawn), std::end(drawn),
                       [&](const Initializer& one) { return one.kind == init.kind; });
  };
  for (const Initializer& init : drawn) expect_seeded({VarId{1}, "v", TensorType::parse("f32[4, 5]"), init});
  int layers = 0;
  for (const OpCard* op : Registry::global().all()) {
    if (!op->name.starts_with("nn.") || op->samples.empty()) continue;
    const Graph graph = first_sample(*op);
    for (VarId id : graph.variable_ids()) {
      if (!is_drawn(graph.variable(id).init)) continue;
      expect_seeded(graph.variable(id));
      ++layers;
    }
  }
  EXPECT_GE(layers, 30) << "few layers have weights that are drawn";
}

// ---- parameters with silently zero gradients

// What is added to all keys adds the same to all scores of a row, which softmax does not see.
bool is_zero_by_nature(const std::string& name) { return name.ends_with("key_projection.bias"); }

double largest(const Array& array) {
  double most = 0;
  for (std::int64_t at = 0; at < array.count(); ++at) most = std::max(most, std::abs(array.get(at)));
  return most;
}

// Every parameter of every layer gets a gradient of its own shape that is not zero.
TEST(Regressions, LayersWithParametersThatNeverTrain) {
  for (const OpCard* op : Registry::global().all()) {
    if (!op->name.starts_with("nn.") || op->samples.empty()) continue;
    Graph graph = first_sample(*op);
    const Tensor y = graph.tensor(graph.find_output("y")->value);
    const Tensor weights = graph.constant(counted(y.shape().sizes()));
    graph.set_output("loss", add_op("ReduceSum", {y * (y + weights)}, {{"keepdims", false}}));
    std::vector<VarId> parameters;
    NamedArrays values;
    for (VarId id : graph.variable_ids()) {
      const Variable& variable = graph.variable(id);
      values[variable.name] = initial_value(variable, kSeed);
      if (variable.kind != VarKind::parameter) continue;
      parameters.push_back(id);
      values[variable.name] = counted(variable.type.shape.sizes());  // zeros would hide what lies behind them
    }
    if (parameters.empty()) continue;
    const Differentiated joint = differentiate(graph, graph.find_output("loss")->value, parameters, Mode::train);
    EXPECT_TRUE(joint.warnings.empty()) << op->name << ": " << joint.warnings.front();
    Graph plain = joint.graph;
    plain.set_updates({});
    Interpreter interpreter;
    const NamedArrays all = interpreter.download_all(interpreter.execute(plain, interpreter.upload_all(values)));
    for (std::size_t at = 0; at < parameters.size(); ++at) {
      const Variable& variable = graph.variable(parameters[at]);
      SCOPED_TRACE(op->name + ", " + variable.name);
      const Array& gradient = all.at("gradient:" + std::to_string(at));
      EXPECT_EQ(gradient.sizes(), variable.type.shape.sizes());
      if (!is_zero_by_nature(variable.name)) {
        EXPECT_GT(largest(gradient), 1e-6);
      }
    }
  }
}

}  // namespace
}  // namespace asg::test
