// Resizing variables: the three policies, what `preserve` makes zero, and where it cannot keep the function.
#include "asg/graph/resize.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "asg/graph/card.h"
#include "asg/graph/expand.h"
#include "asg/nn/nn.h"
#include "edit/models.h"
#include "edit/run_model.h"
#include "support/compare.h"

namespace asg::test {
namespace {

const ResizeRule& rule_of(const std::vector<ResizeRule>& rules, const Graph& graph, std::string_view name) {
  for (const ResizeRule& rule : rules) {
    if (rule.variable == graph.find_variable(name)) return rule;
  }
  static const ResizeRule kNone;
  ADD_FAILURE() << "no rule for " << name;
  return kNone;
}

TEST(Resize, FreshTakesNothingOver) {
  const Graph before = mlp();
  const Graph wide = after(before, R"({"commands":[{"do":"set_config","at":"fc_1","attrs":{"units":10}}]})");
  const auto rules = plan_resize(before, wide, ResizePolicy::fresh);
  ASSERT_EQ(rules.size(), 3u);
  EXPECT_EQ(rule_of(rules, wide, "fc_1.weight").old_sizes, (Sizes{0, 0}));
  const Array fresh = Array::of<float>({2, 2}, {1, 2, 3, 4});
  const Array old = Array::of<float>({1, 2}, {8, 9});
  EXPECT_TRUE(bit_equal(resized(old, fresh, {{}, {0, 0}, {2, 2}, {false, false}}), fresh));
}

struct Copy {
  const char* name;
  Sizes old_sizes, new_sizes;
  std::vector<bool> zero_axes;
  std::vector<float> expected;  // old elements are 1, 2, 3 …; fresh ones are 100, 101, 102 …
};

const Copy kCopies[] = {
    {"longer", {2}, {4}, {false}, {1, 2, 102, 103}},
    {"longer_with_zeros", {2}, {4}, {true}, {1, 2, 0, 0}},
    {"shorter", {3}, {2}, {false}, {1, 2}},
    {"both_axes", {1, 2}, {2, 3}, {false, false}, {1, 2, 102, 103, 104, 105}},
    {"zero_rows", {1, 2}, {2, 3}, {true, false}, {1, 2, 102, 0, 0, 0}},
    {"zero_columns", {1, 2}, {2, 3}, {false, true}, {1, 2, 0, 103, 104, 0}},
    {"shorter_and_longer", {2, 1}, {1, 3}, {false, false}, {1, 101, 102}},
    {"nothing_in_common", {0, 0}, {1, 2}, {true, true}, {0, 0}},
};

TEST(Resize, CopiesTheCommonBlock) {
  for (const Copy& row : kCopies) {
    Array old(DType::f32, row.old_sizes);
    for (std::int64_t k = 0; k < old.count(); ++k) old.set(k, static_cast<double>(k + 1));
    Array fresh(DType::f32, row.new_sizes);
    for (std::int64_t k = 0; k < fresh.count(); ++k) fresh.set(k, static_cast<double>(100 + k));
    const Array result = resized(old, fresh, {{}, row.old_sizes, row.new_sizes, row.zero_axes});
    EXPECT_TRUE(identical(result, Array::of(row.new_sizes, row.expected))) << row.name;
  }
}

// Old elements 0, 1 and 2 lie at 0, 3 and 4 of the rows; the two new rows between them are zero.
TEST(Resize, CopiesWhatIsKeptToItsPlaces) {
  const ResizeRule rule{{}, {3, 1}, {5, 2}, {true, false}, {{{0, 0, 1}, {1, 3, 2}}, {}}};
  const Array old = Array::of<float>({3, 1}, {1, 2, 3});
  const Array fresh = Array::of<float>({5, 2}, {10, 11, 12, 13, 14, 15, 16, 17, 18, 19});
  const Array made = resized(old, fresh, rule);
  EXPECT_TRUE(identical(made, Array::of<float>({5, 2}, {1, 11, 0, 0, 0, 0, 2, 17, 3, 19})));
  EXPECT_TRUE(identical(resized(made, Array(DType::f32, {3, 1}), inverted(rule)), old));
}

TEST(Resize, AnotherRankOrDtypeIsFresh) {
  const Array fresh = Array::of<double>({2}, {5, 6});
  EXPECT_TRUE(bit_equal(resized(Array::of<float>({2}, {1, 2}), fresh, {{}, {2}, {2}, {false}}), fresh));
  EXPECT_TRUE(bit_equal(resized(Array::of<double>({1, 2}, {1, 2}), fresh, {{}, {2}, {2}, {false}}), fresh));
}

// ---- preserve

Graph two_layers() {
  Graph graph("two_layers");
  const Tensor x = graph.input("x", {DType::f32, {Dim::symbol("batch"), 4}});
  const Tensor y = add_named(graph, "nn.FeedForward", {x}, {{"hidden", 6}, {"dropout", 0.2}}, "think");
  graph.set_output("y", add_named(graph, "nn.Linear", {y}, {{"units", 2}}, "head"));
  return graph;
}

Graph embedded() {
  Graph graph("embedded");
  const Tensor tokens = graph.input("tokens", {DType::i64, {Dim::symbol("batch"), 3}});
  const Tensor y = add_named(graph, "nn.Embedding", {tokens}, {{"count", 5}, {"width", 4}}, "table");
  graph.set_output("y", add_named(graph, "nn.Linear", {y}, {{"units", 2}, {"transposed", true}}, "head"));
  return graph;
}

struct Kept {
  const char* name;
  Graph (*model)();
  const char* edit;
  const char* zeros;  // "variable:axes variable:axes", axes marked by their numbers
};

void PrintTo(const Kept& row, std::ostream* out) { *out << row.name; }

class PreserveKeeps : public testing::TestWithParam<Kept> {};

std::string zeros_of(const Graph& graph, const std::vector<ResizeRule>& rules) {
  std::string text;
  for (const ResizeRule& rule : rules) {
    std::string axes;
    for (std::size_t axis = 0; axis < rule.zero_axes.size(); ++axis) {
      if (rule.zero_axes[axis]) axes += std::to_string(axis);
    }
    if (!axes.empty()) text += (text.empty() ? "" : " ") + graph.variable(rule.variable).name + ":" + axes;
  }
  return text;
}

bool has_dropout(const Graph& graph) {
  const Graph plain = expand(graph, Mode::train).graph;
  const std::vector<NodeId> ids = plain.node_ids();
  return std::any_of(ids.begin(), ids.end(), [&](NodeId id) { return plain.node(id).op->traits.random; });
}

TEST_P(PreserveKeeps, TheFunction) {
  const Graph before = GetParam().model();
  const Graph wide = after(before, GetParam().edit);
  const auto rules = plan_resize(before, wide, ResizePolicy::preserve);
  EXPECT_FALSE(rules.empty());
  EXPECT_EQ(zeros_of(wide, rules), GetParam().zeros);
  // In training too, unless a dropout draws another mask for the wider tensor.
  std::vector<Mode> modes = {Mode::eval};
  if (!has_dropout(before)) modes.push_back(Mode::train);
  for (const Mode mode : modes) {
    const std::vector<Array> expected = run_model(before, mode);
    const std::vector<Array> actual = run_model(with_values(before, wide, rules), mode);
    for (std::size_t k = 0; k < before.outputs().size(); ++k) {
      EXPECT_TRUE(near(actual[k], expected[k], 1e-5)) << "output " << k;
    }
  }
}

const Kept kKept[] = {
    {"units_of_a_linear", mlp,
     R"({"policy":"preserve","commands":[{"do":"set_config","at":"fc_1","attrs":{"units":11}}]})", "fc_2.weight:0"},
    {"hidden_of_a_feed_forward", two_layers,
     R"({"policy":"preserve","commands":[{"do":"set_config","at":"think","attrs":{"hidden":9}}]})",
     "think.contract.weight:0"},
    {"hidden_of_a_transformer_block", transformer,
     R"({"policy":"preserve","commands":[{"do":"set_config","at":"encoder/block_1","attrs":{"hidden":20}}]})",
     "encoder/block_1.feed_forward.contract.weight:0"},
    {"two_layers_in_one_edit", mlp,
     R"({"policy":"preserve","commands":[
         {"do":"insert_between","value":"act","user":"fc_2","op":"nn.Linear","attrs":{"units":8},"name":"mid"},
         {"do":"set_config","at":"fc_1","attrs":{"units":9}},{"do":"delete_passthrough","at":"mid"}]})",
     "fc_2.weight:0"},
    {"features_of_an_input", mlp,
     R"({"policy":"preserve","commands":[{"do":"set_config","at":"x","attrs":{"type":{"type":"f32[batch, 6]"}}}]})",
     "fc_1.weight:0"},
    {"width_of_an_embedding", embedded,
     R"({"policy":"preserve","commands":[{"do":"set_config","at":"table","attrs":{"width":6}}]})", "head.weight:1"},
    {"rows_of_an_embedding", embedded,
     R"({"policy":"preserve","commands":[{"do":"set_config","at":"table","attrs":{"count":8}}]})", ""},
    {"channels_of_a_convolution_before_batch_norm", convolutional,
     R"({"policy":"preserve","commands":[{"do":"set_config","at":"conv_1","attrs":{"channels":7}}]})",
     "conv_2.weight:1"},
    {"inside_a_block", mlp,
     R"({"policy":"preserve","commands":[{"do":"group","nodes":["act","fc_2"],"name":"back"},
                                         {"do":"set_config","at":"fc_1","attrs":{"units":12}}]})",
     "fc_2.weight:0"},
};

INSTANTIATE_TEST_SUITE_P(Rows, PreserveKeeps, testing::ValuesIn(kKept),
                         [](const auto& row) { return std::string(row.param.name); });

struct Impossible {
  const char* name;
  Graph (*model)();
  const char* edit;
  std::vector<const char*> words;
};

void PrintTo(const Impossible& row, std::ostream* out) { *out << row.name; }

// fc_1 → op → fc_2 with an op that takes one input.
Graph with_between(std::string_view op, Attrs attrs) {
  Graph graph("between");
  const Tensor x = graph.input("x", {DType::f32, {Dim::symbol("batch"), 4}});
  Tensor y = add_named(graph, "nn.Linear", {x}, {{"units", 8}}, "fc_1");
  y = add_named(graph, op, {y}, std::move(attrs), "between");
  graph.set_output("y", add_named(graph, "nn.Linear", {y}, {{"units", 3}}, "fc_2"));
  return graph;
}

Graph split_heads() {
  Graph graph("heads");
  const Tensor x = graph.input("x", {DType::f32, {Dim::symbol("batch"), 4}});
  const Tensor y = add_named(graph, "nn.Linear", {x}, {{"units", 8}}, "fc_1");
  graph.set_output("y", add_named(graph, "Reshape", {y, graph.constant(Array::ints({0, 2, -1}))}, {}, "heads"));
  return graph;
}

Graph squared() {
  Graph graph("squared");
  const Tensor x = graph.input("x", {DType::f32, {5, 4}});
  const Tensor y = add_named(graph, "nn.Linear", {x}, {{"units", 8}}, "fc_1");
  graph.set_output("y", add_named(graph, "MatMul", {y, add_op("Transpose", {y})}, {}, "products"));
  return graph;
}

constexpr const char* kWidenLayer =
    R"({"policy":"preserve","commands":[{"do":"set_config","at":"fc_1","attrs":{"units":10}}]})";

const Impossible kImpossible[] = {
    {"output",
     mlp,
     R"({"policy":"preserve","commands":[{"do":"set_config","at":"fc_2","attrs":{"units":5}}]})",
     {"'fc_2.weight'", "the output 'y'", "policy overlap"}},
    {"shrinking",
     mlp,
     R"({"policy":"preserve","commands":[{"do":"set_config","at":"fc_1","attrs":{"units":5}}]})",
     {"'fc_1.weight'", "becomes shorter", "policy overlap"}},
    {"layer_norm",
     [] { return with_between("nn.LayerNorm", {}); },
     kWidenLayer,
     {"between", "LayerNormalization", "normalises over it"}},
    {"softmax", [] { return with_between("Softmax", {}); }, kWidenLayer, {"between (Softmax)", "normalises over it"}},
    {"mean", [] { return with_between("ReduceMean", {}); }, kWidenLayer, {"between (ReduceMean)", "reduces over it"}},
    {"heads", split_heads, kWidenLayer, {"heads (Reshape)", "the output 'y'"}},
    {"product_of_activations", squared, kWidenLayer, {"products (MatMul)", "no weight can be made zero"}},
    {"width_of_attention",
     [] {
       Graph graph("attention");
       const Tensor x = graph.input("x", {DType::f32, {2, 3, 4}});
       const Tensor y = add_named(graph, "nn.Linear", {x}, {{"units", 8}}, "fc_1");
       graph.set_output("y", add_named(graph, "nn.MultiHeadAttention", {y}, {{"heads", 2}}, "attention"));
       return graph;
     },
     kWidenLayer,
     {"attention", "policy overlap"}},
    {"batch_norm_over_features_then_norm",
     [] {
       Graph graph("norms");
       const Tensor x = graph.input("x", {DType::f32, {Dim::symbol("batch"), 4}});
       Tensor y = add_named(graph, "nn.Linear", {x}, {{"units", 8}}, "fc_1");
       y = add_named(graph, "nn.BatchNorm", {y}, {}, "batch_norm");
       graph.set_output("y", add_named(graph, "LogSoftmax", {y}, {}, "last"));
       return graph;
     },
     kWidenLayer,
     {"last (LogSoftmax)"}},
    {"kernel",
     convolutional,
     R"({"policy":"preserve","commands":[{"do":"set_config","at":"conv_1","attrs":{"kernel":[5,5]}}]})",
     {"'conv_1.weight'", "window grows"}},
};

class PreserveRefuses : public testing::TestWithParam<Impossible> {};

TEST_P(PreserveRefuses, WithTheReasonAndOffersOverlap) {
  const Graph graph = GetParam().model();
  Edit edit = edit_from_json(GetParam().edit);
  const EditOutcome refused = check(graph, edit);
  ASSERT_FALSE(refused.report.ok());
  const UserError& problem = refused.report.problems.front();
  EXPECT_EQ(problem.code(), ErrorCode::preserve_impossible) << problem.what();
  const std::string text = problem.what();
  for (const char* word : GetParam().words) EXPECT_NE(text.find(word), std::string::npos) << word << "\nin\n" << text;
  edit.policy = ResizePolicy::overlap;
  EXPECT_TRUE(check(graph, edit).report.ok());
}

INSTANTIATE_TEST_SUITE_P(Rows, PreserveRefuses, testing::ValuesIn(kImpossible),
                         [](const auto& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace asg::test
