#include "asg/lab/roles.h"

#include <set>

#include <gtest/gtest.h>

#include "asg/nn/nn.h"
#include "asg/zoo/zoo.h"
#include "lab/scene_models.h"

namespace asg::lab {
namespace {

Sentence role_of(const Graph& model, std::string_view variable) {
  return Roles(model).of(model.find_variable(variable));
}

struct RoleCase {
  const char* model;
  const char* variable;
  Sentence role;
};

TEST(Roles, AreToldInBothLanguages) {
  const std::vector<RoleCase> cases = {
      {"gpt2",
       "block_3.attention.query_projection.weight",
       {"query projection of block 3", "проекция запросов блока 3"}},
      {"gpt2",
       "block_3.attention.query_projection.bias",
       {"bias of the query projection of block 3", "смещение проекции запросов блока 3"}},
      {"gpt2",
       "block_2.norm_1.scale",
       {"scale γ of the norm before attention of block 2", "масштаб γ нормализации перед вниманием блока 2"}},
      {"gpt2",
       "block_2.norm_2.bias",
       {"shift β of the norm before the feed-forward part of block 2",
        "сдвиг β нормализации перед полносвязной частью блока 2"}},
      {"gpt2",
       "block_0.feed_forward.expand.weight",
       {"expanding layer of the feed-forward part of block 0", "расширяющий слой полносвязной части блока 0"}},
      {"gpt2",
       "token.weight",
       {"token embedding; also weights of the output layer", "вложения токенов; также веса выходного слоя"}},
      {"gpt2", "position.weight", {"learned positions", "обучаемые позиции"}},
      {"gpt2", "norm.scale", {"scale γ of the final norm", "масштаб γ последней нормализации"}},
      {"llama",
       "block_1.feed_forward.gate.weight",
       {"gate of the feed-forward part of block 1", "вентиль полносвязной части блока 1"}},
      {"resnet18",
       "layer_2/block_0.shortcut_conv.weight",
       {"filters of the shortcut convolution of block 0 of stage 2",
        "фильтры свёртки обходного пути блока 0 ступени 2"}},
      {"resnet18",
       "layer_1/block_1.norm_2.running_mean",
       {"running mean of the norm after convolution 2 of block 1 of stage 1",
        "накопленное среднее нормализации после свёртки 2 блока 1 ступени 1"}},
      {"resnet18", "stem/conv.weight", {"filters of the convolution of the stem", "фильтры свёртки входной части"}},
      {"resnet18", "head.bias", {"bias of the output layer", "смещение выходного слоя"}},
      {"vit", "embed.patches.weight", {"patch embedding", "вложение фрагментов"}},
      {"vit", "embed.class_token", {"class token", "токен класса"}},
      {"lenet", "conv_1.weight", {"filters of convolution 1", "фильтры свёртки 1"}},
      {"lenet", "linear_2.bias", {"bias of linear layer 2", "смещение линейного слоя 2"}},
      {"mobilenet_v2",
       "block_3.depthwise_conv.weight",
       {"filters of the depthwise convolution of block 3", "фильтры поканальной свёртки блока 3"}}};
  for (const test::SmallModel& model : test::small_models()) {
    for (const RoleCase& each : cases) {
      if (model.name != each.model) continue;
      ASSERT_TRUE(model.graph.find_variable(each.variable)) << each.variable;
      const Sentence role = role_of(model.graph, each.variable);
      EXPECT_EQ(role.en, each.role.en);
      EXPECT_EQ(role.ru, each.role.ru);
    }
  }
}

TEST(Roles, KnowEveryVariableOfTheZoo) {
  for (const zoo::Model& model : zoo::models()) {
    const Graph graph = model.build({});
    const Roles roles(graph);
    std::set<std::string> english, russian;
    for (const VarId id : graph.variable_ids()) {
      bool generic = false;
      const Sentence role = roles.of(id, &generic);
      EXPECT_FALSE(generic) << model.name << ": " << graph.variable(id).name << ": " << role.en;
      EXPECT_TRUE(english.insert(role.en).second) << model.name << " has two of: " << role.en;
      EXPECT_TRUE(russian.insert(role.ru).second) << model.name << ": " << role.ru;
      EXPECT_EQ(role.en.find('{'), std::string::npos) << role.en;
      EXPECT_EQ(role.ru.find('{'), std::string::npos) << role.ru;
    }
  }
}

TEST(Roles, FollowTheOrderOfNormAndAttention) {
  Graph graph;
  const Tensor x = graph.input("x", {DType::f32, {2, 4, 8}});
  graph.set_output("y", nn::transformer_block(x, 2, 16, {.norm_first = false, .name = "block_1"}));
  EXPECT_EQ(role_of(graph, "block_1.norm_1.scale"), (Sentence{"scale γ of the norm after attention of block 1",
                                                              "масштаб γ нормализации после внимания блока 1"}));
}

TEST(Roles, AdmitWhatTheyDoNotKnow) {
  Graph graph;
  const Tensor x = graph.input("x", {DType::f32, {3}});
  graph.set_output("y", x * graph.parameter("<temperature>", {DType::f32, {}}, Initializer::ones()));
  bool generic = false;
  const Sentence role = Roles(graph).of(graph.find_variable("<temperature>"), &generic);
  EXPECT_TRUE(generic);
  EXPECT_NE(role.en.find("<temperature>"), std::string::npos);
  EXPECT_NE(role.ru.find("<temperature>"), std::string::npos);
}

}  // namespace
}  // namespace asg::lab
