// Watched values: the twin tells what plain loops find, and training goes on as if nobody looked.
#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "asg/backend/cpu.h"
#include "support/compare.h"
#include "train/models.h"

namespace asg::test {
namespace {

std::shared_ptr<Backend> backend_named(const std::string& name) {
  if (name == "cpu") return std::make_shared<CpuBackend>(2);
  return std::make_shared<Interpreter>();
}

train::Trainer trainer_on(const std::string& backend, Graph model) {
  return {std::move(model), backend_named(backend), {.optimizer = optim::Optimizer::adam(1e-2)}};
}

std::vector<Array> tapped_batch() {
  const data::Dataset data = small_data();
  return {data.column("features"), data.column("labels")};
}

class Watching : public testing::TestWithParam<std::string> {};

TEST_P(Watching, TellsWhatPlainLoopsFind) {
  train::Trainer trainer = trainer_on(GetParam(), small_classifier());
  const std::vector<Array> batch = tapped_batch();
  trainer.step(std::span<const Array>(batch));
  const Graph& model = trainer.model().graph();
  const Value watched = model.find_output("logits")->value;
  train::Taps taps = trainer.watch({watched}, {.preview = 5});
  const train::TapReading reading = taps.read(batch).front();
  trainer.step(std::span<const Array>(batch));  // the same variables, as it reads before it updates
  const Array logits = trainer.outputs()[0];
  double sum = 0;
  double squares = 0;
  double least = logits.get(0);
  for (std::int64_t k = 0; k < logits.count(); ++k) {
    sum += logits.get(k);
    squares += logits.get(k) * logits.get(k);
    least = std::min(least, logits.get(k));
  }
  const auto count = static_cast<double>(logits.count());
  EXPECT_EQ(reading.count, logits.count());
  EXPECT_EQ(reading.not_finite, 0);
  EXPECT_EQ(reading.least, least);
  EXPECT_NEAR(reading.mean, sum / count, 1e-5);
  EXPECT_NEAR(reading.deviation, std::sqrt(squares / count - sum / count * sum / count), 1e-4);
  ASSERT_EQ(reading.preview.sizes(), Sizes{5});
  for (std::int64_t k = 0; k < 5; ++k) EXPECT_EQ(reading.preview.get(k), logits.get(k));
}

TEST_P(Watching, LeavesTheBitsOfTrainingAsTheyAre) {
  train::Trainer watched = trainer_on(GetParam(), small_classifier());
  train::Trainer plain = trainer_on(GetParam(), small_classifier());
  const std::vector<Array> batch = tapped_batch();
  train::Taps taps = watched.watch({watched.model().graph().find_output("logits")->value});
  for (int step = 0; step < 4; ++step) {
    taps.read(batch);
    watched.step(std::span<const Array>(batch));
    plain.step(std::span<const Array>(batch));
  }
  const train::TrainingState with = watched.state();
  const train::TrainingState without = plain.state();
  for (const auto& [id, value] : without.variables) EXPECT_TRUE(bit_equal(value, with.variables.at(id)));
  for (const auto& [key, value] : without.optimizer) EXPECT_TRUE(bit_equal(value, with.optimizer.at(key)));
}

// The twin that goes backwards reads from the same variables and random counters.
TEST_P(Watching, OfGradientsLeavesTheBitsOfTrainingAsTheyAre) {
  train::Trainer watched = trainer_on(GetParam(), small_classifier());
  train::Trainer plain = trainer_on(GetParam(), small_classifier());
  const std::vector<Array> batch = tapped_batch();
  const std::vector<std::string> paths = {"block", "dropout", "block/feed_forward/activation", "embed.weight"};
  train::Taps taps = watched.watch_paths(paths, {.gradients = true});
  for (int step = 0; step < 4; ++step) {
    for (const train::TapReading& reading : taps.read(batch)) EXPECT_TRUE(reading.gradient.has_value());
    watched.step(std::span<const Array>(batch));
    plain.step(std::span<const Array>(batch));
  }
  const train::TrainingState with = watched.state();
  const train::TrainingState without = plain.state();
  for (const auto& [id, value] : without.variables) EXPECT_TRUE(bit_equal(value, with.variables.at(id)));
  for (const auto& [key, value] : without.optimizer) EXPECT_TRUE(bit_equal(value, with.optimizer.at(key)));
}

// loss = Σ (w − target)², so the gradient by the difference is 2 (w − target), and by the loss itself 1.
TEST_P(Watching, TellsGradients) {
  Graph graph("quadratic");
  const Tensor target = graph.input("target", {DType::f64, {3}});
  const Tensor w = graph.parameter("w", {DType::f64, {3}}, Initializer::constant(1));
  const Tensor difference = (w - target).named("difference");
  const Tensor beside = (difference * 2.0).named("beside");
  const Tensor floor = add_op("Floor", {difference}).named("floor");
  graph.set_output("loss", reduce_sum(difference * difference + floor * 0.0, {}, {.keepdims = false}).named("sum"));
  graph.set_output("beside", beside);
  train::Trainer trainer = trainer_on(GetParam(), std::move(graph));
  const std::vector<Array> batch = {Array::of<double>({3}, {1, 2, 5})};
  const std::vector<std::string> paths = {"difference", "w", "sum", "beside", "floor:0", "target"};
  train::Taps taps = trainer.watch_paths(paths, {.gradients = true});
  const std::vector<train::TapReading>& readings = taps.read(batch);
  const auto gradient = [&](std::size_t k) {
    std::vector<double> values;
    const Array& preview = readings[k].gradient.value().preview;
    for (std::int64_t at = 0; at < preview.count(); ++at) values.push_back(preview.get(at));
    return values;
  };
  EXPECT_EQ(gradient(0), (std::vector<double>{0, -2, -8}));
  EXPECT_EQ(gradient(1), (std::vector<double>{0, -2, -8}));
  EXPECT_EQ(gradient(2), (std::vector<double>{1}));
  EXPECT_FALSE(readings[3].gradient.has_value());
  EXPECT_EQ(gradient(4), (std::vector<double>{0, 0, 0}));
  EXPECT_EQ(gradient(5), (std::vector<double>{0, 2, 8}));
  EXPECT_EQ(readings[0].gradient->mean, -10.0 / 3);
  EXPECT_EQ(readings[0].gradient->least, -8);
}

// A mask of whole numbers, and what an op without a gradient lies before, have none; the others have theirs.
TEST_P(Watching, LeavesOutGradientsThatThereAreNot) {
  train::Trainer trainer = trainer_on(GetParam(), small_classifier());
  const std::vector<Array> batch = tapped_batch();
  const std::vector<std::string> paths = {"labels", "logits_of_nobody", "head"};
  EXPECT_THROW(trainer.watch_paths(paths), UserError);
  train::Taps taps = trainer.watch_paths(std::vector<std::string>{"labels", "head"}, {.gradients = true});
  const std::vector<train::TapReading>& readings = taps.read(batch);
  EXPECT_FALSE(readings[0].gradient.has_value());
  EXPECT_TRUE(readings[1].gradient.has_value());
  EXPECT_GT(readings[1].gradient->greatest, 0);
}

TEST_P(Watching, SpreadsElementsOverBins) {
  Graph graph("spread");
  const Dim length = Dim::symbol("length");
  const Tensor x = graph.input("x", {DType::f32, {length}});
  const Tensor w = graph.parameter("w", {DType::f32, {1}}, Initializer::constant(1));
  graph.set_output("loss", reduce_sum((x * w).named("product"), {}, {.keepdims = false}));
  train::Trainer trainer = trainer_on(GetParam(), std::move(graph));
  train::Taps taps = trainer.watch_paths(std::vector<std::string>{"product", "w"});
  const auto read = [&](std::int64_t count, const std::function<float(std::int64_t)>& value) {
    std::vector<float> values;
    for (std::int64_t k = 0; k < count; ++k) values.push_back(value(k));
    const std::vector<Array> batch = {Array::of<float>({count}, values)};
    return taps.read(batch)[0].histogram;
  };
  // Few elements: each counts once.
  const train::Histogram all = read(96, [](std::int64_t k) { return static_cast<float>(k); });
  EXPECT_EQ(all.count, 96);
  EXPECT_EQ(all.min, 0);
  EXPECT_EQ(all.max, 95);
  EXPECT_EQ(all.counts, std::vector<double>(32, 3));
  // Many: some of them, evenly spread also where values come round after round, as channels do.
  const train::Histogram some = read(4 * train::kMostSampled, [](std::int64_t k) { return static_cast<float>(k % 4); });
  EXPECT_EQ(some.count, train::kMostSampled);
  EXPECT_NEAR(some.counts.front(), train::kMostSampled / 4, 32);
  EXPECT_NEAR(some.counts.back(), train::kMostSampled / 4, 32);
  const train::Histogram two = read(20'000, [](std::int64_t k) { return k < 10'000 ? -1.0F : 1.0F; });
  EXPECT_EQ(two.counts.front(), 8192);
  EXPECT_EQ(two.counts.back(), 8192);
  // Only finite ones are told of.
  const train::Histogram broken = read(4, [](std::int64_t k) { return k == 2 ? std::nanf("") : 7.0F; });
  EXPECT_EQ(broken.count, 3);
  EXPECT_EQ(broken.not_finite, 1);
  EXPECT_EQ(broken.counts, (std::vector<double>{3}));
}

TEST_P(Watching, CountsWhatIsNotFinite) {
  Graph graph("logarithm");
  const Tensor x = graph.input("x", {DType::f32, {4}});
  const Tensor w = graph.parameter("w", {DType::f32, {4}}, Initializer::constant(1));
  const Tensor product = (x * w).named("product");
  const Tensor logarithm = add_op("Log", {product}).named("logarithm");
  graph.set_output("loss", reduce_sum(logarithm, {}, {.keepdims = false}));
  const Value value = logarithm.value();
  train::Trainer trainer = trainer_on(GetParam(), std::move(graph));
  const std::vector<Array> batch = {Array::of<float>({4}, {1, 0, -1, 1})};
  EXPECT_FALSE(trainer.step(std::span<const Array>(batch)).committed);
  train::Taps taps = trainer.watch({value});
  const train::TapReading& reading = taps.read(batch).front();
  EXPECT_EQ(reading.not_finite, 2);
  EXPECT_EQ(reading.mean, 0);
  EXPECT_EQ(reading.greatest, 0);
  const auto found = trainer.find_not_finite();
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->path, "logarithm");
  EXPECT_EQ(found->count, 2);
  EXPECT_EQ(found->what.en, "'logarithm' (Log) makes 2 elements that are not finite of finite numbers");
}

TEST_P(Watching, FindsNothingWhereAllIsFinite) {
  train::Trainer trainer = trainer_on(GetParam(), small_classifier());
  const std::vector<Array> batch = tapped_batch();
  trainer.step(std::span<const Array>(batch));
  EXPECT_FALSE(trainer.find_not_finite().has_value());
}

TEST_P(Watching, NamesAVariableThatIsNotFinite) {
  train::Trainer trainer = trainer_on(GetParam(), quadratic());
  const std::vector<Array> batch = {Array::of<double>({2}, {1, 2})};
  trainer.step(std::span<const Array>(batch));
  train::TrainingState state = trainer.state();
  state.variables.begin()->second.set(0, std::nan(""));
  trainer.set_state(state);
  const auto found = trainer.find_not_finite();
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->what.en, "the variable 'w' holds 1 element that is not finite");
}

INSTANTIATE_TEST_SUITE_P(Backends, Watching, testing::Values("cpu", "interp"),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace asg::test
