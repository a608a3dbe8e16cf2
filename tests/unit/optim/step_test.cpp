// Clipping, micro-batches and means of weights in the step graph.
#include <cmath>

#include <gtest/gtest.h>

#include "asg/backend/cpu.h"
#include "asg/compile/explain.h"
#include "asg/graph/validate.h"
#include "unit/optim/small_training.h"

namespace asg::test {
namespace {

using optim::Optimizer;

NamedArrays batch_of(int phase, std::int64_t examples = 4) {
  return {{"x", wave({examples, 3}, phase)}, {"y", wave({examples, 2}, phase + 50)}};
}

// All examples of several batches as one.
NamedArrays joined(const std::vector<NamedArrays>& batches) {
  NamedArrays result;
  for (const char* name : {"x", "y"}) {
    std::vector<double> values;
    std::int64_t examples = 0;
    for (const NamedArrays& batch : batches) {
      const Array& part = batch.at(name);
      for (std::int64_t k = 0; k < part.count(); ++k) values.push_back(part.get(k));
      examples += part.sizes()[0];
    }
    result[name] = Array::of<double>({examples, static_cast<std::int64_t>(values.size()) / examples}, values);
  }
  return result;
}

void expect_same_parameters(const SmallTraining& ours, const SmallTraining& expected, double bound) {
  for (const VarId id : expected.graph().parameters) {
    const Array a = ours.read(expected.graph().graph.variable(id).name);
    const Array b = expected.read(id);
    for (std::int64_t k = 0; k < a.count(); ++k) EXPECT_NEAR(a.get(k), b.get(k), bound);
  }
}

class OnBackend : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Backends, OnBackend, testing::Values("interp", "cpu"),
                         [](const auto& row) { return std::string(row.param); });

TEST_P(OnBackend, MicroBatchesGiveTheUpdateOfOneLargeBatch) {
  Optimizer optimizer = Optimizer::adamw(0.05);
  optimizer.clip_norm = 0.1;
  Optimizer in_parts = optimizer;
  in_parts.accumulate = 3;
  SmallTraining whole(small_model(), optimizer, GetParam());
  SmallTraining parts(small_model(), in_parts, GetParam());
  for (int step = 0; step < 5; ++step) {
    const std::vector<NamedArrays> batches = {batch_of(step), batch_of(step + 10), batch_of(step + 20)};
    ASSERT_TRUE(whole.step(joined(batches)));
    double loss = 0;
    for (std::size_t k = 0; k < batches.size(); ++k) {
      ASSERT_TRUE(parts.step(batches[k]));
      EXPECT_EQ(parts.updated(), k == 2);
      loss += parts.loss() / 3;
    }
    EXPECT_NEAR(loss, whole.loss(), 1e-12);
    EXPECT_NEAR(parts.outputs().at("gradient_norm").get(0), whole.outputs().at("gradient_norm").get(0), 1e-12);
    expect_same_parameters(parts, whole, 1e-11);
  }
}

TEST_P(OnBackend, AMicroBatchThatIsNotFiniteIsReplacedByTheNext) {
  Optimizer optimizer = Optimizer::sgd(0.1);
  optimizer.accumulate = 2;
  SmallTraining without(small_model(), optimizer, GetParam());
  SmallTraining with(small_model(), optimizer, GetParam());
  NamedArrays bad = batch_of(3);
  bad.at("x").set(0, std::nan(""));
  for (SmallTraining* each : {&without, &with}) {
    EXPECT_TRUE(each->step(batch_of(1)));
    if (each == &with) {
      EXPECT_FALSE(each->step(bad));
      EXPECT_FALSE(each->updated());
      EXPECT_EQ(each->read("optimizer/micro_batches").get_i64(0), 1);
    }
    EXPECT_TRUE(each->step(batch_of(2)));
    EXPECT_TRUE(each->updated());
  }
  expect_same_parameters(with, without, 0);
}

TEST_P(OnBackend, WhatIsThereAtTheEndOfAnEpochCountsByItsMean) {
  Optimizer optimizer = Optimizer::sgd(0.1);
  SmallTraining whole(small_model(), optimizer, GetParam());
  optimizer.accumulate = 4;
  SmallTraining parts(small_model(), optimizer, GetParam());
  EXPECT_FALSE(parts.flush());
  whole.step(joined({batch_of(1), batch_of(2)}));
  parts.step(batch_of(1));
  parts.step(batch_of(2));
  EXPECT_TRUE(parts.flush());
  EXPECT_FALSE(parts.flush());
  expect_same_parameters(parts, whole, 1e-14);
  EXPECT_EQ(parts.read("optimizer/first.weight.gradient_sum").get(0), 0);
}

TEST(MicroBatches, HaveTwoGraphsWithTheSameVariables) {
  Optimizer optimizer = Optimizer::adam();
  optimizer.accumulate = 2;
  optimizer.ema.decay = 0.9;
  const train::StepGraph step = train::make_step(small_model(), "loss", optimizer);
  ASSERT_TRUE(step.apply.has_value());
  EXPECT_NO_THROW(validate(step.graph));
  EXPECT_NO_THROW(validate(*step.apply));
  EXPECT_TRUE(step.apply->inputs().empty());
  for (const VarId id : step.apply->variable_ids()) EXPECT_EQ(step.graph.variable(id), step.apply->variable(id));
  // A micro-batch does no work of the optimiser.
  for (const Update& update : step.graph.updates()) {
    const std::string& name = step.graph.variable(update.variable).name;
    EXPECT_TRUE(name.ends_with(".gradient_sum") || name == "optimizer/micro_batches") << name;
  }
}

TEST(GradientNorm, IsToldBeforeClipping) {
  Optimizer plain = Optimizer::sgd(0);
  plain.gradient_norm = true;
  Optimizer clipped = Optimizer::sgd(0);
  clipped.clip_norm = 1e-3;
  SmallTraining first(small_model(), plain);
  SmallTraining second(small_model(), clipped);
  first.step(batch_of(1));
  second.step(batch_of(1));
  EXPECT_GT(first.outputs().at("gradient_norm").get(0), 0.1);
  EXPECT_EQ(first.outputs().at("gradient_norm").get(0), second.outputs().at("gradient_norm").get(0));
}

// With plain descent at a rate of 1 the step is the clipped gradient.
double length_of_step(Optimizer optimizer, double& largest) {
  SmallTraining training(small_model(), optimizer.set("learning_rate", 1.0));
  std::map<VarId, Array> before;
  for (const VarId id : training.graph().parameters) before.emplace(id, training.read(id));
  training.step(batch_of(1));
  double squares = 0;
  for (const auto& [id, value] : before) {
    const Array now = training.read(id);
    for (std::int64_t k = 0; k < now.count(); ++k) {
      const double moved = now.get(k) - value.get(k);
      squares += moved * moved;
      largest = std::max(largest, std::abs(moved));
    }
  }
  return std::sqrt(squares);
}

TEST(Clipping, BoundsTheWholeStepOrEachElement) {
  Optimizer optimizer = Optimizer::sgd(1);
  double largest = 0;
  const double unclipped = length_of_step(optimizer, largest);
  optimizer.clip_norm = unclipped / 2;
  EXPECT_NEAR(length_of_step(optimizer, largest), unclipped / 2, 1e-5);
  optimizer.clip_norm = unclipped * 2;  // not reached: as without
  EXPECT_NEAR(length_of_step(optimizer, largest), unclipped, 1e-14);
  optimizer.clip_norm = 0;
  optimizer.clip_value = 0.01;
  largest = 0;
  EXPECT_LT(length_of_step(optimizer, largest), unclipped);
  EXPECT_NEAR(largest, 0.01, 1e-15);
}

TEST(Ema, BeginsWithTheParameterAndFollowsIt) {
  Optimizer optimizer = Optimizer::sgd(0.1);
  optimizer.ema.decay = 0.75;
  SmallTraining training(small_model(), optimizer);
  const std::map<VarId, VarId> means = optim::ema_variables(training.graph().updates);
  ASSERT_EQ(means.size(), 4u);
  std::map<VarId, Array> before;
  for (const auto& [parameter, mean] : means) {
    EXPECT_TRUE(bit_equal(training.read(parameter), training.read(mean)));
    before.emplace(parameter, training.read(parameter));
  }
  training.step(batch_of(1));
  for (const auto& [parameter, mean] : means) {
    const Array now = training.read(parameter);
    const Array averaged = training.read(mean);
    for (std::int64_t k = 0; k < now.count(); ++k) {
      EXPECT_NEAR(averaged.get(k), 0.75 * before.at(parameter).get(k) + 0.25 * now.get(k), 1e-14);
    }
  }
  EXPECT_TRUE(optim::ema_variables(train::make_step(small_model(), "loss", Optimizer::adam()).updates).empty());
}

std::size_t steps_of_program(const Optimizer& optimizer) {
  CpuBackend backend(1);
  const train::StepGraph step = train::make_step(small_model(), "loss", optimizer);
  const auto explanation = backend.compile(step.graph)->explain({{"x", {4, 3}}, {"y", {4, 2}}});
  return explanation->program.steps.size();
}

// The sums of squares are read off while gradients are checked, and clipping and means end up in the kernels that
// write the parameters.
TEST(Structure, ClippingAndMeansAreFusedIntoTheUpdates) {
  const Optimizer plain = Optimizer::adamw();
  const std::size_t steps = steps_of_program(plain);
  Optimizer asked = plain;
  asked.clip_value = 1;
  EXPECT_EQ(steps_of_program(asked), steps);
  asked.ema.decay = 0.9;
  EXPECT_EQ(steps_of_program(asked), steps);
  asked.gradient_norm = true;
  EXPECT_LE(steps_of_program(asked), steps + 1);
  asked.clip_norm = 1;
  EXPECT_LE(steps_of_program(asked), steps + 2);
}

TEST_P(OnBackend, WhereAllIsFrozenNothingMoves) {
  Optimizer optimizer = Optimizer::adam();
  optimizer.groups = {{.frozen = true}};
  optimizer.clip_norm = 1;
  for (const int accumulate : {1, 2}) {
    optimizer.accumulate = accumulate;
    SmallTraining training(small_model(), optimizer, GetParam());
    const Array before = training.read("first.weight");
    EXPECT_TRUE(training.step(batch_of(1)));
    EXPECT_TRUE(training.step(batch_of(2)));
    EXPECT_TRUE(bit_equal(training.read("first.weight"), before));
    EXPECT_TRUE(training.graph().parameters.empty());
  }
}

}  // namespace
}  // namespace asg::test
