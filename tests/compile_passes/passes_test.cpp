// Folding, merging and removing, each alone, in text form.
#include <gtest/gtest.h>

#include "asg/graph/card.h"
#include "asg/ops/ops.h"
#include "compile_passes/graphs.h"

namespace asg::test {
namespace {

// ---- fold_constants

TEST(FoldConstants, ComputesWhatDependsOnConstants) {
  Graph graph;
  const Tensor x = graph.input("x", {DType::f32, {2}});
  const Tensor two = graph.scalar(DType::f32, 2).named("two");
  graph.set_output("y", x * exp(two - two).named("one"));
  EXPECT_EQ(outline(passed_by("fold_constants", graph)), R"(%4 = Constant() f32[] 1
%5 = Mul(%1, %4)
y = %5
)");
  EXPECT_EQ(passed_by("fold_constants", graph).node(NodeId{4}).name, "one");
}

TEST(FoldConstants, KnowsShapes) {
  Graph graph;
  const Tensor x = graph.input("x", {DType::f32, {2, 3}});
  const Tensor y = graph.input("y", {DType::f32, {6, Dim::symbol("n")}});
  const Tensor target = concat({shape(x), slice(shape(y), {1}, {2})}, 0);
  graph.set_output("z", reshape(y, target));
  graph.set_output("size", size(x));
  // n is not known, and with it the last of the lengths.
  EXPECT_EQ(outline(passed_by("fold_constants", graph)), R"(%3 = Constant() i64[2] [2, 3]
%4 = Shape(%2)
%5 = Constant() i64[1] [1]
%6 = Constant() i64[1] [2]
%7 = Slice(%4, %5, %6)
%8 = Concat(%3, %7) axis=0
%9 = Reshape(%2, %8)
%10 = Constant() i64[] 6
z = %9
size = %10
)");
}

TEST(FoldConstants, FoldsAllOutputs) {
  Graph graph;
  const Tensor x = graph.input("x", {DType::f32, {1}});
  const auto parts = add_op_outputs("Split", {graph.constant(Array::of<float>({2}, {3, 4}))}, {{"num_outputs", 2}});
  graph.set_output("y", x * parts[1]);
  const PassResult result = run_pass("fold_constants", graph);
  EXPECT_EQ(outline(run_pass("remove_dead", result.graph).graph), R"(%6 = Constant() f32[1] [4]
%4 = Mul(%1, %6)
y = %4
)");
  EXPECT_EQ(result.remap(parts[1].value()), (Value{NodeId{6}, 0}));
  EXPECT_EQ(result.notes, std::vector<std::string>{"Split: 1, at Split#3"});
}

// Repeating costs nothing where it stands; what is computed from it is small.
TEST(FoldConstants, KeepsWhatOnlyRepeats) {
  Graph graph;
  const Tensor x = graph.input("x", {DType::f32, {2}});
  const Tensor big = expand(graph.scalar(DType::f32, 0.5), {2, 1000});
  graph.set_output("y", x * reduce_sum(big, {1}, {.keepdims = false}));
  graph.set_output("big", big);
  EXPECT_EQ(outline(passed_by("fold_constants", graph)), R"(%2 = Constant() f32[] 0.5
%3 = Constant() i64[2] [2, 1000]
%4 = Expand(%2, %3)
%6 = Constant() f32[2] [500, 500]
%7 = Mul(%1, %6)
y = %7
big = %4
)");
}

TEST(FoldConstants, LeavesWhatWouldBeLarge) {
  Graph graph;
  const Tensor range = graph.constant(Array(DType::f32, {100}));
  graph.set_output("large", reshape(range, {100, 1}) * expand(range, {1000, 100, 100}));
  graph.set_output("small", tile(range, {2}));
  const Graph after = passed_by("fold_constants", graph);
  EXPECT_EQ(after.node(after.find_output("large")->value.node).op->name, "Mul");
  EXPECT_EQ(after.node(after.find_output("small")->value.node).op->name, "Constant");
}

TEST(FoldConstants, LeavesEffectsErrorsAndChance) {
  Graph graph;
  const Tensor one = graph.scalar(DType::i64, 1);
  graph.set_output("printed", print(one));
  graph.set_output("error", one / graph.scalar(DType::i64, 0));
  const Tensor number = graph.scalar(DType::u64, 7);
  graph.set_output("chance", add_op("Bernoulli", {graph.scalar(DType::f32, 0.5), number, number}));
  const Graph after = passed_by("fold_constants", graph);
  for (const std::string output : {"printed", "error", "chance"}) {
    EXPECT_NE(after.node(after.find_output(output)->value.node).op->name, "Constant") << output;
  }
}

// A length that only data decided becomes known when the data are.
TEST(FoldConstants, InfersAnewWhatIsKnownThen) {
  Graph graph;
  const Tensor x = graph.input("x", {DType::f32, {4}});
  const Tensor mask = graph.constant(Array::of<float>({4}, {1, 0, 2, 0})) > 0.0;
  graph.set_output("y", exp(compress(x, mask, {.axis = 0})));
  EXPECT_FALSE(graph.type(graph.find_output("y")->value).shape.is_known());
  const Graph after = passed_by("fold_constants", graph);
  EXPECT_EQ(after.type(after.find_output("y")->value).to_string(), "f32[2]");
}

// ---- merge_common

TEST(MergeCommon, MergesByStructure) {
  Graph graph;
  const Tensor x = graph.input("x", {DType::f32, {2}});
  const Tensor y = graph.input("y", {DType::f32, {2}});
  const Tensor first = exp(x + graph.scalar(DType::f32, 2));
  const Tensor second = exp(x + graph.scalar(DType::f32, 2));
  graph.set_output("a", first * second);
  graph.set_output("b", x * y);
  graph.set_output("c", y * x);
  graph.set_output("d", y - x);
  graph.set_output("e", x - y);
  const PassResult result = run_pass("merge_common", graph);
  EXPECT_EQ(outline(result.graph), R"(%3 = Constant() f32[] 2
%4 = Add(%1, %3)
%5 = Exp(%4)
%9 = Mul(%5, %5)
%10 = Mul(%1, %2)
%12 = Sub(%2, %1)
%13 = Sub(%1, %2)
a = %9
b = %10
c = %10
d = %12
e = %13
)");
  EXPECT_EQ(result.remap(second.value()), first.value());
  EXPECT_EQ(result.notes, (std::vector<std::string>{"Constant: 1, at Constant#6", "Add: 1, at Add#7",
                                                    "Exp: 1, at Exp#8", "Mul: 1, at Mul#11"}));
}

TEST(MergeCommon, TellsAttributesAndNumbersApart) {
  Graph graph;
  const Tensor x = graph.input("x", {DType::f32, {2, 3}});
  int outputs = 0;
  const auto output = [&](const Tensor& value) { graph.set_output("y" + std::to_string(outputs++), value); };
  for (const double alpha : {0.1, 0.2}) output(leaky_relu(x, {.alpha = alpha}));
  for (const DType dtype : {DType::f16, DType::bf16}) output(cast(x, dtype));
  for (const double number : {0.0, -0.0, 1.0}) output(x + graph.scalar(DType::f32, number));
  for (const std::int64_t axis : {0, 1}) output(reduce_sum(x, {axis}));
  const Graph after = passed_by("merge_common", graph);
  EXPECT_EQ(after.node_count(), graph.node_count());
}

TEST(MergeCommon, MergesChanceOnlyWithItsStream) {
  Graph graph;
  const Tensor x = graph.input("x", {DType::f32, {2}});
  const Tensor seed = graph.scalar(DType::u64, 7);
  for (const StreamKey stream : {StreamKey{5}, StreamKey{6}, StreamKey{5}}) {
    NodeSpec spec{.op = graph.node(bernoulli(x, seed, seed).node()).op,
                  .inputs = {x.value(), seed.value(), seed.value()}};
    spec.stream = stream;
    graph.set_output("y" + std::to_string(graph.outputs().size()), graph.tensor({graph.add(std::move(spec)), 0}));
  }
  const Graph after = passed_by("merge_common", graph);
  EXPECT_EQ(after.outputs()[0].value, after.outputs()[2].value);
  EXPECT_NE(after.outputs()[0].value, after.outputs()[1].value);
}

TEST(MergeCommon, LeavesInputsVariablesAndEffects) {
  Graph graph;
  const Tensor x = graph.input("x", {DType::f32, {2}});
  const Tensor y = graph.input("y", {DType::f32, {2}});
  const Tensor v = graph.parameter("v", {DType::f32, {2}}, Initializer::zeros());
  const Tensor w = graph.parameter("w", {DType::f32, {2}}, Initializer::zeros());
  graph.set_output("z", print(x) + print(x) + y + v + w);
  EXPECT_EQ(passed_by("merge_common", graph).node_count(), graph.node_count());
}

// ---- remove_dead

TEST(RemoveDead, KeepsWhatOutputsAndUpdatesNeed) {
  Graph graph;
  const Tensor x = graph.input("x", {DType::f32, {2}});
  graph.input("unused", {DType::f32, {2}});
  const Tensor w = graph.parameter("w", {DType::f32, {2}}, Initializer::zeros());
  graph.parameter("idle", {DType::f32, {2}}, Initializer::zeros());
  const Tensor lost = exp(log(x));
  graph.add_update(w.graph().find_variable("w"), w + x);
  graph.set_output("y", -x);
  const PassResult result = run_pass("remove_dead", graph);
  EXPECT_EQ(outline(result.graph), R"(%3 = Variable()
%7 = Add(%3, %1)
%8 = Neg(%1)
y = %8
)");
  EXPECT_EQ(result.graph.inputs().size(), 2U);
  EXPECT_EQ(result.graph.variable_ids().size(), 2U);
  EXPECT_FALSE(result.remap(lost.value()));
  EXPECT_EQ(result.remap(x.value()), x.value());
  EXPECT_EQ(result.notes,
            (std::vector<std::string>{"Variable: 1, at Variable#4", "Log: 1, at Log#5", "Exp: 1, at Exp#6"}));
}

}  // namespace
}  // namespace asg::test
