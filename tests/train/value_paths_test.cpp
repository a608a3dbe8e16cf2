// What people call values: variables, outputs of nodes, nodes inside layers, however deep.
#include <functional>
#include <map>

#include <gtest/gtest.h>

#include "asg/backend/interpreter.h"
#include "train/models.h"

namespace asg::test {
namespace {

struct PathRow {
  const char* path;
  Sizes sizes;  // on the batch of twelve
};

const std::vector<PathRow>& path_rows() {
  static const std::vector<PathRow> kRows = {{"features", {12, 3, 4}},
                                             {"embed", {12, 3, 8}},
                                             {"embed:0", {12, 3, 8}},
                                             {"dropout", {12, 3, 8}},
                                             {"block", {12, 3, 8}},
                                             {"block/attention", {12, 3, 8}},
                                             {"block/norm_1", {12, 3, 8}},
                                             {"block/feed_forward", {12, 3, 8}},
                                             {"block/feed_forward/activation", {12, 3, 12}},
                                             {"block/feed_forward/expand", {12, 3, 12}},
                                             {"pooled", {12, 8}},
                                             {"head", {12, 3}},
                                             {"head.weight", {8, 3}},
                                             {"block.feed_forward.expand.bias", {12}}};
  return kRows;
}

TEST(ValuePaths, AreWatched) {
  train::Trainer trainer = small_trainer();
  trainer.step(small_data());
  for (const PathRow& row : path_rows()) {
    const std::vector<std::string> path = {row.path};
    train::Taps taps = trainer.watch_paths(path, {.preview = 4});
    EXPECT_EQ(taps.read(trainer.last_batch())[0].count, element_count(row.sizes)) << row.path;
  }
}

TEST(ValuePaths, AreRead) {
  train::Trainer trainer = small_trainer();
  trainer.step(small_data());
  for (const PathRow& row : path_rows()) EXPECT_EQ(trainer.read(row.path).sizes(), row.sizes) << row.path;
}

TEST(ValuePaths, ThatNobodyKnowsAreToldWithTheNearest) {
  train::Trainer trainer = small_trainer();
  trainer.step(small_data());
  const std::map<std::string, std::string> hints = {
      {"haed", "did you mean 'head'?"},
      {"head.wieght", "did you mean 'head.weight'?"},
      {"block/feed_forward/activaton", "did you mean 'block/feed_forward/activation'?"},
      {"block/fed_forward/activation", "did you mean 'block/feed_forward'?"},
      {"blok/feed_forward", "did you mean 'block'?"},
      {"nothing like it", ""}};
  for (const auto& [path, hint] : hints) {
    const auto mend_of = [&](const std::function<void()>& action) -> std::string {
      try {
        action();
      } catch (const UserError& error) {
        return error.detail().mend;
      }
      return "nothing was thrown";
    };
    EXPECT_EQ(mend_of([&, name = path] { trainer.read(name); }), hint) << path;
    EXPECT_EQ(mend_of([&, name = path] { trainer.look(name); }), hint) << path;
    EXPECT_EQ(mend_of([&, names = std::vector<std::string>{path}] { trainer.watch_paths(names); }), hint) << path;
  }
}

// The activation inside has the numbers that the layer around it makes of them: a path names one value, not its kin.
TEST(ValuePaths, NameTheValueItself) {
  train::Trainer trainer = small_trainer();
  trainer.step(small_data());
  EXPECT_TRUE(bit_equal(trainer.read("block/feed_forward"), trainer.read("block/feed_forward/contract")));
  EXPECT_FALSE(bit_equal(trainer.read("block/norm_1"), trainer.read("block/norm_2")));
}

TEST(ValuePaths, OutputsBeyondTheFirst) {
  Graph graph("two");
  const Tensor x = graph.input("x", {DType::f32, {4}});
  const Tensor w = graph.parameter("w", {DType::f32, {4}}, Initializer::constant(2));
  const std::vector<Tensor> parts = add_op_outputs("Split", {x * w}, {{"num_outputs", 2}});
  parts[0].named("parts");
  graph.set_output("loss", reduce_sum(parts[0] * parts[1], {}, {.keepdims = false}));
  train::Trainer trainer(std::move(graph), std::make_shared<Interpreter>());
  trainer.step(NamedArrays{{"x", Array::of<float>({4}, {1, 2, 3, 4})}});
  const std::vector<std::string> paths = {"parts", "parts:0", "parts:1"};
  const train::TapOptions options = {.gradients = true};
  train::Taps taps = trainer.watch_paths(paths, options);
  const std::vector<train::TapReading>& readings = taps.read(trainer.last_batch());
  EXPECT_NEAR(readings[0].greatest, 4, 0.1);
  EXPECT_EQ(readings[0].greatest, readings[1].greatest);
  EXPECT_NEAR(readings[2].greatest, 8, 0.1);
  EXPECT_EQ(readings[2].gradient->greatest, readings[0].greatest);
}

// What watching reduces, whole: in train mode, from the same variables.
TEST(ValuePaths, AreLookedAtWhole) {
  train::Trainer trainer = small_trainer();
  EXPECT_THROW(trainer.look("block"), UserError);
  trainer.step(small_data());
  const std::vector<std::string> paths = {"dropout", "block/attention", "head.weight"};
  train::Taps taps = trainer.watch_paths(paths, {.preview = 6, .gradients = true});
  const std::vector<train::TapReading>& readings = taps.read(trainer.last_batch());
  for (std::size_t k = 0; k < paths.size(); ++k) {
    const Array value = trainer.look(paths[k]).value();
    const Array gradient = trainer.look(paths[k], true).value();
    EXPECT_EQ(value.count(), readings[k].count);
    EXPECT_EQ(gradient.sizes(), value.sizes());
    for (std::int64_t at = 0; at < 6; ++at) {
      EXPECT_EQ(value.get(at), readings[k].preview.get(at));
      EXPECT_EQ(gradient.get(at), readings[k].gradient->preview.get(at));
    }
  }
  EXPECT_FALSE(trainer.look("labels", true).has_value());
  EXPECT_THROW(trainer.look("nowhere"), UserError);
}

// A second look uses what the first one compiled; it must see the step and the edit between them.
TEST(ValuePaths, AreLookedAtAnew) {
  train::Trainer trainer = small_trainer();
  const std::vector<std::string> path = {"block/attention"};
  const auto expect_fresh = [&] {
    const Array value = trainer.look(path.front()).value();
    train::Taps taps = trainer.watch_paths(path, {.preview = 6});
    const std::vector<train::TapReading>& readings = taps.read(trainer.last_batch());
    for (std::int64_t at = 0; at < 6; ++at) EXPECT_EQ(value.get(at), readings.front().preview.get(at));
    return value;
  };
  trainer.step(small_data());
  const Array before = expect_fresh();
  trainer.step(small_data());
  EXPECT_NE(expect_fresh().get(0), before.get(0));
  trainer.apply(
      edit_from_json(R"({"commands":[{"do":"replace_op","at":"block/feed_forward/activation","op":"Tanh"}]})"));
  trainer.step(small_data());
  expect_fresh();
}

TEST(ValuePaths, UnknownOnesAreRefusedWithTheNearest) {
  train::Trainer trainer = small_trainer();
  trainer.step(small_data());
  for (const char* path : {"bloc", "block:1", "block/feed_forward/activatio", "head.weigh", "head:", "head:x", ""}) {
    const std::vector<std::string> paths = {path};
    EXPECT_THROW(trainer.watch_paths(paths), UserError) << path;
    EXPECT_THROW(trainer.read(path), UserError) << path;
  }
  try {
    trainer.read("head.weigh");
  } catch (const UserError& error) {
    EXPECT_EQ(error.detail().mend, "did you mean 'head.weight'?");
  }
}

}  // namespace
}  // namespace asg::test
