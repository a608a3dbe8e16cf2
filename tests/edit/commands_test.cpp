// Every command: what it does where it applies, and why it is refused where it does not. A case is a row.
#include <gtest/gtest.h>

#include "asg/graph/card.h"
#include "asg/graph/json.h"
#include "asg/graph/text.h"
#include "asg/graph/validate.h"
#include "asg/nn/nn.h"
#include "edit/models.h"

namespace asg::test {
namespace {

struct Accepted {
  const char* name;
  Graph (*model)();
  const char* edit;
  std::vector<const char*> report;  // parts of the report's text
};

void PrintTo(const Accepted& row, std::ostream* out) { *out << row.name; }

class EditAccepted : public testing::TestWithParam<Accepted> {};

TEST_P(EditAccepted, DoesWhatItSays) {
  const Accepted& row = GetParam();
  const Graph graph = row.model();
  const EditOutcome result = outcome(graph, row.edit);
  const std::string text = result.report.to_text();
  ASSERT_TRUE(result.report.ok()) << text;
  for (const char* part : row.report) EXPECT_NE(text.find(part), std::string::npos) << part << "\nin\n" << text;
  EXPECT_NO_THROW(validate(result.after));
  EXPECT_EQ(to_json(read_json(to_json(result.after))), to_json(result.after));
}

const Accepted kAccepted[] = {
    {"add_input", mlp, R"({"commands":[{"do":"add_input","name":"mask","type":"bool[batch]"}]})", {"1 node added"}},
    {"add_node",
     mlp,
     R"({"commands":[{"do":"add_node","op":"nn.Linear","inputs":["act"],"attrs":{"units":5},"name":"side","scope":"extra"},
                     {"do":"set_output","name":"side","value":"extra/side"}]})",
     {"1 node added", "4 variables kept", "new extra/side.weight: f32[8, 5]", "new extra/side.bias: f32[5]"}},
    {"set_output", mlp, R"({"commands":[{"do":"set_output","name":"y","value":3}]})", {"0 nodes added"}},
    {"remove_output", plain, R"({"commands":[{"do":"remove_output","name":"z"}]})", {"0 removed"}},
    {"rename",
     mlp,
     R"({"commands":[{"do":"rename","node":"fc_1","name":"first"}]})",
     {"1 changed", "4 variables kept"}},
    {"replace_plain_op", mlp, R"({"commands":[{"do":"replace_op","at":3,"op":"Gelu"}]})", {"1 changed"}},
    {"replace_op_by_layer",
     mlp,
     R"({"commands":[{"do":"replace_op","at":"act","op":"nn.Dropout","attrs":{"ratio":0.2}}]})",
     {"1 changed", "new random.seed"}},
    {"replace_layer_keeps_what_fits",
     mlp,
     R"({"commands":[{"do":"replace_op","at":"fc_1","op":"nn.Linear","attrs":{"units":8,"transposed":true}}]})",
     {"3 variables kept", "dropped fc_1.weight: f32[4, 8]", "new fc_1.weight: f32[8, 4]"}},
    {"replace_with_another_type",
     mlp,
     R"({"commands":[{"do":"replace_op","at":"fc_1","op":"nn.Linear","attrs":{"units":6},"allow_type_change":true}]})",
     {"type of fc_1: f32[batch, 8] -> f32[batch, 6]", "type of act: f32[batch, 8] -> f32[batch, 6]",
      "resized fc_2.weight: f32[8, 3] -> f32[6, 3]"}},
    {"insert_on_one_edge",
     mlp,
     R"({"commands":[{"do":"insert_between","value":"fc_1","user":"act","op":"nn.LayerNorm","name":"norm"}]})",
     {"1 node added", "1 changed", "new norm.scale: f32[8]"}},
    {"insert_on_all_edges",
     plain,
     R"({"commands":[{"do":"insert_between","value":"sum","op":"Tanh","name":"squashed"}]})",
     {"1 node added", "2 changed"}},
    {"insert_before_output", mlp, R"({"commands":[{"do":"insert_between","value":4,"op":"Softmax"}]})", {"0 changed"}},
    {"insert_with_more_inputs",
     plain,
     R"({"commands":[{"do":"insert_between","value":"doubled","user":"chosen","input":1,"op":"Add","more_inputs":["x"]}]})",
     {"1 node added", "1 changed"}},
    {"delete_passthrough", mlp, R"({"commands":[{"do":"delete_passthrough","at":"act"}]})", {"1 removed", "1 changed"}},
    {"delete_passthrough_to_the_second_input",
     plain,
     R"({"commands":[{"do":"delete_passthrough","at":"sum","keep":1}]})",
     {"1 removed", "2 changed"}},
    {"delete_passthrough_takes_its_constants",
     plain,
     R"({"commands":[{"do":"delete_passthrough","at":"square"}]})",
     {"2 removed"}},
    {"delete_layer_drops_its_variables",
     tied,
     R"({"commands":[{"do":"delete_passthrough","at":"mix"}]})",
     {"1 variable kept", "dropped mix.weight", "dropped mix.bias"}},
    {"delete_cascade",
     plain,
     R"({"commands":[{"do":"delete_cascade","node":"square"}]})",
     {"2 removed", "2 variables kept"}},
    {"delete_cascade_of_an_input",
     plain,
     R"({"commands":[{"do":"set_output","name":"w","value":"factor"},{"do":"delete_cascade","node":"x"}]})",
     {"dropped bias", "dropped calls"}},
    {"rewire", plain, R"({"commands":[{"do":"rewire","user":"sum","input":0,"value":"doubled"}]})", {"1 changed"}},
    {"rewire_to_none",
     transformer,
     R"({"commands":[{"do":"add_input","name":"mask","type":"bool[batch, 1, 1, seq]"},
                     {"do":"rewire","user":"encoder/block_1","input":1,"value":"mask"},
                     {"do":"rewire","user":"encoder/block_1","input":1,"value":null}]})",
     {"1 node added", "0 changed"}},
    {"rewires_that_fit_only_together",
     mlp,
     R"({"commands":[{"do":"rewire","user":"act","value":"x"},{"do":"rewire","user":"fc_1","value":"act"},
                     {"do":"rewire","user":"fc_2","value":"fc_1"}]})",
     {"type of act: f32[batch, 8] -> f32[batch, 4]"}},
    {"set_config",
     mlp,
     R"({"commands":[{"do":"set_config","at":"fc_1","attrs":{"units":16}}],"policy":"overlap"})",
     {"type of act: f32[batch, 8] -> f32[batch, 16]", "resized fc_1.weight: f32[4, 8] -> f32[4, 16]",
      "resized fc_2.weight: f32[8, 3] -> f32[16, 3]", "1 variable kept"}},
    {"set_config_drops_a_slot",
     mlp,
     R"({"commands":[{"do":"set_config","at":"fc_1","attrs":{"bias":false}}]})",
     {"dropped fc_1.bias", "3 variables kept"}},
    {"set_config_of_a_plain_op",
     plain,
     R"({"commands":[{"do":"set_config","at":"halves","attrs":{"axis":-1}}]})",
     {"1 changed"}},
    {"set_config_of_an_input",
     mlp,
     R"({"commands":[{"do":"set_config","at":"x","attrs":{"type":{"type":"f32[batch, 5]"}}}]})",
     {"resized fc_1.weight: f32[4, 8] -> f32[5, 8]", "3 variables kept"}},
    {"tied_layers_resized_together",
     tied,
     R"({"commands":[{"do":"set_config","at":"table","attrs":{"count":9}},
                     {"do":"set_config","at":"logits","attrs":{"units":9}}]})",
     {"resized table.weight: f32[6, 4] -> f32[9, 4]"}},
    {"set_constant",
     plain,
     R"({"commands":[{"do":"set_constant","node":"factor","value":{"type":"f32[]","data":"AABAQA=="}}]})",
     {"1 changed"}},
    {"set_constant_that_decides_a_shape",
     plain,
     R"({"commands":[{"do":"set_constant","node":"shape","value":{"type":"i64[2]","data":"AQAAAAAAAAAEAAAAAAAAAA=="}}]})",
     {"type of square: f32[2, 2] -> f32[1, 4]"}},
    {"share",
     mlp,
     R"({"commands":[{"do":"insert_between","value":"act","user":"fc_2","op":"nn.Linear","attrs":{"units":8},"name":"a"},
                     {"do":"insert_between","value":"a","user":"fc_2","op":"nn.Linear","attrs":{"units":8},"name":"b"},
                     {"do":"share","node":"b","slot":"weight","variable":"a.weight"}]})",
     {"new a.weight", "new b.bias"}},
    {"unshare",
     tied,
     R"({"commands":[{"do":"unshare","node":"logits","slot":"weight"}]})",
     {"3 variables kept", "new logits.weight: f32[6, 4]"}},
    {"set_trainable",
     mlp,
     R"({"commands":[{"do":"set_trainable","variable":1,"trainable":false}]})",
     {"4 variables kept"}},
    {"group",
     mlp,
     R"({"commands":[{"do":"group","nodes":["fc_1","act"],"name":"front"}]})",
     {"1 node added, 2 removed, 1 changed", "4 variables kept"}},
    {"ungroup", transformer, R"({"commands":[{"do":"ungroup","node":"encoder/block_1"}]})", {"1 removed"}},
};

INSTANTIATE_TEST_SUITE_P(Commands, EditAccepted, testing::ValuesIn(kAccepted),
                         [](const auto& row) { return std::string(row.param.name); });

struct Refused {
  const char* name;
  Graph (*model)();
  const char* edit;
  ErrorCode code;
  std::vector<const char*> words;
};

void PrintTo(const Refused& row, std::ostream* out) { *out << row.name; }

class EditRefused : public testing::TestWithParam<Refused> {};

TEST_P(EditRefused, SaysWhyAndChangesNothing) {
  const Refused& row = GetParam();
  const Graph graph = row.model();
  const std::string before = to_json(graph);
  const EditOutcome result = outcome(graph, row.edit);
  ASSERT_FALSE(result.report.ok()) << to_text(result.after);
  const UserError& problem = result.report.problems.front();
  EXPECT_EQ(name_of(problem.code()), name_of(row.code)) << problem.what();
  const std::string text = problem.what();
  for (const char* word : row.words) EXPECT_NE(text.find(word), std::string::npos) << word << "\nin\n" << text;
  EXPECT_EQ(to_json(graph), before);
}

const Refused kRefused[] = {
    {"input_name_taken",
     mlp,
     R"({"commands":[{"do":"add_input","name":"x","type":"f32[2]"}]})",
     ErrorCode::duplicate_name,
     {"'x'"}},
    {"unknown_op",
     mlp,
     R"({"commands":[{"do":"add_node","op":"Rellu","inputs":[1]}]})",
     ErrorCode::unknown_op,
     {"Relu", "command 1 (add_node)"}},
    {"variable_as_node",
     mlp,
     R"({"commands":[{"do":"add_node","op":"Variable"}]})",
     ErrorCode::edit_refused,
     {"parameters come with their layers"}},
    {"block_as_node",
     mlp,
     R"({"commands":[{"do":"add_node","op":"Block","inputs":[1]}]})",
     ErrorCode::edit_refused,
     {"group"}},
    {"scope_with_an_empty_part",
     mlp,
     R"({"commands":[{"do":"add_node","op":"Relu","inputs":[1],"scope":"a//b"}]})",
     ErrorCode::bad_name,
     {"'a//b'"}},
    {"unknown_node",
     mlp,
     R"({"commands":[{"do":"set_output","name":"y","value":17}]})",
     ErrorCode::unknown_node,
     {"17"}},
    {"unknown_port",
     mlp,
     R"({"commands":[{"do":"set_output","name":"y","value":["fc_1",2]}]})",
     ErrorCode::bad_index,
     {"output 2 of fc_1"}},
    {"unknown_path",
     mlp,
     R"({"commands":[{"do":"rename","node":"fc1","name":"a"}]})",
     ErrorCode::unknown_scope,
     {"'fc1'", "did you mean 'fc_1'?"}},
    {"output_of_nothing",
     mlp,
     R"({"commands":[{"do":"set_output","name":"y","value":null}]})",
     ErrorCode::missing_input,
     {"output 'y'"}},
    {"unknown_output",
     plain,
     R"({"commands":[{"do":"remove_output","name":"loss"}]})",
     ErrorCode::edit_refused,
     {"one of y, z"}},
    {"last_output",
     mlp,
     R"({"commands":[{"do":"remove_output","name":"y"}]})",
     ErrorCode::edit_refused,
     {"without an output"}},
    {"name_taken",
     mlp,
     R"({"commands":[{"do":"rename","node":2,"name":"act"}]})",
     ErrorCode::duplicate_name,
     {"'act'"}},
    {"layer_without_a_name", mlp, R"({"commands":[{"do":"rename","node":2,"name":""}]})", ErrorCode::bad_name, {}},
    {"replace_changes_the_type",
     mlp,
     R"({"commands":[{"do":"replace_op","at":"fc_1","op":"nn.Linear","attrs":{"units":6}}]})",
     ErrorCode::output_type_changed,
     {"f32[batch, 6]", "f32[batch, 8]", "allow the change of type"}},
    {"replace_needs_more_inputs",
     mlp,
     R"({"commands":[{"do":"replace_op","at":"act","op":"Add"}]})",
     ErrorCode::wrong_input_count,
     {"1 input for op 'Add'", "act"}},
    {"replace_a_leaf",
     plain,
     R"({"commands":[{"do":"replace_op","at":"factor","op":"Relu"}]})",
     ErrorCode::edit_refused,
     {"factor", "which has no inputs", "use 'rewire' to join its users"}},
    {"replace_by_a_leaf",
     mlp,
     R"({"commands":[{"do":"replace_op","at":"act","op":"Constant"}]})",
     ErrorCode::edit_refused,
     {"'Constant'"}},
    {"replace_loses_an_output",
     plain,
     R"({"commands":[{"do":"replace_op","at":"halves","op":"Relu"}]})",
     ErrorCode::edit_refused,
     {"no output 1"}},
    {"replace_with_a_bad_attribute",
     mlp,
     R"({"commands":[{"do":"replace_op","at":"act","op":"LeakyRelu","attrs":{"slope":0.1}}]})",
     ErrorCode::unknown_attribute,
     {"'slope'"}},
    {"insert_where_there_is_no_edge",
     mlp,
     R"({"commands":[{"do":"insert_between","value":"fc_1","user":"fc_2","op":"Relu"}]})",
     ErrorCode::edit_refused,
     {"the edge from %2 to input 0 of fc_2"}},
    {"insert_where_nobody_listens",
     plain,
     R"({"commands":[{"do":"insert_between","value":["halves",0],"op":"Relu"}]})",
     ErrorCode::edit_refused,
     {"which nobody uses"}},
    {"insert_that_does_not_fit",
     mlp,
     R"({"commands":[{"do":"insert_between","value":"act","user":"fc_2","op":"Not"}]})",
     ErrorCode::bad_dtype,
     {"f32 for input", "'Not'"}},
    {"insert_that_breaks_what_follows",
     plain,
     R"({"commands":[{"do":"insert_between","value":"sum","user":"square","op":"Shape"}]})",
     ErrorCode::bad_shape,
     {"square"}},
    {"passthrough_of_a_leaf",
     mlp,
     R"({"commands":[{"do":"delete_passthrough","at":"x"}]})",
     ErrorCode::edit_refused,
     {"x"}},
    {"passthrough_to_no_input",
     mlp,
     R"({"commands":[{"do":"delete_passthrough","at":"act","keep":1}]})",
     ErrorCode::bad_index,
     {"input 1 of act"}},
    {"passthrough_of_a_used_second_output",
     plain,
     R"({"commands":[{"do":"delete_passthrough","at":"halves"}]})",
     ErrorCode::edit_refused,
     {"output 1 is used"}},
    {"cascade_takes_all_outputs",
     mlp,
     R"({"commands":[{"do":"delete_cascade","node":"fc_1"}]})",
     ErrorCode::edit_refused,
     {"fc_1 and all after it", "without an output"}},
    {"rewire_into_a_circle",
     mlp,
     R"({"commands":[{"do":"rewire","user":"fc_1","value":"act"}]})",
     ErrorCode::cycle,
     {"fc_1", "act"}},
    {"rewire_of_a_wrong_type",
     plain,
     R"({"commands":[{"do":"rewire","user":"sum","input":0,"value":"flag"}]})",
     ErrorCode::bad_dtype,
     {"bool", "sum"}},
    {"rewire_of_a_wrong_shape",
     plain,
     R"({"commands":[{"do":"rewire","user":"sum","input":0,"value":["halves",0]}]})",
     ErrorCode::cycle,
     {"sum"}},
    {"rewire_of_a_missing_input",
     mlp,
     R"({"commands":[{"do":"rewire","user":"act","input":1,"value":"x"}]})",
     ErrorCode::bad_index,
     {"input 1 of act"}},
    {"rewire_a_needed_input_to_none",
     mlp,
     R"({"commands":[{"do":"rewire","user":"act","input":0,"value":null}]})",
     ErrorCode::wrong_input_count,
     {"act"}},
    {"config_out_of_range",
     mlp,
     R"({"commands":[{"do":"set_config","at":"fc_1","attrs":{"units":0}}]})",
     ErrorCode::bad_attribute,
     {"'units'", "at least 1"}},
    {"config_unknown",
     mlp,
     R"({"commands":[{"do":"set_config","at":"fc_1","attrs":{"unit":5}}]})",
     ErrorCode::unknown_attribute,
     {"did you mean 'units'?"}},
    {"config_breaks_what_follows",
     transformer,
     R"({"commands":[{"do":"set_config","at":"encoder/block_1","attrs":{"heads":3}}]})",
     ErrorCode::bad_attribute,
     {"3 heads for 8 features", "encoder/block_1"}},
    {"tied_layer_resized_alone",
     tied,
     R"({"commands":[{"do":"set_config","at":"table","attrs":{"count":9}}]})",
     ErrorCode::binding_mismatch,
     {"table.weight", "logits", "resize both layers in one edit"}},
    {"constant_of_another_type",
     plain,
     R"({"commands":[{"do":"set_constant","node":"factor","value":{"type":"f32[1]","data":"AABAQA=="}}]})",
     ErrorCode::type_mismatch,
     {"f32[1]", "f32[]", "set_config"}},
    {"constant_of_no_constant",
     plain,
     R"({"commands":[{"do":"set_constant","node":"sum","value":{"type":"f32[]","data":"AABAQA=="}}]})",
     ErrorCode::edit_refused,
     {"op 'Add'"}},
    {"share_of_another_type",
     mlp,
     R"({"commands":[{"do":"share","node":"fc_2","slot":"weight","variable":"fc_1.weight"}]})",
     ErrorCode::binding_mismatch,
     {"f32[4, 8]", "f32[8, 3]"}},
    {"share_of_an_unknown_slot",
     mlp,
     R"({"commands":[{"do":"share","node":"fc_2","slot":"scale","variable":1}]})",
     ErrorCode::binding_mismatch,
     {"'scale'", "one of weight, bias"}},
    {"share_of_a_plain_op",
     mlp,
     R"({"commands":[{"do":"share","node":"act","slot":"weight","variable":1}]})",
     ErrorCode::binding_mismatch,
     {"has none"}},
    {"share_with_itself",
     mlp,
     R"({"commands":[{"do":"share","node":"fc_1","slot":"weight","variable":1}]})",
     ErrorCode::edit_refused,
     {"its own variable"}},
    {"unknown_variable_name",
     mlp,
     R"({"commands":[{"do":"set_trainable","variable":"fc_1.wait","trainable":false}]})",
     ErrorCode::unknown_variable,
     {"did you mean 'fc_1.weight'?"}},
    {"unshare_of_its_own",
     mlp,
     R"({"commands":[{"do":"unshare","node":"fc_1","slot":"weight"}]})",
     ErrorCode::edit_refused,
     {"is its own already"}},
    {"unshare_of_the_seed",
     transformer,
     R"({"commands":[{"do":"unshare","node":"encoder/block_1","slot":"random.seed"}]})",
     ErrorCode::edit_refused,
     {"all random ops"}},
    {"training_of_a_buffer",
     plain,
     R"({"commands":[{"do":"set_trainable","variable":"calls","trainable":true}]})",
     ErrorCode::edit_refused,
     {"kind buffer"}},
    {"group_of_nothing", mlp, R"({"commands":[{"do":"group","nodes":[]}]})", ErrorCode::edit_refused, {"no nodes"}},
    {"group_with_an_input",
     mlp,
     R"({"commands":[{"do":"group","nodes":["x","fc_1"]}]})",
     ErrorCode::edit_refused,
     {"the input 'x'"}},
    {"group_with_a_hole",
     mlp,
     R"({"commands":[{"do":"group","nodes":["fc_1","fc_2"]}]})",
     ErrorCode::edit_refused,
     {"by act to fc_2"}},
    {"ungroup_of_a_plain_op",
     mlp,
     R"({"commands":[{"do":"ungroup","node":"act"}]})",
     ErrorCode::edit_refused,
     {"a plain op has no parts"}},
    {"ungroup_where_modes_differ",
     convolutional,
     R"({"commands":[{"do":"ungroup","node":"norm"}]})",
     ErrorCode::edit_refused,
     {"differs between training and evaluation"}},
};

INSTANTIATE_TEST_SUITE_P(Commands, EditRefused, testing::ValuesIn(kRefused),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(Edit, LaterCommandsNameWhatEarlierOnesMade) {
  const Graph graph = after(mlp(), R"({"commands":[{"do":"add_node","op":"Tanh","inputs":["fc_1"]},
                                                   {"do":"rewire","user":"fc_2","value":5}]})");
  EXPECT_EQ(graph.node(NodeId{5}).op->name, "Tanh");
  EXPECT_EQ(graph.node(graph.find_node("fc_2")).inputs.front(), (Value{NodeId{5}, 0}));
}

TEST(Edit, IsAllOrNothing) {
  const Graph graph = mlp();
  const EditOutcome result = outcome(graph, R"({"commands":[{"do":"replace_op","at":"act","op":"Gelu"},
                                                            {"do":"delete_cascade","node":"fc_1"}]})");
  ASSERT_FALSE(result.report.ok());
  EXPECT_NE(std::string(result.report.problems.front().what()).find("command 2 (delete_cascade)"), std::string::npos);
  EXPECT_EQ(graph, mlp());
}

TEST(Edit, RenameCarriesTheVariables) {
  const Graph graph = after(mlp(), R"({"commands":[{"do":"rename","node":"fc_1","name":"first"}]})");
  EXPECT_EQ(graph.find_variable("first.weight"), mlp().find_variable("fc_1.weight"));
  EXPECT_FALSE(graph.find_variable("fc_1.weight"));
}

// A variable that a layer shares with a plain read grows for both, though the read comes first.
TEST(Edit, ReadsFollowALayerThatResizesTheirVariable) {
  Graph graph("read_first");
  const Tensor x = graph.input("x", {DType::f32, {Dim::symbol("batch"), 4}});
  const Tensor bias = graph.parameter("bias", {DType::f32, {3}}, Initializer::zeros());
  graph.set_output("z", add_named(graph, "Exp", {bias}, {}, "exp"));
  graph.set_output("y", add_named(graph, "nn.Linear", {x}, {{"units", 3}}, "fc"));
  const Graph edited = after(graph, R"({"commands":[{"do":"share","node":"fc","slot":"bias","variable":"bias"},
                                                    {"do":"set_config","at":"fc","attrs":{"units":5}}]})");
  EXPECT_EQ(edited.type(edited.find_output("z")->value).to_string(), "f32[5]");
}

TEST(Edit, VariableNobodyUsedBeforeStays) {
  Graph graph = mlp();
  const VarId spare = graph.add_variable({.id = {}, .name = "spare", .type = {DType::f32, {2}}, .init = {}});
  EXPECT_TRUE(after(graph, R"({"commands":[{"do":"delete_passthrough","at":"act"}]})").has(spare));
}

}  // namespace
}  // namespace asg::test
