// Edits of nodes inside layers: a change of configuration where there is one, else an override of the body.
#include <set>

#include <gtest/gtest.h>

#include "asg/graph/body.h"
#include "asg/graph/expand.h"
#include "asg/graph/json.h"
#include "asg/graph/registry.h"
#include "asg/graph/validate.h"
#include "asg/nn/nn.h"
#include "edit/models.h"
#include "edit/run_model.h"

namespace asg::test {
namespace {

const Node& node_at(const Graph& graph, std::string_view path) { return graph.node(graph.find_node(path)); }

// The op of a node of the expanded graph, by its place in the model.
std::string expanded_op(const Graph& graph, std::string_view path) {
  const Graph plain = expand(graph, Mode::train).graph;
  const NodeId id = plain.find_node(path);
  return id ? plain.node(id).op->name : "none";
}

TEST(EditInside, ActivationOfAFeedForwardIsItsConfiguration) {
  Graph graph("model");
  const Tensor x = graph.input("x", {DType::f32, {2, 4}});
  graph.set_output("y", add_named(graph, "nn.FeedForward", {x}, {{"hidden", 8}}, "think"));
  const Graph edited =
      after(graph, R"({"commands":[{"do":"replace_op","at":{"node":2,"inside":["activation"]},"op":"Silu"}]})");
  EXPECT_EQ(node_at(edited, "think").attrs.find("activation")->as_text(), "Silu");
  EXPECT_EQ(node_at(edited, "think").body, nullptr);
  EXPECT_EQ(expanded_op(edited, "think/activation"), "Silu");
}

TEST(EditInside, GovernedAttributesGoOutwardThroughSeveralLevels) {
  const Graph edited =
      after(transformer(),
            R"({"commands":[{"do":"replace_op","at":"encoder/block_1/feed_forward/activation","op":"Relu"},
                      {"do":"set_config","at":"encoder/block_1/feed_forward/expand","attrs":{"units":24}}]})");
  const Node& block = node_at(edited, "encoder/block_1");
  EXPECT_EQ(block.body, nullptr);
  EXPECT_EQ(block.attrs.find("activation")->as_text(), "Relu");
  EXPECT_EQ(block.attrs.find("hidden")->as_integer(), 24);
  EXPECT_EQ(edited.variable(edited.find_variable("encoder/block_1.feed_forward.expand.weight")).type.to_string(),
            "f32[8, 24]");
}

TEST(EditInside, WhatConfigurationCannotSayBecomesAnOverride) {
  const Graph before = transformer();
  const Graph edited = after(before, R"({"commands":[{"do":"replace_op","at":"encoder/block_1/feed_forward/activation",
                                                      "op":"LeakyRelu","attrs":{"alpha":0.3}}]})");
  const Node& block = node_at(edited, "encoder/block_1");
  ASSERT_NE(block.body, nullptr);
  EXPECT_EQ(expanded_op(edited, "encoder/block_1/feed_forward/activation"), "LeakyRelu");
  // Every parameter keeps its variable.
  EXPECT_EQ(block.bindings, node_at(before, "encoder/block_1").bindings);
  EXPECT_NO_THROW(validate(edited));
  EXPECT_EQ(read_json(to_json(edited)), edited);
}

TEST(EditInside, OverrideOfOneInstanceLeavesOthers) {
  Graph graph("model");
  const Tensor x = graph.input("x", {DType::f32, {2, 4}});
  const Tensor y = add_named(graph, "nn.FeedForward", {x}, {{"hidden", 8}}, "one");
  graph.set_output("y", add_named(graph, "nn.FeedForward", {y}, {{"hidden", 8}}, "two"));
  const Graph edited = after(graph, R"({"commands":[{"do":"replace_op","at":"one/activation","op":"Erf"}]})");
  EXPECT_EQ(expanded_op(edited, "one/activation"), "Erf");
  EXPECT_EQ(expanded_op(edited, "two/activation"), "Gelu");
}

TEST(EditInside, ConfigurationWithoutGovernorIsAnOverride) {
  const Graph edited = after(transformer(), R"({"commands":[{"do":"set_config","at":"encoder/block_1/norm_1",
                                                             "attrs":{"epsilon":0.01}}]})");
  const Graph body = make_body(edited, node_at(edited, "encoder/block_1"), Mode::train).graph;
  EXPECT_EQ(node_at(body, "norm_1").attrs.find("epsilon")->as_real(), 0.01);
}

TEST(EditInside, NewSlotsGetVariables) {
  const Graph edited = after(transformer(), R"({"commands":[{"do":"replace_op","at":"encoder/block_1/norm_1",
                                                             "op":"nn.Linear","attrs":{"units":8}}]})");
  EXPECT_TRUE(edited.find_variable("encoder/block_1.norm_1.weight"));
  EXPECT_TRUE(edited.find_variable("encoder/block_1.norm_1.bias"));    // had the same slot and type
  EXPECT_FALSE(edited.find_variable("encoder/block_1.norm_1.scale"));  // nobody uses it any more
}

TEST(EditInside, NodesCanBeTakenOut) {
  const Graph edited =
      after(transformer(), R"({"commands":[{"do":"delete_passthrough","at":"encoder/block_1/feed_forward/dropout"}]})");
  EXPECT_EQ(expanded_op(edited, "encoder/block_1/feed_forward/dropout/mask"), "none");
  EXPECT_EQ(expanded_op(edited, "encoder/block_1/attention/dot_product/attention"), "Attention");
}

TEST(EditInside, OverriddenBodyFollowsItsInputs) {
  Graph graph("model");
  const Tensor x = graph.input("x", {DType::f32, {Dim::symbol("batch"), 4}});
  graph.set_output("y", add_named(graph, "nn.FeedForward", {x}, {{"hidden", 8}}, "think"));
  const Graph edited = after(graph, R"({"commands":[{"do":"replace_op","at":"think/activation","op":"Erf"},
      {"do":"set_config","at":"x","attrs":{"type":{"type":"f32[batch, 5, 4]"}}}]})");
  EXPECT_EQ(edited.type(edited.find_output("y")->value).to_string(), "f32[batch, 5, 4]");
}

TEST(EditInside, SameOpAgainGivesTheBodyOfTheCard) {
  const Graph edited = after(transformer(), R"({"commands":[
      {"do":"replace_op","at":"encoder/block_1/norm_1","op":"Identity"},
      {"do":"replace_op","at":"encoder/block_1","op":"nn.TransformerBlock",
       "attrs":{"heads":2,"hidden":16,"dropout":0.1}}]})");
  EXPECT_EQ(node_at(edited, "encoder/block_1").body, nullptr);
  EXPECT_TRUE(edited.find_variable("encoder/block_1.norm_1.scale"));
}

TEST(EditInside, EditsOfNeighboursChangeNoMask) {
  // The attention's dropout is the only random op left, so its mask shows in the output.
  const char* without = R"({"commands":[{"do":"delete_passthrough","at":"encoder/block_1/feed_forward/dropout"},
                                        {"do":"replace_op","at":"encoder/block_1/feed_forward","op":"Identity"}]})";
  const char* first = R"({"commands":[{"do":"replace_op","at":"encoder/block_1/feed_forward","op":"Identity"}]})";
  const Graph one = after(transformer(), without);
  const Graph other = after(transformer(), first);
  const auto mask_of = [](const Graph& graph) {
    const Graph plain = expand(graph, Mode::train).graph;
    return plain.node(plain.find_node("encoder/block_1/attention/dot_product/attention")).stream;
  };
  EXPECT_EQ(mask_of(one), mask_of(other));
  EXPECT_EQ(mask_of(one), mask_of(transformer()));
}

// The first constant of floats of a layer's body. It may have no name, only a label such as "Constant#3".
NodeId constant_of(const Graph& body) {
  for (const NodeId id : body.node_ids()) {
    if (body.node(id).op->name == "Constant" && is_float(body.type({id, 0}).dtype)) return id;
  }
  return {};
}

TEST(EditInside, ALiteralOfALayerGetsOtherNumbers) {
  Graph graph("model");
  const Tensor scores = graph.input("scores", {DType::f32, {1, 2, 3, 3}});
  graph.set_output("y", add_named(graph, "nn.AlibiBias", {scores}, {}, "lean"));
  const Graph made = make_body(graph, node_at(graph, "lean"), Mode::train).graph;
  const NodeId constant = constant_of(made);
  ASSERT_TRUE(constant);
  const std::string path = "lean/" + made.node(constant).label();
  const Edit edit = {{edits::SetConstant{path, Array::of<float>({2, 1, 1}, {0.5F, 0.0F})}}};
  const EditOutcome outcome = check(graph, edit);
  ASSERT_TRUE(outcome.report.ok()) << outcome.report.to_text();
  ASSERT_NE(node_at(outcome.after, "lean").body, nullptr);
  const Graph& body = *node_at(outcome.after, "lean").body;
  EXPECT_EQ(body.node(constant_of(body)).attrs.find("value")->as_tensor().get(0), 0.5);
  EXPECT_NO_THROW(validate(outcome.after));
  const EditOutcome wrong = check(graph, {{edits::SetConstant{path, Array::scalar(DType::f32, 1)}}});
  ASSERT_EQ(wrong.report.problems.size(), 1U);
  EXPECT_EQ(wrong.report.problems.front().code(), ErrorCode::type_mismatch);
}

std::set<std::string> frozen_in(const Graph& graph) {
  std::set<std::string> names;
  for (const VarId id : graph.variable_ids()) {
    const Variable& variable = graph.variable(id);
    if (variable.kind == VarKind::parameter && !variable.trainable) names.insert(variable.name);
  }
  return names;
}

// A layer also holds the seed of its dropout, a norm its running means: these are left alone.
TEST(EditInside, FreezingALayerConcernsItsParameters) {
  const Graph block = after(transformer(), R"({"commands":[{"do":"set_trainable","variable":"encoder/block_1/norm_1",
                                                            "trainable":false}]})");
  EXPECT_EQ(frozen_in(block), (std::set<std::string>{"encoder/block_1.norm_1.scale", "encoder/block_1.norm_1.bias"}));
  const Graph all =
      after(transformer(), R"({"commands":[{"do":"set_trainable","variable":"encoder/block_1","trainable":false}]})");
  EXPECT_GT(frozen_in(all).size(), 8U);
  EXPECT_TRUE(frozen_in(after(all, R"({"commands":[{"do":"set_trainable","variable":"encoder/block_1",
                                                    "trainable":true}]})"))
                  .empty());

  Graph graph("model");
  const Tensor x = graph.input("x", {DType::f32, {2, 3, 4, 4}});
  const Tensor y = add_named(graph, "nn.BatchNorm", {x}, {}, "norm");
  graph.set_output("y", add_named(graph, "nn.Dropout", {y}, {{"ratio", 0.5}}, "drop"));
  const Graph normed = after(graph, R"({"commands":[{"do":"set_trainable","variable":"norm","trainable":false}]})");
  EXPECT_EQ(frozen_in(normed), (std::set<std::string>{"norm.scale", "norm.bias"}));
  const EditOutcome none = check(graph, {{edits::SetTrainable{"drop", false}}});
  ASSERT_EQ(none.report.problems.size(), 1U);
  EXPECT_EQ(none.report.problems.front().code(), ErrorCode::edit_refused);
  EXPECT_NE(std::string(none.report.problems.front().what()).find("holds no parameters"), std::string::npos);
}

struct InsideRow {
  const char* name;
  const char* edit;
  ErrorCode code;
  std::vector<const char*> words;
};

const InsideRow kRefusedInside[] = {
    {"unknown_label",
     R"({"commands":[{"do":"replace_op","at":"encoder/block_1/feed_forward/activaton","op":"Relu"}]})",
     ErrorCode::unknown_scope,
     {"'activaton' inside encoder/block_1/feed_forward", "expand, activation, dropout, contract",
      "did you mean 'encoder/block_1/feed_forward/activation'?"}},
    {"unknown_beginning",
     R"({"commands":[{"do":"replace_op","at":"encoder/blok_1/feed_forward/activation","op":"Relu"}]})",
     ErrorCode::unknown_scope,
     {"the path 'encoder/blok_1/feed_forward/activation'", "did you mean 'encoder/block_1'?"}},
    {"inside_a_plain_op",
     R"({"commands":[{"do":"replace_op","at":"encoder/block_1/feed_forward/activation/erf","op":"Relu"}]})",
     ErrorCode::unknown_scope,
     {"Gelu is a plain op"}},
    {"body_that_differs_between_modes",
     R"({"commands":[{"do":"replace_op","at":"encoder/block_1/feed_forward/dropout/mask","op":"Relu"}]})",
     ErrorCode::edit_refused,
     {"encoder/block_1/feed_forward/dropout", "differs between training and evaluation"}},
    {"configuration_of_an_edited_body",
     R"({"commands":[{"do":"replace_op","at":"encoder/block_1/norm_1","op":"Identity"},
                     {"do":"set_config","at":"encoder/block_1","attrs":{"hidden":32}}]})",
     ErrorCode::edit_refused,
     {"encoder/block_1, whose body was edited", "replace the layer by the same op"}},
    {"type_changes_inside",
     R"({"commands":[{"do":"replace_op","at":"encoder/block_1/norm_1","op":"nn.Linear","attrs":{"units":9}}]})",
     ErrorCode::output_type_changed,
     {"encoder/block_1/norm_1"}},
    {"does_not_fit_inside",
     R"({"commands":[{"do":"replace_op","at":"encoder/block_1/feed_forward/contract","op":"nn.Linear",
                      "attrs":{"units":9},"allow_type_change":true}]})",
     ErrorCode::broadcast_mismatch,
     {"encoder/block_1/Add#"}},
};

class EditInsideRefused : public testing::TestWithParam<InsideRow> {};

TEST_P(EditInsideRefused, SaysWhy) {
  const InsideRow& row = GetParam();
  const EditOutcome result = outcome(transformer(), row.edit);
  ASSERT_FALSE(result.report.ok());
  const UserError& problem = result.report.problems.front();
  EXPECT_EQ(name_of(problem.code()), name_of(row.code)) << problem.what();
  const std::string text = problem.what();
  for (const char* word : row.words) EXPECT_NE(text.find(word), std::string::npos) << word << "\nin\n" << text;
}

INSTANTIATE_TEST_SUITE_P(Rows, EditInsideRefused, testing::ValuesIn(kRefusedInside),
                         [](const auto& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace asg::test
