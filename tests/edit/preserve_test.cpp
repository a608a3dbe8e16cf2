// What `preserve` reaches through, proven by construction and by numbers: a forward pass in f64 before and after, by
// the interpreter and by the engine on the processor. And what it refuses.
#include <algorithm>

#include <gtest/gtest.h>

#include "asg/graph/model.h"
#include "asg/graph/resize.h"
#include "asg/nn/nn.h"
#include "edit/models.h"
#include "edit/run_model.h"
#include "support/compare.h"

namespace asg::test {
namespace {

using AxisLengths = std::vector<std::int64_t>;

// A card's tolerance for f64, with room for the ops one after the other.
constexpr double kChainTolerance = 1e-11;

class Net {
 public:
  explicit Net(Shape input) : x_(graph_.input("x", {DType::f64, std::move(input)})) {}

  Net& add(std::string_view op, Attrs attrs = {}, std::string name = "") {
    x_ = add_named(graph_, op, {x_}, std::move(attrs), std::move(name));
    return *this;
  }
  Net& conv(std::string name, std::int64_t channels, std::int64_t kernel = 3, std::int64_t groups = 1) {
    return add("nn.Conv2d", {{"channels", channels}, {"kernel", AxisLengths{kernel, kernel}}, {"groups", groups}},
               std::move(name));
  }
  Net& linear(std::string name, std::int64_t units) { return add("nn.Linear", {{"units", units}}, std::move(name)); }
  Net& reshape(AxisLengths shape) {
    x_ = add_op("Reshape", {x_, graph_.constant(Array::ints(shape))});
    return *this;
  }
  Graph done() {
    graph_.set_output("y", x_);
    return with_random_values(std::move(graph_));
  }

  Tensor& x() { return x_; }
  Graph& graph() { return graph_; }

 private:
  Graph graph_{"net"};
  Tensor x_;
};

Net images(std::int64_t channels = 2) { return Net({Dim::symbol("batch"), channels, 8, 8}); }

// conv_1 (4 channels) → op → conv_2.
Graph between_convolutions(std::string_view op, Attrs attrs = {}) {
  return images().conv("conv_1", 4).add(op, std::move(attrs), "between").conv("conv_2", 3, 1).done();
}

Graph before_dense(std::string_view op, Attrs attrs = {}) {
  return images().conv("conv_1", 4).add(op, std::move(attrs), "between").add("Flatten").linear("head", 3).done();
}

Graph channels_last() {
  Net net = images();
  net.conv("conv_1", 4).add("Transpose", {{"perm", AxisLengths{0, 2, 3, 1}}}).add("Flatten").linear("head", 3);
  return net.done();
}

// Two branches of 4 channels each, joined; the first one is before the other.
Graph two_branches(bool norm) {
  Net net = images();
  const Tensor x = net.x();
  const Tensor first = net.conv("conv_1", 4).x();
  net.x() = x;
  const Tensor second = net.conv("conv_2", 4).x();
  net.x() = add_named(net.graph(), "Concat", {first, second}, {{"axis", 1}}, "both");
  if (norm) net.add("nn.BatchNorm", {}, "norm");
  return net.add("Relu")
      .add("AveragePool", {{"kernel_shape", AxisLengths{2, 2}}})
      .add("Flatten")
      .linear("head", 3)
      .done();
}
Graph joined_branches() { return two_branches(false); }
Graph normed_branches() { return two_branches(true); }

Graph residual() {
  Net net = images();
  const Tensor stem = net.conv("conv_1", 4, 1).x();
  net.conv("conv_2", 4, 1).add("Relu");
  net.x() = net.x() + stem;
  return net.add("GlobalAveragePool").add("Flatten").linear("head", 3).done();
}

// A gated unit: one linear layer whose two halves are multiplied.
Graph gated_parts(bool is_slice) {
  Net net({Dim::symbol("batch"), 5});
  net.linear("both", 8);
  if (is_slice) {
    Graph& graph = net.graph();
    const auto ints = [&](std::int64_t value) { return graph.constant(Array::ints({value})); };
    const Tensor start = ints(0).named("start");
    net.x() = add_named(graph, "Slice", {net.x(), start, ints(6).named("end"), ints(1)}, {}, "part");
  } else {
    const std::vector<Tensor> parts = add_op_outputs("Split", {net.x()}, {{"num_outputs", 2}, {"axis", 1}});
    net.x() = parts[0] * add_op("Sigmoid", {parts[1]});
  }
  return net.linear("head", 3).done();
}
Graph split_halves() { return gated_parts(false); }
Graph first_six() { return gated_parts(true); }

Graph depthwise() { return images().conv("conv_1", 4).conv("deep", 4, 3, 4).conv("conv_2", 3, 1).done(); }

Graph transposed_convolution() {
  Net net = images();
  net.conv("conv_1", 4, 1).add("nn.ConvTranspose2d", {{"channels", 4}, {"kernel", AxisLengths{2, 2}}}, "up");
  return net.conv("conv_2", 2, 1).done();
}

Graph in_groups(std::int64_t groups) {
  return images().conv("conv_1", 4).add("nn.GroupNorm", {{"groups", groups}}, "norm").conv("conv_2", 3, 1).done();
}
Graph two_groups() { return in_groups(2); }

Graph padded() {
  Net net = images();
  net.conv("conv_1", 4);
  const Tensor pads = net.graph().constant(Array::ints({0, 1, 0, 0, 0, 1, 0, 0}));
  net.x() = add_op("Pad", {net.x(), pads});
  return net.conv("conv_2", 3, 1).done();
}

Graph kept_block() {
  return Net({Dim::symbol("batch"), 6}).linear("wide", 8).reshape({0, -1, 2}).reshape({0, -1}).linear("head", 3).done();
}

Graph blocks() {
  Net net({Dim::symbol("batch"), 3, 8});
  net.add("nn.TransformerBlock", {{"heads", 2}, {"hidden", 12}, {"dropout", 0.1}}, "block");
  return net.linear("head", 3).done();
}

Graph dense() {
  return Net({Dim::symbol("batch"), 6}).linear("wide", 8).add("Relu", {}, "act").linear("head", 3).done();
}

struct PreservedRow {
  const char* name;
  Graph (*model)();
  const char* commands;
};
void PrintTo(const PreservedRow& row, std::ostream* out) { *out << row.name; }

Edit edit_of(const PreservedRow& row, ResizePolicy policy) {
  Edit edit = edit_from_json(std::string(R"({"commands":[)") + row.commands + "]}");
  edit.policy = policy;
  return edit;
}

void expect_same_function(const Graph& before, const Graph& after, const std::vector<ResizeRule>& rules) {
  const Graph filled = with_values(before, after, rules);
  const std::vector<Array> expected = run_model(before, Mode::eval);
  const std::vector<Array> actual = run_model(filled, Mode::eval);
  const std::vector<Array> on_cpu = run_model_on_cpu(filled, Mode::eval);
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t k = 0; k < expected.size(); ++k) {
    EXPECT_TRUE(near(actual[k], expected[k], kChainTolerance)) << "output " << k;
    EXPECT_TRUE(near(on_cpu[k], expected[k], kChainTolerance)) << "output " << k << " on the processor";
  }
}

class PreserveReaches : public testing::TestWithParam<PreservedRow> {};

TEST_P(PreserveReaches, Through) {
  const Graph before = GetParam().model();
  for (const ResizePolicy policy : {ResizePolicy::preserve, ResizePolicy::automatic}) {
    const EditOutcome outcome = check(before, edit_of(GetParam(), policy));
    ASSERT_TRUE(outcome.report.ok()) << outcome.report.to_text();
    ASSERT_FALSE(outcome.resizes.empty());
    EXPECT_EQ(outcome.report.policy, ResizePolicy::preserve) << outcome.report.to_text();
    EXPECT_FALSE(outcome.report.not_preserved);
    expect_same_function(before, outcome.after, outcome.resizes);
  }
}

constexpr const char* kChannels = R"({"do":"set_config","at":"conv_1","attrs":{"channels":7}})";
constexpr const char* kTwoMore = R"({"do":"set_config","at":"conv_1","attrs":{"channels":6}})";
constexpr const char* kUnits = R"({"do":"set_config","at":"wide","attrs":{"units":11}})";

const PreservedRow kPreserved[] = {
    {"max_pool", [] { return between_convolutions("MaxPool", {{"kernel_shape", AxisLengths{2, 2}}}); }, kChannels},
    {"average_pool", [] { return between_convolutions("AveragePool", {{"kernel_shape", AxisLengths{2, 2}}}); },
     kChannels},
    {"lp_pool", [] { return between_convolutions("LpPool", {{"kernel_shape", AxisLengths{2, 2}}}); }, kChannels},
    {"global_average_pool", [] { return before_dense("GlobalAveragePool"); }, kChannels},
    {"global_max_pool", [] { return before_dense("GlobalMaxPool"); }, kChannels},
    {"adaptive_average_pool", [] { return before_dense("AdaptiveAveragePool", {{"output_size", AxisLengths{2, 3}}}); },
     kChannels},
    {"adaptive_max_pool", [] { return before_dense("AdaptiveMaxPool", {{"output_size", AxisLengths{2, 3}}}); },
     kChannels},
    {"flatten", [] { return before_dense("Relu"); }, kChannels},
    {"flatten_of_channels_that_are_last", channels_last, kChannels},
    {"reshape_that_keeps_a_block", kept_block, R"({"do":"set_config","at":"wide","attrs":{"units":12}})"},
    {"batch_norm", [] { return between_convolutions("nn.BatchNorm"); }, kChannels},
    {"instance_norm", [] { return between_convolutions("nn.InstanceNorm"); }, kChannels},
    {"group_norm_with_more_groups", two_groups,
     R"({"do":"set_config","at":"conv_1","attrs":{"channels":8}},{"do":"set_config","at":"norm","attrs":{"groups":4}})"},
    {"first_part_of_a_concatenation", joined_branches, kChannels},
    {"last_part_of_a_concatenation", joined_branches, R"({"do":"set_config","at":"conv_2","attrs":{"channels":5}})"},
    {"both_parts_of_a_concatenation", joined_branches,
     R"({"do":"set_config","at":"conv_1","attrs":{"channels":6}},{"do":"set_config","at":"conv_2","attrs":{"channels":5}})"},
    {"batch_norm_over_a_concatenation", normed_branches, kTwoMore},
    {"residual_sum", residual,
     R"({"do":"set_config","at":"conv_1","attrs":{"channels":6}},{"do":"set_config","at":"conv_2","attrs":{"channels":6}})"},
    {"split", split_halves, R"({"do":"set_config","at":"both","attrs":{"units":12}})"},
    {"slice_that_leaves_the_new_out", first_six, R"({"do":"set_config","at":"both","attrs":{"units":12}})"},
    {"depthwise_convolution", depthwise,
     R"({"do":"set_config","at":"conv_1","attrs":{"channels":6}},{"do":"set_config","at":"deep","attrs":{"channels":6,"groups":6}})"},
    {"transposed_convolution", transposed_convolution,
     R"({"do":"set_config","at":"conv_1","attrs":{"channels":5}},{"do":"set_config","at":"up","attrs":{"channels":7}})"},
    {"padding_of_channels", padded, kChannels},
    {"hidden_of_a_transformer_block", blocks, R"({"do":"set_config","at":"block","attrs":{"hidden":17}})"},
    {"a_dropout_that_is_inserted", dense,
     R"({"do":"set_config","at":"wide","attrs":{"units":11}},
        {"do":"insert_between","value":"act","op":"nn.Dropout","attrs":{"ratio":0.3},"name":"drop"})"},
    {"groups_that_people_make", dense,
     R"({"do":"set_config","at":"wide","attrs":{"units":11}},{"do":"group","nodes":["act","head"],"name":"tail"})"},
};

INSTANTIATE_TEST_SUITE_P(Rows, PreserveReaches, testing::ValuesIn(kPreserved),
                         [](const auto& row) { return std::string(row.param.name); });

struct NotPreservedRow : PreservedRow {
  std::vector<const char*> words;
  bool resizes = true;  // whether a variable changes its size, so that `auto` has something to decide
};
void PrintTo(const NotPreservedRow& row, std::ostream* out) { *out << row.name; }

class PreserveByName : public testing::TestWithParam<NotPreservedRow> {};

TEST_P(PreserveByName, IsRefusedAndAutoFallsBackToOverlap) {
  const Graph before = GetParam().model();
  const EditOutcome refused = check(before, edit_of(GetParam(), ResizePolicy::preserve));
  ASSERT_FALSE(refused.report.ok());
  const UserError& problem = refused.report.problems.front();
  EXPECT_EQ(problem.code(), ErrorCode::preserve_impossible) << problem.what();
  const std::string text = problem.what();
  EXPECT_NE(text.find("use the policy overlap"), std::string::npos) << text;
  for (const char* word : GetParam().words) EXPECT_NE(text.find(word), std::string::npos) << word << "\nin\n" << text;

  const EditOutcome outcome = check(before, edit_of(GetParam(), ResizePolicy::automatic));
  ASSERT_TRUE(outcome.report.ok()) << outcome.report.to_text();
  EXPECT_EQ(outcome.resizes.empty(), !GetParam().resizes);
  if (!GetParam().resizes) {
    EXPECT_FALSE(outcome.report.policy);
    return;
  }
  EXPECT_EQ(outcome.report.policy, ResizePolicy::overlap);
  ASSERT_TRUE(outcome.report.not_preserved);
  EXPECT_EQ(*outcome.report.not_preserved, problem);
  EXPECT_NE(outcome.report.to_text().find("policy overlap, not preserve: "), std::string::npos);
}

NotPreservedRow not_preserved(const char* name, Graph (*model)(), const char* commands, std::vector<const char*> words,
                              bool resizes) {
  return {{name, model, commands}, std::move(words), resizes};
}

const NotPreservedRow kNotPreserved[] = {
    not_preserved("gated", blocks, R"({"do":"set_config","at":"block","attrs":{"gated":true}})",
                  {"adds a variable 'block.feed_forward.gate.weight'"}, false),
    not_preserved("gated_and_wider", blocks, R"({"do":"set_config","at":"block","attrs":{"gated":true,"hidden":16}})",
                  {"gate.weight"}, true),
    not_preserved("norm_last", blocks, R"({"do":"set_config","at":"block","attrs":{"norm_first":false}})",
                  {"block", "did not compute before"}, false),
    not_preserved("rms_norm", blocks, R"({"do":"set_config","at":"block","attrs":{"norm":"RMSNorm"}})",
                  {"RMSNormalization", "did not compute before"}, false),
    not_preserved("without_bias", blocks, R"({"do":"set_config","at":"block","attrs":{"bias":false}})",
                  {"block", "did not compute before"}, false),
    not_preserved("another_activation", dense, R"({"do":"replace_op","at":"act","op":"Gelu"})",
                  {"act (Gelu)", "did not compute before"}, false),
    not_preserved("another_activation_of_a_wider_layer", dense,
                  R"({"do":"replace_op","at":"act","op":"Gelu"},{"do":"set_config","at":"wide","attrs":{"units":11}})",
                  {"act (Gelu)"}, true),
    not_preserved("a_node_less", dense, R"({"do":"delete_passthrough","at":"act"})", {"head", "did not compute before"},
                  false),
    not_preserved("an_epsilon", blocks, R"({"do":"set_config","at":"block","attrs":{"epsilon":0.01}})",
                  {"LayerNormalization", "did not compute before"}, false),
    not_preserved("an_output_less", two_groups,
                  R"({"do":"set_output","name":"z","value":"conv_2"},{"do":"remove_output","name":"y"})",
                  {"takes away the output 'y'"}, false),
    not_preserved("an_output_of_another_value", dense, R"({"do":"set_output","name":"y","value":"act"})",
                  {"the output 'y' is another value", "act"}, false),
    not_preserved("group_norm_with_larger_groups", two_groups, kTwoMore,
                  {"norm", "groups of channels that do not stay the same"}, true),
    not_preserved("group_norm_with_other_groups", two_groups, R"({"do":"set_config","at":"norm","attrs":{"groups":4}})",
                  {"norm", "groups of channels that do not stay the same"}, false),
    not_preserved(
        "layer_norm", [] { return Net({3, 6}).linear("wide", 8).add("nn.LayerNorm").linear("head", 3).done(); }, kUnits,
        {"LayerNormalization", "normalises over it"}, true),
    not_preserved(
        "spatial_flatten", [] { return before_dense("Relu"); },
        R"({"do":"set_config","at":"conv_1","attrs":{"kernel":[1,1]}})", {"'conv_1.weight'", "becomes shorter"}, true),
    not_preserved("narrower", dense, R"({"do":"set_config","at":"wide","attrs":{"units":5}})",
                  {"'wide.weight'", "becomes shorter"}, true),
    not_preserved("output", dense, R"({"do":"set_config","at":"head","attrs":{"units":5}})",
                  {"'head.weight'", "the output 'y'"}, true),
    not_preserved("slice_that_takes_other_elements", first_six,
                  R"({"do":"set_config","at":"both","attrs":{"units":12}},
               {"do":"set_constant","node":"start","value":{"type":"i64[1]","data":"AQAAAAAAAAA="}},
               {"do":"set_constant","node":"end","value":{"type":"i64[1]","data":"BwAAAAAAAAA="}})",
                  {"part", "cuts another part out of it"}, true),
    not_preserved("shared_weights_that_are_no_longer", dense,
                  R"({"do":"insert_between","value":"act","op":"nn.Linear","attrs":{"units":8},"name":"new"})",
                  {"adds a variable 'new.weight'"}, false),
};

INSTANTIATE_TEST_SUITE_P(Rows, PreserveByName, testing::ValuesIn(kNotPreserved),
                         [](const auto& row) { return std::string(row.param.name); });

// Edits that only arrange or name things, or add outputs, keep the function: `preserve` allows them.
TEST(PreserveByName, AllowsWhatChangesNoOutput) {
  for (const char* commands :
       {R"({"do":"rename","node":"wide","name":"first"})",
        R"({"do":"set_trainable","variable":"wide","trainable":false})",
        R"({"do":"group","nodes":["act","head"],"name":"tail"})", R"({"do":"set_output","name":"z","value":"act"})",
        R"({"do":"insert_between","value":"act","op":"nn.Dropout","name":"drop"})"}) {
    const EditOutcome outcome = check(dense(), edit_of({"", dense, commands}, ResizePolicy::preserve));
    EXPECT_TRUE(outcome.report.ok()) << commands << "\n" << outcome.report.to_text();
    EXPECT_EQ(outcome.report.policy, ResizePolicy::preserve);
  }
}

// Trained weights are lost only where that was asked for by name.
TEST(ResizePolicies, OnlyFreshLosesWhatWasLearnt) {
  const Graph before = dense();
  const PreservedRow row{"", dense, R"({"do":"set_config","at":"head","attrs":{"units":5}})"};
  for (const ResizePolicy policy : {ResizePolicy::automatic, ResizePolicy::overlap, ResizePolicy::fresh}) {
    const EditOutcome outcome = check(before, edit_of(row, policy));
    ASSERT_TRUE(outcome.report.ok());
    const VarId weight = before.find_variable("head.weight");
    const auto rule = std::find_if(outcome.resizes.begin(), outcome.resizes.end(),
                                   [&](const ResizeRule& each) { return each.variable == weight; });
    ASSERT_NE(rule, outcome.resizes.end());
    const Array old = initial_value(before.variable(weight), 1);
    const Array now = resized(old, Array(DType::f64, {8, 5}), *rule);
    EXPECT_EQ(bit_equal(now.sliced(1, 0, 3, 1).copy(), old), policy != ResizePolicy::fresh) << name_of(policy);
    EXPECT_EQ(outcome.report.policy, policy == ResizePolicy::automatic ? ResizePolicy::overlap : policy);
  }
}

const ResizeRule* rule_for_variable(const std::vector<ResizeRule>& rules, VarId id) {
  const auto found =
      std::find_if(rules.begin(), rules.end(), [&](const ResizeRule& each) { return each.variable == id; });
  return found == rules.end() ? nullptr : &*found;
}

// Weights of the second branch of a concatenation stay with its channels, whatever the policy, and come back when the
// edit is undone. Each channel has 3 × 3 places after the pool.
TEST(ResizePolicies, KeepWeightsWithTheirChannels) {
  const Graph before = joined_branches();
  const VarId head = before.find_variable("head.weight");
  const std::int64_t places = before.variable(head).type.shape[0].value() / 8;
  const std::vector<KeptRun> expected = {{0, 0, 4 * places}, {4 * places, 7 * places, 4 * places}};
  for (const ResizePolicy policy : {ResizePolicy::preserve, ResizePolicy::automatic, ResizePolicy::overlap}) {
    const EditOutcome outcome = check(before, edit_of({"", joined_branches, kChannels}, policy));
    ASSERT_TRUE(outcome.report.ok());
    const ResizeRule* rule = rule_for_variable(outcome.resizes, head);
    ASSERT_NE(rule, nullptr);
    ASSERT_FALSE(rule->kept.empty());
    EXPECT_EQ(rule->kept[0], expected) << name_of(policy);
    EXPECT_EQ(rule->zero_axes[0], policy != ResizePolicy::overlap);
    const std::vector<ResizeRule> back = plan_resize(outcome.after, before, ResizePolicy::overlap);
    const ResizeRule* inverse = rule_for_variable(back, head);
    ASSERT_NE(inverse, nullptr);
    const Array old = initial_value(before.variable(head), 1);
    const Array wide = resized(old, Array(DType::f64, rule->new_sizes), *rule);
    EXPECT_TRUE(identical(resized(wide, Array(DType::f64, rule->old_sizes), *inverse), old)) << name_of(policy);
  }
}

TEST(ResizePolicies, AreAutomaticUnlessNamed) {
  EXPECT_EQ(Edit{}.policy, ResizePolicy::automatic);
  EXPECT_EQ(edit_from_json(R"({"commands":[]})").policy, ResizePolicy::automatic);
  EXPECT_EQ(edit_from_json(R"({"policy":"auto","commands":[]})").policy, ResizePolicy::automatic);
  EXPECT_EQ(to_json(Edit{}).find("policy"), std::string::npos);
}

// A journal tells what became of the structure; a policy that no longer holds does not keep a model from being read.
TEST(ResizePolicies, DoNotMatterToAReplay) {
  Model model(dense());
  Edit edit = edit_of({"", dense, kUnits}, ResizePolicy::overlap);
  model.apply(edit);
  edit.policy = ResizePolicy::preserve;
  edit.commands.push_back(edits::SetOutput{"y", {"act"}});
  const std::vector<Model::Entry> journal = {{Model::Entry::Kind::apply, std::make_shared<const Edit>(edit)}};
  EXPECT_NO_THROW(Model::replay(dense(), journal));
}

}  // namespace
}  // namespace asg::test
