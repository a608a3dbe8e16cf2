// Outputs of a model in training, with and without labels, and executables beside that of a training.
#include <gtest/gtest.h>

#include "asg/backend/cpu.h"
#include "asg/train/companion.h"
#include "support/compare.h"
#include "train/models.h"

namespace asg::train {
namespace {

class Inference : public testing::TestWithParam<std::string> {
 protected:
  Trainer trainer_{test::small_classifier(), BackendRegistry::global().make(GetParam())};
  NamedArrays whole_ = test::small_batch();
  NamedArrays unlabelled_ = {{"features", whole_.at("features")}};
};

TEST_P(Inference, NeedsNoLabelsForWhatDoesNotDependOnThem) {
  const NamedArrays outputs = trainer_.infer(unlabelled_);
  EXPECT_EQ(outputs.size(), 1U);
  EXPECT_TRUE(test::identical(outputs.at("logits"), trainer_.infer(whole_).at("logits")));
  const Array three = trainer_.infer({{"features", test::small_data().take(0, 3).at("features")}}).at("logits");
  EXPECT_EQ(three.sizes(), (Sizes{3, 3}));
}

TEST_P(Inference, SeesEveryStepAndEveryEdit) {
  const Array before = trainer_.infer(unlabelled_).at("logits");
  trainer_.step(whole_);
  const Array after = trainer_.infer(unlabelled_).at("logits");
  EXPECT_FALSE(test::identical(before, after));
  EXPECT_TRUE(test::identical(after, trainer_.infer(whole_).at("logits")));

  const NodeId head = trainer_.model().graph().find_node("head");
  trainer_.apply({.commands = {edits::SetConfig{{head}, {{"units", 5}}}}});
  EXPECT_EQ(trainer_.infer(unlabelled_).at("logits").sizes(), (Sizes{12, 5}));
}

TEST_P(Inference, SaysWhichInputsEveryOutputNeeds) {
  try {
    trainer_.infer({{"labels", whole_.at("labels")}});
    FAIL();
  } catch (const UserError& error) {
    EXPECT_EQ(error.code(), ErrorCode::missing_value);
    EXPECT_EQ(error.detail().given, "no value for 'features' of type f32[batch, 3, 4], which every output needs");
  }
}

INSTANTIATE_TEST_SUITE_P(Backends, Inference, testing::Values("interp", "cpu"));

// Two backends cannot share, even if they are of one kind.
TEST(Companion, CopiesToAndFroWhereVariablesCannotBeShared) {
  Graph graph("doubling");
  const Tensor w = graph.parameter("w", {DType::f64, {2}}, Initializer::constant(1));
  graph.set_output("twice", w + w);
  const VarId id = graph.find_variable("w");
  Interpreter here, there;
  const auto training = here.compile(graph, {});
  training->write(id, Array::of<double>({2}, {1, 2}));
  graph.add_update(id, w + w);
  const Companion companion(there.compile(graph, {}), *training);

  companion.bring();
  training->write(id, Array::of<double>({2}, {5, 6}));  // it was copied before
  EXPECT_TRUE(test::identical(companion->run({}).outputs.at("twice"), Array::of<double>({2}, {2, 4})));
  EXPECT_TRUE(test::identical(training->read(id), Array::of<double>({2}, {5, 6})));
  companion.give_back();
  EXPECT_TRUE(test::identical(training->read(id), Array::of<double>({2}, {2, 4})));
}

}  // namespace
}  // namespace asg::train
