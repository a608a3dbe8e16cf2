// Mistakes that others made in attention layers and codes of positions. The name of a test says the mistake.
#include <limits>

#include <gtest/gtest.h>

#include "asg/nn/nn.h"
#include "nn/run_layer.h"
#include "support/compare.h"

namespace asg::test {
namespace {

// ---- "attention that works for batch 1 and length 1 only", "masks that cannot be used"

const Attrs kHeads = {{"heads", 2}};
const Attrs kHeadsAndHidden = {{"heads", 2}, {"hidden", 6}};

struct AttentionLayer {
  const char* op;
  Attrs attrs;
  bool has_memory;  // of x itself, where the layer needs one
};

const AttentionLayer kLayers[] = {
    {"nn.MultiHeadAttention", kHeads, false},          {"nn.TransformerBlock", kHeadsAndHidden, false},
    {"nn.TransformerEncoder", kHeadsAndHidden, false}, {"nn.TransformerDecoderBlock", kHeadsAndHidden, true},
    {"nn.TransformerDecoder", kHeadsAndHidden, true},
};

// x of any batch and length; the memory is as long as x, but for one position more.
Graph attending(const AttentionLayer& layer) {
  Graph graph;
  const Tensor x = graph.input("x", TensorType::parse("f64[batch, length, 4]"));
  std::vector<Tensor> inputs = {x};
  if (layer.has_memory) inputs.push_back(graph.input("memory", TensorType::parse("f64[batch, length + 1, 4]")));
  graph.set_output("y", add_op(layer.op, inputs, layer.attrs));
  return graph;
}

Array example(const Array& array, std::int64_t number) { return array.sliced(0, number, 1, 1).copy(); }
Array position(const Array& array, std::int64_t number) { return array.sliced(1, number, 1, 1).copy(); }

// Examples do not see each other: alone each gives what it gives in the batch. The last position sees the first one.
TEST(Regressions, AttentionThatWorksForBatch1AndLength1Only) {
  for (const AttentionLayer& layer : kLayers) {
    SCOPED_TRACE(layer.op);
    const Graph graph = attending(layer);
    for (const Sizes& sizes : {Sizes{1, 1, 4}, Sizes{3, 1, 4}, Sizes{1, 5, 4}, Sizes{4, 3, 4}}) {
      NamedArrays values = {{"x", counted(sizes)}};
      if (layer.has_memory) values["memory"] = counted({sizes[0], sizes[1] + 1, 4});
      const Array y = output_of(graph, Mode::eval, values);
      ASSERT_EQ(y.sizes(), sizes);
      for (std::int64_t number = 0; number < sizes[0]; ++number) {
        NamedArrays alone;
        for (const auto& [name, value] : values) alone[name] = example(value, number);
        EXPECT_TRUE(near(output_of(graph, Mode::eval, alone), example(y, number), 1e-12)) << "example " << number;
      }
      if (sizes[1] == 1) continue;
      Array changed = values.at("x").copy();
      for (std::int64_t feature = 0; feature < 4; ++feature)
        changed.set(feature, 3.0 + static_cast<double>(feature % 2));
      values["x"] = changed;
      const Array after = output_of(graph, Mode::eval, values);
      EXPECT_FALSE(near(position(example(after, 0), sizes[1] - 1), position(example(y, 0), sizes[1] - 1), 1e-6));
    }
  }
}

// What a masked position holds has no influence on the others, whether the mask is of bools or of numbers.
TEST(Regressions, MasksThatCannotBeUsed) {
  constexpr double kForbidden = -std::numeric_limits<double>::infinity();
  const Array bools = Array::of<bool>({2, 1, 1, 3}, {true, true, false, true, false, true});
  const Array numbers = Array::of<double>({2, 1, 1, 3}, {0, 0, kForbidden, 0, kForbidden, 0});
  const Array original = counted({2, 3, 4});
  Array changed = original.copy();
  for (std::int64_t feature = 0; feature < 4; ++feature) {
    changed.set(2 * 4 + feature, 50 + 3 * static_cast<double>(feature));    // example 0, position 2
    changed.set((3 + 1) * 4 + feature, -7 * static_cast<double>(feature));  // example 1, position 1
  }
  for (const AttentionLayer& layer : kLayers) {
    for (const Array& mask : {bools, numbers}) {
      SCOPED_TRACE(std::string(layer.op) + ", " + mask.type_string());
      Graph graph;
      const Tensor x = graph.input("x", TensorType::parse("f64[batch, length, 4]"));
      const Tensor allowed = graph.input("mask", {mask.dtype(), Shape::parse("[batch, 1, 1, length]")});
      std::vector<Tensor> inputs = {x, allowed};
      if (layer.has_memory) inputs = {x, x, allowed, allowed};
      if (layer.attrs == kHeads) inputs = {x, {}, {}, allowed};
      graph.set_output("y", add_op(layer.op, inputs, layer.attrs));
      const Array before = output_of(graph, Mode::eval, {{"x", original}, {"mask", mask}});
      const Array after = output_of(graph, Mode::eval, {{"x", changed}, {"mask", mask}});
      for (const std::int64_t row : {0, 1, 3, 5}) {  // the positions that were not changed
        for (std::int64_t feature = 0; feature < 4; ++feature) {
          EXPECT_NEAR(after.get(row * 4 + feature), before.get(row * 4 + feature), 1e-12) << row;
        }
      }
      Array open = mask.copy();
      for (std::int64_t at = 0; at < open.count(); ++at) open.set(at, mask.get(0));
      EXPECT_FALSE(near(output_of(graph, Mode::eval, {{"x", original}, {"mask", open}}), before, 1e-6));
    }
  }
}

// A sequence that is cut off gives the beginning of what the whole gives.
TEST(Regressions, CausalAttentionThatSeesTheFuture) {
  for (const char* positions : {"none", "rotary", "alibi"}) {
    const Graph graph = one_layer("nn.MultiHeadAttention", "f64[1, length, 4]",
                                  {{"heads", 2}, {"causal", true}, {"positions", positions}});
    const Array x = counted({1, 5, 4});
    const Array whole = output_of(graph, Mode::eval, {{"x", x}});
    const Array start = output_of(graph, Mode::eval, {{"x", x.sliced(1, 0, 3, 1).copy()}});
    EXPECT_TRUE(near(start, whole.sliced(1, 0, 3, 1).copy(), 1e-12)) << positions;
  }
}

// ---- "rotary and sinusoidal codes that need full length"

// Codes are made for the length that comes, and each position has its own.
TEST(Regressions, PositionCodesThatNeedFullLength) {
  for (const char* op : {"nn.RotaryPosition", "nn.SinusoidalPosition", "nn.LearnedPosition"}) {
    SCOPED_TRACE(op);
    const bool table = std::string_view(op) == "nn.LearnedPosition";
    Graph graph;
    const Tensor x = graph.input("x", TensorType::parse("f64[batch, length, 6]"));
    const Tensor offset = graph.input("offset", TensorType::parse("i64[]"));
    graph.set_output("y", add_op(op, {x, offset}, table ? Attrs{{"count", 9}} : Attrs{}));
    const Array whole = counted({2, 7, 6});
    const Array coded = output_of(graph, Mode::eval, {{"x", whole}, {"offset", Array::scalar_i64(1)}});
    // Any part of the sequence, given with its own offset, has the codes that it has in the whole.
    for (const auto& [start, length] : {std::pair{0, 3}, std::pair{2, 1}, std::pair{3, 4}}) {
      const Array part =
          output_of(graph, Mode::eval,
                    {{"x", whole.sliced(1, start, length, 1).copy()}, {"offset", Array::scalar_i64(1 + start)}});
      EXPECT_TRUE(near(part, coded.sliced(1, start, length, 1).copy(), 1e-12)) << start;
    }
    const Array moved = output_of(graph, Mode::eval, {{"x", whole}, {"offset", Array::scalar_i64(2)}});
    for (std::int64_t at = 0; at < 7; ++at) {
      EXPECT_FALSE(near(moved.sliced(1, at, 1, 1).copy(), coded.sliced(1, at, 1, 1).copy(), 1e-3)) << at;
    }
  }
}

// A rotary code keeps lengths, and products of queries and keys depend on the distance only.
TEST(Regressions, RotaryCodesThatAreNotRelative) {
  for (const bool interleaved : {false, true}) {
    Graph graph;
    const Tensor x = graph.input("x", TensorType::parse("f64[2, 4]"));
    const Tensor offset = graph.input("offset", TensorType::parse("i64[]"));
    graph.set_output("y", add_op("nn.RotaryPosition", {x, offset}, {{"interleaved", interleaved}}));
    const auto product = [&](std::int64_t first) {
      const Array y = output_of(graph, Mode::eval, {{"x", counted({2, 4})}, {"offset", Array::scalar_i64(first)}});
      double sum = 0;
      for (std::int64_t feature = 0; feature < 4; ++feature) sum += y.get(feature) * y.get(4 + feature);
      return sum;
    };
    EXPECT_NEAR(product(0), product(1000), 1e-12);
  }
}

}  // namespace
}  // namespace asg::test
