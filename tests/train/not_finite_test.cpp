// Where numbers stop being finite is told by a path that leads there in the model.
#include <cmath>
#include <map>

#include "train/listener.h"

namespace asg::test {
namespace {

namespace events = train::events;
namespace messages = train::messages;

struct BrokenRow {
  std::map<std::string, double> values;  // of variables
  const char* path;                      // the beginning of it
  const char* op;
};

TEST(NotFinite, IsToldByThePathInTheModel) {
  const std::vector<BrokenRow> rows = {
      {{{"block.feed_forward.contract.bias", 1e3}, {"head.weight", 3e38}}, "head/", "MatMul"},
      {{{"block.feed_forward.expand.bias", 1e3}, {"block.feed_forward.contract.weight", 3e38}},
       "block/feed_forward/contract/",
       "MatMul"},
      {{{"block.norm_1.scale", 3e38}}, "block/norm_1/", "LayerNormalization"}};
  for (const BrokenRow& row : rows) {
    Listener listener;
    train::Engine engine(listener.sink());
    const train::TrainingId id = engine.add(small_spec());
    for (const auto& [variable, value] : row.values) engine.post(id, messages::SetValue{variable, {value}});
    engine.post(id, messages::Run{1});
    listener.wait_for<events::Paused>();
    ASSERT_FALSE(listener.wait_for<events::StepDone>().committed) << row.path;
    const auto told = listener.wait_for<events::NotFinite>();
    EXPECT_EQ(told.step, 1);
    EXPECT_TRUE(told.path.starts_with(row.path)) << told.path;
    EXPECT_EQ(told.op, row.op) << told.path;
    EXPECT_GT(told.count, 0);
    EXPECT_EQ(told.what.en.substr(0, 1), "'");
    // Whoever follows the path finds the value.
    engine.post(id, messages::Watch{{told.path}});
    EXPECT_EQ(listener.wait_for<events::Watched>().paths.front(), told.path);
  }
}

// An infinity in the model itself: the node that makes it, and nothing that stands behind it.
TEST(NotFinite, OfANodeOfTheModel) {
  Graph graph("logarithm");
  const Tensor x = graph.input("x", {DType::f32, {4}});
  const Tensor w = graph.parameter("w", {DType::f32, {4}}, Initializer::constant(1));
  const Tensor logarithm = add_op("Log", {x * w}).named("logarithm");
  graph.set_output("loss", reduce_sum(logarithm, {}, {.keepdims = false}));
  train::TrainingSpec spec;
  spec.model = std::move(graph);
  spec.backend = std::make_shared<Interpreter>();
  spec.batch = [](std::int64_t) { return NamedArrays{{"x", Array::of<float>({4}, {1, 0, -1, 1})}}; };
  Listener listener;
  train::Engine engine(listener.sink());
  const train::TrainingId id = engine.add(std::move(spec));
  engine.post(id, messages::Run{2});
  const auto told = listener.wait_for<events::NotFinite>();
  EXPECT_EQ(told.path, "logarithm");
  EXPECT_EQ(told.op, "Log");
  EXPECT_EQ(told.count, 2);
  EXPECT_EQ(told.what.en, "'logarithm' (Log) makes 2 elements that are not finite of finite numbers");
  EXPECT_EQ(told.what.ru, "'logarithm' (Log) делает из конечных чисел не конечные элементы, числом 2");
  listener.wait_for<events::Paused>();
  // Told once, and again after a change.
  EXPECT_EQ(listener.wait_for<events::Warned>(2).node, "");
  engine.post(id, messages::Reset{});
  engine.post(id, messages::Run{1});
  EXPECT_EQ(listener.wait_for<events::NotFinite>(2).step, 3);
}

}  // namespace
}  // namespace asg::test
