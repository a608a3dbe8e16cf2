// What tools/samples writes for other programs.
#include "samples.h"

#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "asg/graph/registry.h"
#include "asg/loss/loss.h"
#include "asg/nn/nn.h"

namespace asg::samples {
namespace {

const OpCard& card(std::string_view name) {
  register_layers();
  register_losses();
  return Registry::global().get(name);
}

Case computed(std::string_view name, DType dtype, Mode mode = Mode::train) {
  const OpCard& op = card(name);
  const std::optional<Case> result = compute(op, op.samples.front(), dtype, mode);
  EXPECT_TRUE(result.has_value());
  return result.value_or(Case{});
}

TEST(Samples, TheGradientIsThatOfTheWeightedSum) {
  for (DType dtype : {DType::f32, DType::f64}) {
    const Case result = computed("Neg", dtype);
    const Array& weights = result.weights.find("output_0")->as_tensor();
    const Array& gradient = result.gradients.find("input_0")->as_tensor();
    EXPECT_EQ(gradient.dtype(), dtype);
    ASSERT_EQ(gradient.sizes(), weights.sizes());
    for (std::int64_t at = 0; at < weights.count(); ++at) EXPECT_EQ(gradient.get(at), -weights.get(at));
  }
}

TEST(Samples, LayersTellTheirParametersBySlot) {
  const Case result = computed("nn.Linear", DType::f64);
  for (const char* slot : {"weight", "bias"}) {
    EXPECT_NE(result.variables.find(slot), nullptr) << slot;
    EXPECT_NE(result.gradients.find(slot), nullptr) << slot;
  }
}

TEST(Samples, BuffersMoveInTrainingOnly) {
  EXPECT_NE(computed("nn.BatchNorm", DType::f64).updates.find("running_mean"), nullptr);
  EXPECT_TRUE(computed("nn.BatchNorm", DType::f64, Mode::eval).updates.empty());
}

TEST(Samples, MasksThatALayerDrewAreTold) {
  EXPECT_NE(computed("nn.Dropout", DType::f64).randoms.find("mask"), nullptr);
  EXPECT_TRUE(computed("nn.Dropout", DType::f64, Mode::eval).randoms.empty());
}

TEST(Samples, WithoutFloatsThereIsOneCase) {
  const OpCard& op = card("And");
  EXPECT_FALSE(compute(op, op.samples.front(), DType::f32, Mode::train));
  EXPECT_TRUE(compute(op, op.samples.front(), DType::f64, Mode::train));
}

TEST(Samples, ALineHoldsEverySample) {
  const OpCard& op = card("Elu");
  const nlohmann::json line = nlohmann::json::parse(line_of(op));
  EXPECT_EQ(line.at("op"), "Elu");
  EXPECT_EQ(line.at("torch"), op.torch);
  EXPECT_EQ(line.at("defaults").at("alpha"), 1.0);
  EXPECT_EQ(line.at("cases").size(), 2 * op.samples.size());
}

TEST(Samples, ATrainingLearns) {
  std::istringstream lines(training_lines(card("nn.Linear")));
  int trainings = 0;
  for (std::string line; std::getline(lines, line); ++trainings) {
    const nlohmann::json training = nlohmann::json::parse(line);
    const std::vector<double> losses = training.at("losses");
    ASSERT_EQ(losses.size(), 20u);
    EXPECT_LT(losses.back(), losses.front()) << training.at("sample") << " with " << training.at("recipe");
  }
  EXPECT_GE(trainings, 3);
}

}  // namespace
}  // namespace asg::samples
