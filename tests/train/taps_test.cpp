// Watched values: the twin tells what plain loops find, and training goes on as if nobody looked.
#include <cmath>

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
  train::Taps taps = trainer.watch({watched}, 5);
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
  EXPECT_EQ(found->what, "'logarithm' (Log) makes 2 elements that are not finite of finite numbers");
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
  EXPECT_EQ(found->what, "the variable 'w' holds 1 element that is not finite");
}

INSTANTIATE_TEST_SUITE_P(Backends, Watching, testing::Values("cpu", "interp"),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace asg::test
