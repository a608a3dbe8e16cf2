// Which checkpoints a training resumes from, and what of others it can take over.
#include <gtest/gtest.h>

#include "asg/asg.h"
#include "asg/backend/interpreter.h"
#include "asg/train/script.h"
#include "asg/train/trainer.h"
#include "support/temporary_folder.h"
#include "train/listener.h"

namespace asg::train {
namespace {

Graph restorable_model(std::int64_t width, const std::string& head = "head") {
  Graph graph("classifier");
  const Dim batch = Dim::symbol("batch");
  const Tensor features = graph.input("features", {DType::f32, {batch, 4}});
  const Tensor labels = graph.input("labels", {DType::i64, {batch}});
  const Tensor hidden = relu(nn::linear(features, width, {.name = "hidden"}));
  const Tensor logits = nn::linear(hidden, 3, {.name = head});
  graph.set_output("logits", logits);
  graph.set_output("loss", loss::cross_entropy(logits, labels));
  return graph;
}

NamedArrays restore_batch() { return data::synthetic(6, {4}, 3, 5).all(); }

Trainer trained_for_restore(Graph model, const optim::Optimizer& optimizer, int steps = 2) {
  Trainer trainer(std::move(model), std::make_shared<Interpreter>(), {.optimizer = optimizer});
  for (int k = 0; k < steps; ++k) trainer.step(restore_batch());
  return trainer;
}

template <class Call>
ErrorDetail refusal_of_restore(const Call& call) {
  try {
    call();
  } catch (const UserError& error) {
    return error.detail();
  }
  ADD_FAILURE() << "nothing was refused";
  return {};
}

TEST(Restore, RefusesTheStateOfAnotherKindOfOptimizer) {
  const std::vector<optim::Optimizer> kinds = {optim::Optimizer::adamw(1e-2), optim::Optimizer::adam(1e-2),
                                               optim::Optimizer::sgd(1e-2),
                                               optim::optimizer_named("lion", {{"learning_rate", 1e-2}})};
  for (const optim::Optimizer& from : kinds) {
    const CheckpointData data = trained_for_restore(restorable_model(5), from).checkpoint();
    for (const optim::Optimizer& to : kinds) {
      Trainer trainer = trained_for_restore(restorable_model(5), to, 0);
      if (from.kind == to.kind) {
        trainer.restore(data);
        EXPECT_EQ(trainer.steps(), 2);
        continue;
      }
      const ErrorDetail error = refusal_of_restore([&] { trainer.restore(data); });
      EXPECT_EQ(error.code, ErrorCode::bad_attribute);
      EXPECT_EQ(error.given, "a checkpoint of a training by '" + from.kind + "' for one by '" + to.kind + "'");
      EXPECT_EQ(trainer.steps(), 0) << "nothing changed";
    }
  }
}

TEST(Restore, RefusesAModelOfOtherShapesAndSaysWhatDiffers) {
  const CheckpointData data = trained_for_restore(restorable_model(5), optim::Optimizer::adam(1e-2)).checkpoint();
  Trainer wider = trained_for_restore(restorable_model(8), optim::Optimizer::adam(1e-2), 0);
  const ErrorDetail error = refusal_of_restore([&] { wider.restore(data); });
  EXPECT_EQ(error.code, ErrorCode::type_mismatch);
  EXPECT_NE(error.given.find("'hidden.bias' is f32[5] there and f32[8] here"), std::string::npos) << error.given;
  EXPECT_EQ(wider.model().graph(), restorable_model(8)) << "its model is as it was";
  Trainer renamed = trained_for_restore(restorable_model(5, "last"), optim::Optimizer::adam(1e-2), 0);
  const ErrorDetail other = refusal_of_restore([&] { renamed.restore(data); });
  EXPECT_NE(other.given.find("'head.bias' is only there"), std::string::npos) << other.given;
  EXPECT_NE(other.given.find("'last.bias' is only here"), std::string::npos) << other.given;
}

TEST(Restore, AcceptsAnotherVersionOfTheSameModel) {
  Trainer edited = trained_for_restore(restorable_model(5), optim::Optimizer::adam(1e-2));
  Edit widen;
  widen.policy = ResizePolicy::overlap;
  widen.commands.push_back(edits::SetConfig{.at = {"hidden"}, .attrs = {{"units", 9}}});
  edited.apply(widen);
  Trainer other = trained_for_restore(restorable_model(5), optim::Optimizer::adam(1e-2), 0);
  other.restore(edited.checkpoint());
  EXPECT_EQ(other.model().graph(), edited.model().graph());
}

TEST(Restore, OfAPartTellsWhatItTook) {
  Trainer from = trained_for_restore(restorable_model(5), optim::Optimizer::adam(1e-2));
  Trainer to = trained_for_restore(restorable_model(5, "last"), optim::Optimizer::adam(1e-2), 1);
  const RestoreReport report = to.restore_partly(from.checkpoint());
  EXPECT_EQ(report.loaded, (std::vector<std::string>{"hidden.weight", "hidden.bias"}));
  ASSERT_EQ(report.skipped.size(), 2U);
  EXPECT_EQ(report.skipped[0].name, "head.weight");
  EXPECT_EQ(report.skipped[0].why, "the model has no such variable");
  EXPECT_EQ(report.left, (std::vector<std::string>{"last.bias", "last.weight"}));
  EXPECT_TRUE(report.optimizer_loaded);
  const Array mine = to.read("hidden.weight");
  const Array theirs = from.read("hidden.weight");
  for (std::int64_t k = 0; k < theirs.count(); ++k) EXPECT_EQ(mine.get(k), theirs.get(k)) << k;
  EXPECT_EQ(to.steps(), 1);
  EXPECT_EQ(report.to_text(),
            "loaded (2): hidden.weight, hidden.bias\n"
            "skipped (2): 'head.weight', the model has no such variable, 'head.bias', the model has no such variable\n"
            "left as it was (2): last.bias, last.weight\noptimizer state: loaded\n");
  Trainer sgd = trained_for_restore(restorable_model(8), optim::Optimizer::sgd(1e-2), 1);
  const RestoreReport other = sgd.restore_partly(from.checkpoint());
  EXPECT_FALSE(other.optimizer_loaded);
  EXPECT_EQ(other.loaded, std::vector<std::string>{"head.bias"});
  EXPECT_EQ(other.skipped[0].why, "it is f32[4, 5]; the model has f32[4, 8]");
}

TEST(Restore, AMessageLoadsAPartAndTellsWhichOne) {
  const test::TemporaryFolder folder;
  Trainer from = trained_for_restore(restorable_model(5), optim::Optimizer::adam(1e-2));
  const std::string path = CheckpointStore(folder.path()).save(from.checkpoint()).path;
  TrainingSpec spec;
  spec.model = restorable_model(8);
  spec.backend = std::make_shared<Interpreter>();
  spec.options.optimizer = optim::Optimizer::adam(1e-2);
  spec.batch = [](std::int64_t) { return restore_batch(); };
  test::Listener listener;
  Engine engine(listener.sink());
  const TrainingId id = engine.add(std::move(spec));
  engine.post(id, messages::Load{.which = path});
  const ErrorDetail error = listener.wait_for<events::Failed>().error;
  EXPECT_EQ(error.code, ErrorCode::type_mismatch);
  EXPECT_NE(error.given.find("'hidden.bias' is f32[5] there and f32[8] here"), std::string::npos) << error.given;
  engine.post(id, message_from_json(R"({"do":"load","partial":true,"which":")" + path + "\"}").message);
  const auto loaded = listener.wait_for<events::CheckpointLoaded>();
  ASSERT_TRUE(loaded.part);
  EXPECT_EQ(loaded.part->loaded, std::vector<std::string>{"head.bias"});
  EXPECT_EQ(loaded.part->skipped.size(), 3U);
  EXPECT_EQ(loaded.step, 0) << "the training is where it was";
}

// The losses of the steps of a script, of which nothing may be refused.
std::vector<double> losses_of(const std::vector<std::string>& lines) {
  TrainingSpec spec;
  spec.model = restorable_model(5);
  spec.backend = std::make_shared<Interpreter>();
  spec.options.optimizer = optim::Optimizer::adam(1e-2);
  spec.batch = [](std::int64_t) { return restore_batch(); };
  std::size_t next = 0;
  const auto next_line = [&](std::string& line) {
    if (next == lines.size()) return false;
    line = lines[next++];
    return true;
  };
  std::vector<double> losses;
  const auto sink = [&](TrainingId, const Event& event) {
    if (const auto* step = std::get_if<events::StepDone>(&event)) losses.push_back(step->loss);
  };
  EXPECT_EQ(run_script(std::move(spec), {next_line, sink}).refused, 0);
  return losses;
}

std::string units_line(const std::string& policy, int units) {
  return R"({"do":"apply","edit":{"policy":")" + policy +
         R"(","commands":[{"do":"set_config","at":"hidden","attrs":{"units":)" + std::to_string(units) + "}}]}}";
}

// A load replaces what undo would bring back, so a snapshot leads back: to the bits of a training that loaded nothing.
TEST(Restore, AMessageThatLoadsLeavesAWayBack) {
  const test::TemporaryFolder folder;
  CheckpointData data = trained_for_restore(restorable_model(5), optim::Optimizer::adam(1e-2), 7).checkpoint();
  data.seed = 99;
  const std::string path = CheckpointStore(folder.path()).save(data).path;
  const std::string rate = R"({"do":"set_learning_rate","rate":0.25})";
  const std::string steps = R"({"do":"run","steps":2})";
  const std::string back = R"({"do":"return_to","id":2})";
  const std::vector<double> plain = losses_of({units_line("overlap", 6), rate, steps, units_line("fresh", 8), steps});
  for (const char* partial : {"false", "true"}) {
    const std::string load = std::string(R"({"do":"load","partial":)") + partial + R"(,"which":")" + path + R"("})";
    std::vector<double> returned =
        losses_of({units_line("overlap", 6), rate, steps, load, steps, back, units_line("fresh", 8), steps});
    ASSERT_EQ(returned.size(), 6U) << partial;
    returned.erase(returned.begin() + 2, returned.begin() + 4);
    EXPECT_EQ(returned, plain) << partial;
  }
}

}  // namespace
}  // namespace asg::train
