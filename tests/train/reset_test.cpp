// First values again: for all variables, for those of a layer, of a scope, or for one.
#include "asg/backend/cpu.h"
#include "train/listener.h"

namespace asg::test {
namespace {

using Names = std::vector<std::string>;

train::Trainer reset_trainer() {
  optim::Optimizer optimizer = optim::Optimizer::adam(1e-2);
  optimizer.ema.decay = 0.9;
  return {small_classifier(), std::make_shared<CpuBackend>(2), {.optimizer = optimizer, .seed = 3}};
}

void warm_up(train::Trainer& trainer, int steps) {
  for (int step = 0; step < steps; ++step) trainer.step(small_data());
}

// Names of variables whose value, or whose optimiser state, is that of `other`.
std::set<std::string> same_as(const train::Trainer& trainer, const train::TrainingState& other) {
  const train::TrainingState now = trainer.state();
  std::set<std::string> names;
  for (const auto& [id, value] : now.variables) {
    bool same = bit_equal(value, other.variables.at(id));
    for (const auto& [key, state] : now.optimizer) {
      if (key.parameter == id) same = same && bit_equal(state, other.optimizer.at(key));
    }
    if (same) names.insert(trainer.model().graph().variable(id).name);
  }
  return names;
}

TEST(Reset, OfAllIsTheStart) {
  train::Trainer trainer = reset_trainer();
  const train::TrainingState first = trainer.state();
  warm_up(trainer, 3);
  trainer.reset();
  std::set<std::string> expected;
  for (const VarId id : trainer.model().graph().variable_ids()) {
    expected.insert(trainer.model().graph().variable(id).name);
  }
  expected.erase(std::string(kStepVariable));  // masks go on
  EXPECT_EQ(same_as(trainer, first), expected);
  EXPECT_EQ(trainer.steps(), 3);
}

struct ResetRow {
  const char* path;
  Names variables;
};

TEST(Reset, OfWhatAPathNames) {
  const std::vector<ResetRow> rows = {
      {"head", {"head.weight", "head.bias"}},
      {"head.bias", {"head.bias"}},
      {"block/norm_1", {"block.norm_1.scale", "block.norm_1.bias"}},
      {"block/feed_forward/expand", {"block.feed_forward.expand.weight", "block.feed_forward.expand.bias"}}};
  for (const ResetRow& row : rows) {
    train::Trainer trainer = reset_trainer();
    const train::TrainingState first = trainer.state();
    warm_up(trainer, 2);
    const train::TrainingState before = trainer.state();
    const Names paths = {row.path};
    const Names names = trainer.reset(paths);
    EXPECT_EQ(std::set<std::string>(names.begin(), names.end()),
              std::set<std::string>(row.variables.begin(), row.variables.end()))
        << row.path;
    const std::set<std::string> anew = same_as(trainer, first);
    const std::set<std::string> kept = same_as(trainer, before);
    for (const std::string& name : row.variables) {
      EXPECT_TRUE(anew.contains(name)) << name;
      EXPECT_FALSE(kept.contains(name)) << name;
    }
    EXPECT_EQ(kept.size() + row.variables.size(), before.variables.size()) << row.path;
  }
}

TEST(Reset, OfAScope) {
  Graph graph("scopes");
  Tensor x = graph.input("features", {DType::f32, {2, 4}});
  {
    const Graph::ScopeGuard outer(graph, "encoder");
    x = nn::linear(x, 4, {.name = "first"});
    const Graph::ScopeGuard inner(graph, "deep");
    x = nn::linear(x, 4, {.name = "second"});
  }
  x = nn::linear(x, 4, {.name = "encoder_head"});
  graph.set_output("loss", reduce_mean(x * x, {}, {.keepdims = false}));
  train::Trainer trainer(std::move(graph), std::make_shared<Interpreter>());
  const Names encoder = {"encoder"};
  EXPECT_EQ(trainer.reset(encoder), (Names{"encoder/first.weight", "encoder/first.bias", "encoder/deep/second.weight",
                                           "encoder/deep/second.bias"}));
  const Names deep = {"encoder/deep"};
  EXPECT_EQ(trainer.reset(deep).size(), 2U);
}

TEST(Reset, CanBeTakenBackByItsSnapshot) {
  train::Trainer trainer = reset_trainer();
  warm_up(trainer, 2);
  const train::TrainingState before = trainer.state();
  trainer.reset();
  warm_up(trainer, 1);
  trainer.return_to(trainer.snapshots().back().id);
  EXPECT_EQ(same_as(trainer, before).size(), before.variables.size());
}

// A training that is reset in its first step goes the way of one that has just begun, but for the random numbers.
TEST(Reset, TrainsAsAtTheStart) {
  train::Trainer once({quadratic(), std::make_shared<Interpreter>(), {.optimizer = optim::Optimizer::adam(0.1)}});
  const NamedArrays batch = {{"target", Array::of<double>({2}, {3, -1})}};
  std::vector<double> first;
  for (int step = 0; step < 4; ++step) first.push_back(once.step(batch).loss);
  once.reset();
  for (int step = 0; step < 4; ++step) EXPECT_EQ(once.step(batch).loss, first[static_cast<std::size_t>(step)]);
}

struct BadReset {
  const char* path;
  ErrorCode code;
  const char* mend;
};

TEST(Reset, RefusesWhatItDoesNotKnowAndChangesNothing) {
  const std::vector<BadReset> rows = {{"hea", ErrorCode::unknown_scope, "did you mean 'head'?"},
                                      {"block/nowhere", ErrorCode::unknown_scope, ""},
                                      {"", ErrorCode::unknown_scope, ""},
                                      {"pooled", ErrorCode::unknown_variable, ""}};
  train::Trainer trainer = reset_trainer();
  warm_up(trainer, 1);
  const train::TrainingState before = trainer.state();
  for (const BadReset& row : rows) {
    const Names paths = {"head", row.path};
    try {
      trainer.reset(paths);
      ADD_FAILURE() << row.path;
    } catch (const UserError& error) {
      EXPECT_EQ(error.code(), row.code) << row.path;
      if (*row.mend != '\0') {
        EXPECT_EQ(error.detail().mend, row.mend);
      }
    }
  }
  EXPECT_EQ(same_as(trainer, before).size(), before.variables.size());
  EXPECT_TRUE(trainer.snapshots().empty());
}

TEST(Reset, ByMessage) {
  Listener listener;
  train::Engine engine(listener.sink());
  const train::TrainingId id = engine.add(small_spec());
  engine.post(id, train::messages::Run{2});
  engine.post(id, train::messages::Reset{{"head"}});
  EXPECT_EQ(listener.wait_for<train::events::ResetDone>().variables, (Names{"head.weight", "head.bias"}));
  engine.post(id, train::messages::Reset{{"heads"}});
  EXPECT_EQ(listener.wait_for<train::events::Failed>().message, "reset");
}

}  // namespace
}  // namespace asg::test
