// Models of the zoo are made for the data that they shall learn from, or it is said what would do.
#include <gtest/gtest.h>

#include "asg/recipe/recipe.h"
#include "asg/zoo/zoo.h"

namespace asg::recipe {
namespace {

Prepared prepared_with(const std::string& model, const std::string& data) {
  const std::vector<std::string> changes = {"model.zoo='" + model + "'", "data.name='" + data + "'", "data.length=16"};
  return prepare(read_recipe("", Format::toml, changes));
}

std::string refusal_of(const std::string& model, const std::string& data) {
  try {
    prepared_with(model, data);
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

bool reads_texts(const zoo::Model& model) { return model.find_setting("vocabulary") != nullptr; }

TEST(ZooForData, EveryModelOfPicturesFitsSmallDigits) {
  int models = 0;
  for (const zoo::Model& model : zoo::models()) {
    if (reads_texts(model)) continue;
    ++models;
    const Prepared prepared = prepared_with(model.name, "digits");
    const Graph& graph = prepared.spec.model;
    EXPECT_EQ(graph.type({graph.find_node("features"), 0}).to_string(), "f32[batch, 8, 8]") << model.name;
    EXPECT_EQ(graph.type(graph.find_output("logits")->value).to_string(), "f32[batch, 10]") << model.name;
  }
  EXPECT_GE(models, 8);
}

TEST(ZooForData, EveryModelOfTextsAsksForOne) {
  int models = 0;
  for (const zoo::Model& model : zoo::models()) {
    if (!reads_texts(model)) continue;
    ++models;
    const std::string refusal = refusal_of(model.name, "digits");
    EXPECT_NE(refusal.find("--data moby-dick"), std::string::npos) << refusal;
  }
  EXPECT_GE(models, 8);
  EXPECT_NE(refusal_of("lenet", "moby-dick").find("--data digits"), std::string::npos);
}

TEST(ZooForData, ASmallModelOfTextsLearnsABook) {
  const Prepared prepared = prepared_with("llama_tiny", "moby-dick");
  const Graph& graph = prepared.spec.model;
  EXPECT_EQ(graph.type({graph.find_node("tokens"), 0}).to_string(), "i64[batch, length]");
}

TEST(ZooForData, WhatTheRecipeSetsStays) {
  const std::vector<std::string> changes = {"model.zoo='lenet'", "model.padding=6", "data.name='digits'"};
  const Prepared prepared = prepare(read_recipe("", Format::toml, changes));
  const Graph& graph = prepared.spec.model;
  EXPECT_EQ(graph.type({graph.find_node("conv_1"), 0}).to_string(), "f32[batch, 6, 16, 16]");
}

TEST(ZooForData, ExamplesOfAnotherShapeAreRefusedBeforeAnythingStarts) {
  const Recipe recipe = read_recipe("[data]\nname = 'digits'\n", Format::toml);
  const auto large = [] { return zoo::build("lenet"); };
  try {
    prepare(recipe, large);
    FAIL() << "8×8 for 28×28";
  } catch (const UserError& error) {
    EXPECT_EQ(error.code(), ErrorCode::bad_shape);
    EXPECT_NE(std::string(error.what()).find("[8, 8]"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("f32[batch, 1, 28, 28]"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace asg::recipe
