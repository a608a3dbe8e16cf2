// Names and patterns, groups, and what is refused.
#include <cmath>

#include <gtest/gtest.h>

#include "asg/optim/card.h"
#include "unit/optim/small_training.h"

namespace asg::test {
namespace {

using optim::Group;
using optim::Optimizer;

TEST(Pattern, MatchesNames) {
  struct Row {
    const char* pattern;
    const char* name;
    bool matches;
  };
  const std::vector<Row> rows = {
      {"head.weight", "head.weight", true},
      {"head.weight", "head.weights", false},
      {"head.weight", "decoder/head.weight", true},  // without a slash: the last part
      {"*.bias", "head.bias", true},
      {"*.bias", "encoder/block_3.attention.query.bias", true},
      {"*.bias", "encoder/bias.weight", false},
      {"*", "a/b.c", true},
      {"?ead.*", "head.bias", true},
      {"?ead.*", "ead.bias", false},
      {"block_?/**", "block_1/fc.weight", true},
      {"block_?/**", "block_12/fc.weight", false},
      {"block_?/**", "block_1.weight", false},
      {"encoder/*.bias", "encoder/fc.bias", true},
      {"encoder/*.bias", "encoder/block/fc.bias", false},
      {"encoder/**/fc.*", "encoder/block/inner/fc.bias", true},
      {"encoder/**/fc.*", "encoder/fc.bias", true},
      {"encoder/**/fc.*", "encoder/block/fcc.bias", false},
      {"**", "a/b/c.d", true},
      {"**.norm.*", "a/b.norm.weight", true},
      {"**/fc", "fc", true},
      {"/**", "fc", false},
      {"a/", "a/", true},
      {"", "", true},
      {"", "a", false},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(optim::matches_name(row.pattern, row.name), row.matches) << row.pattern << " and " << row.name;
  }
}

TEST(Pattern, TakesNoLongForManyStars) {
  std::string pattern;
  for (int k = 0; k < 200; ++k) pattern += "*a";
  EXPECT_FALSE(optim::matches_name(pattern + "b", std::string(2000, 'a')));
  EXPECT_TRUE(optim::matches_name(pattern, std::string(2000, 'a')));
}

TEST(Assignment, TakesTheFirstGroupThatFits) {
  const Graph model = small_model();
  const std::vector<Group> groups = {
      {.match = "second.bias"},
      {.rank_below = 2, .frozen = true},
      {.where = [](const Variable& variable) { return variable.type.shape[0] == Dim(4); }},
  };
  const optim::Assignment assignment = optim::assign_groups(model, groups);
  const auto id = [&](const char* name) { return model.find_variable(name); };
  const std::map<VarId, std::size_t> expected = {
      {id("second.bias"), 0}, {id("first.bias"), 1}, {id("second.weight"), 2}};
  EXPECT_EQ(assignment.group_of, expected);
  EXPECT_EQ(assignment.trained, (std::vector<VarId>{id("first.weight"), id("second.weight"), id("second.bias")}));
  EXPECT_TRUE(assignment.warnings.empty());
}

TEST(Assignment, WarnsWhereAnEditLeftAGroupEmpty) {
  const std::vector<Group> groups = {{.match = "third.*"}, {.match = "**", .frozen = true}};
  const optim::Assignment assignment = optim::assign_groups(small_model(), groups, optim::EmptyGroup::is_warning);
  ASSERT_EQ(assignment.warnings.size(), 2u);
  EXPECT_NE(assignment.warnings[0].find("group_1"), std::string::npos);
  EXPECT_EQ(assignment.warnings[1], "all parameters are frozen");
}

TEST(Frozen, HasNoGradientNoUpdateAndNoState) {
  Optimizer optimizer = Optimizer::adam(0.1);
  optimizer.ema.decay = 0.5;
  optimizer.groups = {{.match = "first.*", .frozen = true}};
  const train::StepGraph step = train::make_step(small_model(), "loss", optimizer);
  EXPECT_EQ(step.parameters.size(), 2u);
  for (const auto& [key, id] : step.updates.state) {
    EXPECT_TRUE(step.graph.variable(key.parameter).name.starts_with("second.")) << key.slot;
  }
  for (const Update& update : step.graph.updates()) {
    EXPECT_FALSE(step.graph.variable(update.variable).name.starts_with("first."));
  }
  // Nothing goes back through tanh.
  const train::StepGraph whole = train::make_step(small_model(), "loss", Optimizer::adam(0.1));
  EXPECT_LT(step.graph.node_count() + 20, whole.graph.node_count());
}

TEST(LearningRateFactor, ChangesOnTheDevice) {
  Optimizer optimizer = Optimizer::sgd(0.5);
  optimizer.groups = {{.name = "head", .match = "second.*", .learning_rate_factor = 0.0}};
  SmallTraining training(small_model(), optimizer);
  const NamedArrays batch = {{"x", wave({4, 3}, 1)}, {"y", wave({4, 2}, 2)}};
  const Array before = training.read("second.weight");
  training.step(batch);
  EXPECT_TRUE(bit_equal(training.read("second.weight"), before));
  EXPECT_TRUE(training.graph().updates.state.contains({VarId{}, "head.factor"}));
  training.write("optimizer/head.factor", Array::scalar(DType::f64, 1));
  training.step(batch);
  EXPECT_FALSE(bit_equal(training.read("second.weight"), before));
}

// Who asks for nothing gets nothing: the variables of AdamW and no others.
TEST(Updates, HaveNoVariablesThatNobodyAskedFor) {
  const train::StepGraph step = train::make_step(small_model(), "loss", Optimizer::adamw());
  EXPECT_EQ(step.updates.state.size(), 4u * 3);
  EXPECT_EQ(step.graph.variable_ids().size(), 4u + 4 * 3 + 1);
  EXPECT_EQ(step.graph.outputs().size(), 2u);  // loss, all_finite
  EXPECT_FALSE(step.apply.has_value());
}

struct Mistake {
  const char* name;
  Optimizer optimizer;
  ErrorCode code;
  std::string given;
  std::string needed;
  std::string mend = "";

  friend void PrintTo(const Mistake& row, std::ostream* out) { *out << row.name; }
};

Optimizer with_groups(std::vector<Group> groups) {
  Optimizer optimizer = Optimizer::adam();
  optimizer.groups = std::move(groups);
  return optimizer;
}

std::vector<Mistake> mistakes() {
  const double nan = std::nan("");
  return {
      {"kind",
       {.kind = "adamm"},
       ErrorCode::bad_attribute,
       "the optimiser 'adamm'",
       "one of adagrad, adam, adamw, lion, muon, rmsprop, sgd",
       "did you mean 'adam'?"},
      {"setting",
       {.kind = "adam", .settings = {{"bta1", 0.5}}},
       ErrorCode::unknown_attribute,
       "the setting 'bta1' of optimiser 'adam'",
       "one of learning_rate, weight_decay, beta1, beta2, epsilon, amsgrad",
       "did you mean 'beta1'?"},
      {"learning_rate", Optimizer::adam(-1), ErrorCode::bad_attribute, "learning_rate = -1 of optimiser 'adam'",
       "a number of at least 0"},
      {"not_a_number", Optimizer::adam(nan), ErrorCode::bad_attribute, "learning_rate = nan of optimiser 'adam'",
       "a number of at least 0"},
      {"momentum", Optimizer::sgd(1, 1), ErrorCode::bad_attribute, "momentum = 1 of optimiser 'sgd'",
       "a number in [0, 1)"},
      {"epsilon",
       {.kind = "adamw", .settings = {{"epsilon", 0.0}}},
       ErrorCode::bad_attribute,
       "epsilon = 0 of optimiser 'adamw'",
       "a number above 0"},
      {"flag",
       {.kind = "adam", .settings = {{"amsgrad", 1}}},
       ErrorCode::bad_attribute,
       "amsgrad = 1 of optimiser 'adam'",
       "a value of the kind 'boolean'"},
      {"nesterov", Optimizer::sgd(1, 0, true), ErrorCode::bad_attribute, "nesterov = true of optimiser 'sgd'",
       "a momentum above 0 and a dampening of 0", "set the momentum, 0.9 is usual"},
      {"clip_norm", {.clip_norm = -1}, ErrorCode::bad_attribute, "clip_norm = -1", "a number of at least 0"},
      {"clip_value", {.clip_value = nan}, ErrorCode::bad_attribute, "clip_value = nan", "a number of at least 0"},
      {"accumulate", {.accumulate = 0}, ErrorCode::bad_attribute, "accumulate = 0", "a number of at least 1"},
      {"ema", {.ema = {.decay = 1}}, ErrorCode::bad_attribute, "the decay of the ema = 1", "a number in [0, 1)"},
      {"no_such_parameter", with_groups({{.match = "*.biass"}}), ErrorCode::unknown_variable,
       "the group 'group_1' of '*.biass', which no parameter belongs to", "a group of at least one parameter",
       "near names: first.bias, second.bias"},
      {"far_from_all", with_groups({{.name = "x", .match = "zzzzzzzz"}}), ErrorCode::unknown_variable,
       "the group 'x' of 'zzzzzzzz', which no parameter belongs to", "a group of at least one parameter",
       "the parameters are: first.weight, first.bias, second.weight, second.bias"},
      {"hidden", with_groups({{.match = "first.*"}, {.match = "first.bias"}}), ErrorCode::unknown_variable,
       "the group 'group_2' of 'first.bias', all of whose parameters belong to groups before it",
       "a group of at least one parameter; the first one that fits counts", "put it before the others"},
      {"setting_of_a_group", with_groups({{.match = "*", .settings = {{"momentum", 0.5}}}}),
       ErrorCode::unknown_attribute, "the setting 'momentum' of the group 'group_1' of optimiser 'adam'",
       "one of learning_rate, weight_decay, beta1, beta2, epsilon, amsgrad"},
      {"learning_rate_of_a_group", with_groups({{.match = "*", .settings = {{"learning_rate", 0.5}}}}),
       ErrorCode::bad_attribute, "a learning_rate of the group 'group_1'", "a learning_rate_factor",
       "the learning rate of a group is that of the training times its factor"},
      {"factor", with_groups({{.match = "*", .learning_rate_factor = -0.5}}), ErrorCode::bad_attribute,
       "learning_rate_factor = -0.5", "a number of at least 0"},
      {"name", with_groups({{.name = "*.bias"}}), ErrorCode::bad_name, "the group '*.bias'",
       "a name of letters, digits and _", "a pattern of parameters goes into `match`"},
      {"two_of_a_name", with_groups({{.name = "a"}, {.name = "a"}}), ErrorCode::duplicate_name, "two groups named 'a'",
       "a name of its own for each group"},
  };
}

class OptimizerMistakes : public testing::TestWithParam<Mistake> {};

TEST_P(OptimizerMistakes, AreRefused) {
  const Mistake& row = GetParam();
  try {
    train::make_step(small_model(), "loss", row.optimizer);
    FAIL() << "was not refused";
  } catch (const UserError& error) {
    EXPECT_EQ(name_of(error.code()), name_of(row.code));
    EXPECT_EQ(error.detail().given, row.given);
    EXPECT_EQ(error.detail().needed, row.needed);
    EXPECT_EQ(error.detail().mend, row.mend);
  }
}

INSTANTIATE_TEST_SUITE_P(All, OptimizerMistakes, testing::ValuesIn(mistakes()),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(Mistake, OfAnOutputThatTheStepHasItself) {
  Graph model = small_model();
  model.set_output("gradient_norm", model.tensor(model.find_output("loss")->value));
  Optimizer optimizer = Optimizer::adam();
  EXPECT_NO_THROW(train::make_step(model, "loss", optimizer));
  optimizer.clip_norm = 1;
  EXPECT_THROW(train::make_step(model, "loss", optimizer), UserError);
}

TEST(Setting, IsCheckedWhenItIsSet) {
  Optimizer optimizer = Optimizer::adam(0.5).set("beta1", 0.25).set("amsgrad", true);
  EXPECT_EQ(optimizer.learning_rate(), 0.5);
  EXPECT_EQ(optim::Settings(optim::optimizer_card("adam").settings, optimizer.settings).real("beta1"), 0.25);
  EXPECT_THROW(optimizer.set("beta1", 1.5), UserError);
  EXPECT_THROW(optimizer.set("momentum", 0.5), UserError);
  EXPECT_EQ(optim::optimizer_named("sgd").learning_rate(), 0.01);
}

}  // namespace
}  // namespace asg::test
