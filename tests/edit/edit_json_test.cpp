// Edits and models as JSON.
#include <algorithm>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "asg/graph/json.h"
#include "asg/graph/model.h"
#include "asg/nn/nn.h"
#include "edit/models.h"

namespace asg::test {
namespace {

Edit every_command() {
  using namespace edits;
  const Value value{NodeId{2}, 0};
  const Value second{NodeId{3}, 1};
  return {{AddInput{"x", {DType::f32, {Dim::symbol("batch"), 4}}},
           AddNode{"Resize", {value, ValueRef{}, second, "a/b"}, {{"mode", "linear"}, {"size", 2.5}}, "n", "s"},
           SetOutput{"y", ValueRef{"encoder/fc", 1}}, RemoveOutput{"z"}, Rename{"a", "b"},
           ReplaceOp{{NodeId{12}, {"feed_forward", "activation"}}, "Gelu", {{"axis", -1}}, true},
           InsertBetween{value, NodeId{4}, 1, "nn.Dropout", {{"ratio", 0.5}}, "drop", {second}},
           InsertBetween{.value = value, .op = "Relu"}, DeletePassthrough{{"encoder/act"}, 1}, DeleteCascade{NodeId{7}},
           Rewire{NodeId{5}, 2, ValueRef{}},
           SetConfig{{NodeId{3}}, {{"units", 8}, {"kernel", std::vector<std::int64_t>{3, 3}}}},
           SetConstant{NodeId{6}, Array::of<float>({2}, {1.5f, -2})}, Share{NodeId{2}, "weight", VarId{3}},
           Share{"logits", "weight", "table.weight"}, Unshare{NodeId{2}, "weight"}, SetTrainable{VarId{1}, false},
           Group{{NodeId{1}, NodeId{2}, "act"}, "block"}, Ungroup{"block"}},
          ResizePolicy::overlap};
}

TEST(EditJson, EveryCommandReadsBackAsItWasWritten) {
  const std::string text = to_json(every_command());
  EXPECT_EQ(to_json(edit_from_json(text)), text);
  std::vector<bool> met(std::variant_size_v<Command>, false);
  for (const Command& command : edit_from_json(text).commands) met[command.index()] = true;
  EXPECT_EQ(std::count(met.begin(), met.end(), false), 0);
}

TEST(EditJson, IsWhatPeopleWrite) {
  const Edit edit = {{edits::ReplaceOp{{NodeId{12}, {"feed_forward", "activation"}}, "Gelu"}}, ResizePolicy::preserve};
  EXPECT_EQ(nlohmann::json::parse(to_json(edit)), nlohmann::json::parse(R"({"policy":"preserve","commands":[
      {"do":"replace_op","at":{"node":12,"inside":["feed_forward","activation"]},"op":"Gelu"}]})"));
  EXPECT_EQ(to_json(edit_from_json(R"({"commands":[]})")), to_json(Edit{}));
}

struct Bad {
  const char* name;
  const char* text;
  ErrorCode code;
  std::vector<const char*> words;
};

const Bad kBad[] = {
    {"truncated", R"({"commands":[)", ErrorCode::bad_json, {}},
    {"not_an_object", R"([1])", ErrorCode::bad_command, {"[1]", "commands"}},
    {"no_commands", R"({"policy":"fresh"})", ErrorCode::bad_command, {"without the field 'commands'"}},
    {"unknown_policy",
     R"({"commands":[],"policy":"keep"})",
     ErrorCode::bad_command,
     {"\"keep\"", "\"preserve\"", "/policy"}},
    {"unknown_part", R"({"commands":[],"comment":"x"})", ErrorCode::bad_command, {"'comment'"}},
    {"commands_no_list", R"({"commands":{}})", ErrorCode::bad_command, {"a list"}},
    {"command_no_object", R"({"commands":["undo"]})", ErrorCode::bad_command, {"\"undo\"", "'do'", "/commands/0"}},
    {"no_name", R"({"commands":[{"at":1}]})", ErrorCode::bad_command, {"without its name"}},
    {"unknown_command",
     R"({"commands":[{"do":"replace","at":1}]})",
     ErrorCode::bad_command,
     {"'replace'", "replace_op"}},
    {"misspelt_command",
     R"({"commands":[{"do":"set_confg","at":1}]})",
     ErrorCode::bad_command,
     {"did you mean 'set_config'?"}},
    {"missing_field",
     R"({"commands":[{"do":"rename","node":1}]})",
     ErrorCode::bad_command,
     {"without the field 'name'"}},
    {"unknown_field",
     R"({"commands":[{"do":"ungroup","node":1,"deep":true}]})",
     ErrorCode::bad_command,
     {"'deep'", "do, node"}},
    {"misspelt_field",
     R"({"commands":[{"do":"rewire","usr":1,"user":2,"value":3}]})",
     ErrorCode::bad_command,
     {"did you mean 'user'?"}},
    {"number_for_text",
     R"({"commands":[{"do":"rename","node":1,"name":7}]})",
     ErrorCode::bad_command,
     {"/commands/0/name", "a text"}},
    {"text_for_bool",
     R"({"commands":[{"do":"set_trainable","variable":1,"trainable":"no"}]})",
     ErrorCode::bad_command,
     {"true or false"}},
    {"negative_id", R"({"commands":[{"do":"ungroup","node":-1}]})", ErrorCode::bad_command, {"-1", "the id of a node"}},
    {"huge_id", R"({"commands":[{"do":"ungroup","node":4294967296}]})", ErrorCode::bad_command, {"the id of a node"}},
    {"empty_path", R"({"commands":[{"do":"ungroup","node":""}]})", ErrorCode::bad_command, {"path"}},
    {"real_port",
     R"({"commands":[{"do":"set_output","name":"y","value":[1,0.5]}]})",
     ErrorCode::bad_command,
     {"/commands/0/value/1"}},
    {"three_part_value",
     R"({"commands":[{"do":"set_output","name":"y","value":[1,0,2]}]})",
     ErrorCode::bad_command,
     {"[node, output]"}},
    {"inputs_no_list",
     R"({"commands":[{"do":"add_node","op":"Relu","inputs":1}]})",
     ErrorCode::bad_command,
     {"a list"}},
    {"unknown_part_of_a_place",
     R"({"commands":[{"do":"set_config","at":{"node":1,"in":[]},"attrs":{}}]})",
     ErrorCode::bad_command,
     {"'in'", "inside"}},
    {"bad_type",
     R"({"commands":[{"do":"add_input","name":"x","type":"f33[2]"}]})",
     ErrorCode::bad_dtype,
     {"/commands/0/type"}},
    {"bad_attribute_value",
     R"({"commands":[{"do":"set_config","at":1,"attrs":{"a":{"b":1}}}]})",
     ErrorCode::bad_json,
     {"/commands/0/attrs"}},
    {"bad_tensor",
     R"({"commands":[{"do":"set_constant","node":1,"value":{"type":"f32[2]","data":"AA=="}}]})",
     ErrorCode::bad_json,
     {"/commands/0/value"}},
};

TEST(EditJson, RefusesWhatItDoesNotUnderstand) {
  for (const Bad& row : kBad) {
    try {
      edit_from_json(row.text);
      ADD_FAILURE() << row.name << " was accepted";
    } catch (const UserError& error) {
      EXPECT_EQ(name_of(error.code()), name_of(row.code)) << row.name << ": " << error.what();
      const std::string text = error.what();
      for (const char* word : row.words) {
        EXPECT_NE(text.find(word), std::string::npos) << row.name << ": " << word << "\nin\n" << text;
      }
    }
  }
}

TEST(ModelJson, ReadsBackWithItsJournal) {
  Model model(tied());
  model.apply(
      edit_from_json(R"({"commands":[{"do":"insert_between","value":"mix","op":"nn.Dropout","name":"drop"}]})"));
  model.apply(edit_from_json(R"({"policy":"overlap","commands":[{"do":"delete_passthrough","at":"drop"}]})"));
  model.undo();
  model.apply(edit_from_json(R"({"commands":[{"do":"group","nodes":["table","mix"],"name":"front"}]})"));
  model.undo();
  model.redo();
  Model read = Model::from_json(model.to_json());
  EXPECT_EQ(read.graph(), model.graph());
  EXPECT_EQ(to_json(read.graph()), to_json(model.graph()));
  EXPECT_EQ(read.to_json(), model.to_json());
  EXPECT_EQ(read.graph().next_node_id(), model.graph().next_node_id());
  EXPECT_EQ(read.graph().next_variable_id(), model.graph().next_variable_id());
  while (read.can_undo()) read.undo();
  EXPECT_EQ(to_json(read.graph()), to_json(tied()));
}

const Bad kBadModels[] = {
    {"truncated", R"({"format":"asg-model")", ErrorCode::bad_json, {}},
    {"another_format", R"({"format":"asg-graph","version":1})", ErrorCode::bad_json, {"asg-model"}},
    {"no_version", R"({"format":"asg-model"})", ErrorCode::bad_json, {"/version"}},
    {"newer", R"({"format":"asg-model","version":99})", ErrorCode::unsupported_version, {"99"}},
    {"unknown_field", R"({"format":"asg-model","version":1,"nodes":[]})", ErrorCode::bad_json, {"'nodes'"}},
    {"no_journal", R"({"format":"asg-model","version":1})", ErrorCode::bad_json, {"/journal"}},
    {"no_graph", R"({"format":"asg-model","version":1,"journal":[]})", ErrorCode::bad_json, {"/graph"}},
};

TEST(ModelJson, RefusesWhatItDoesNotUnderstand) {
  for (const Bad& row : kBadModels) {
    try {
      Model::from_json(row.text);
      ADD_FAILURE() << row.name << " was accepted";
    } catch (const UserError& error) {
      EXPECT_EQ(name_of(error.code()), name_of(row.code)) << row.name << ": " << error.what();
      const std::string text = error.what();
      for (const char* word : row.words) EXPECT_NE(text.find(word), std::string::npos) << row.name << ": " << text;
    }
  }
}

TEST(ModelJson, RefusesCountersAndJournalsThatDoNotFit) {
  const std::string good = Model(mlp()).to_json();
  const auto with = [&good](const std::string& from, const std::string& to) {
    std::string text = good;
    text.replace(text.find(from), from.size(), to);
    return text;
  };
  EXPECT_THROW(Model::from_json(with("\"next_node\":5", "\"next_node\":4000000000")), UserError);
  EXPECT_THROW(Model::from_json(with("\"next_variable\":5", "\"next_variable\":-1")), UserError);
  EXPECT_THROW(Model::from_json(with("\"journal\":[]", "\"journal\":[\"undo\"]")), UserError);
  EXPECT_THROW(Model::from_json(with("\"journal\":[]", "\"journal\":[7]")), UserError);
}

}  // namespace
}  // namespace asg::test
