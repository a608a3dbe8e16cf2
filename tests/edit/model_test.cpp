// The model: apply, undo, redo, replay. Ids are never used twice.
#include "asg/graph/model.h"

#include <gtest/gtest.h>

#include "asg/graph/json.h"
#include "asg/nn/nn.h"
#include "edit/models.h"

namespace asg::test {
namespace {

Edit edit(const char* json) { return edit_from_json(json); }

constexpr const char* kInsert =
    R"({"commands":[{"do":"insert_between","value":"act","user":"fc_2","op":"nn.Linear","attrs":{"units":8},"name":"mid"}]})";
constexpr const char* kWiden = R"({"commands":[{"do":"set_config","at":"fc_1","attrs":{"units":12}}]})";
constexpr const char* kBadModel = R"({"commands":[{"do":"delete_cascade","node":"fc_1"}]})";

TEST(Model, RefusedEditThrowsAndChangesNothing) {
  Model model(mlp());
  EXPECT_THROW(model.apply(edit(kBadModel)), UserError);
  EXPECT_EQ(model.graph(), mlp());
  EXPECT_TRUE(model.journal().empty());
  EXPECT_FALSE(model.can_undo());
  EXPECT_EQ(model.graph().next_node_id(), mlp().next_node_id());
}

TEST(Model, UndoRestoresTheSameIds) {
  Model model(mlp());
  const std::string before = to_json(model.graph());
  model.apply(edit(kInsert));
  const std::string inserted = to_json(model.graph());
  model.apply(edit(kWiden));
  model.undo();
  EXPECT_EQ(to_json(model.graph()), inserted);
  const EditReport report = model.undo();
  EXPECT_EQ(to_json(model.graph()), before);
  EXPECT_EQ(report.removed, std::vector<NodeId>{NodeId{5}});
  EXPECT_EQ(report.changed, std::vector<NodeId>{NodeId{4}});
}

TEST(Model, RedoGivesBackWhatWasUndone) {
  Model model(mlp());
  model.apply(edit(kInsert));
  const std::string inserted = to_json(model.graph());
  model.undo();
  model.redo();
  EXPECT_EQ(to_json(model.graph()), inserted);
  EXPECT_FALSE(model.can_redo());
}

TEST(Model, NewEditAfterUndoClosesTheOtherWay) {
  Model model(mlp());
  model.apply(edit(kInsert));
  model.undo();
  model.apply(edit(kWiden));
  EXPECT_FALSE(model.can_redo());
}

TEST(Model, IdsAreNotUsedTwice) {
  Model model(mlp());
  model.apply(edit(kInsert));
  const NodeId first = model.graph().find_node("mid");
  const VarId weight = model.graph().find_variable("mid.weight");
  model.undo();
  model.apply(edit(kInsert));
  EXPECT_GT(model.graph().find_node("mid"), first);
  EXPECT_GT(model.graph().find_variable("mid.weight"), weight);
}

TEST(Model, ReplayGivesTheSameGraph) {
  Model model(mlp());
  model.apply(edit(kInsert));
  model.undo();
  model.apply(edit(kWiden));
  model.undo();
  model.redo();
  model.apply(edit(kInsert));
  const Model again = Model::replay(mlp(), model.journal());
  EXPECT_EQ(to_json(again.graph()), to_json(model.graph()));
  EXPECT_EQ(model.first(), mlp());
}

TEST(Model, NothingToUndo) {
  Model model(mlp());
  for (EditReport (Model::*step)() : {&Model::undo, &Model::redo}) {
    try {
      (model.*step)();
      ADD_FAILURE() << "there was nothing";
    } catch (const UserError& error) {
      EXPECT_EQ(error.code(), ErrorCode::nothing_to_undo);
    }
  }
}

}  // namespace
}  // namespace asg::test
