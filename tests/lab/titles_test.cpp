// Words for people: the titles of ops, and what may take the place of an activation.
#include "lab/titles.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "asg/graph/registry.h"
#include "asg/lab/describe.h"
#include "asg/ops/ops.h"
#include "lab/scene_models.h"
#include "ops/cards.h"

namespace asg::lab {
namespace {

bool is_russian(std::string_view text) {
  const auto in_cyrillic = [](char letter) { return letter == '\xD0' || letter == '\xD1'; };
  return std::any_of(text.begin(), text.end(), in_cyrillic) || text == "softmax";
}

TEST(Titles, ExistForEveryBuiltInOpInBothLanguages) {
  std::set<std::string_view> ops;
  for (const OpCard* card : asg::test::cards_under_test()) {
    const Sentence title = title_of_op(card->name);
    EXPECT_NE(title.en, card->name) << "no title";
    EXPECT_TRUE(is_russian(title.ru)) << card->name << ": " << title.ru;
    EXPECT_LE(title.en.size(), 40U) << title.en;
    EXPECT_FALSE(title.en.ends_with('.') || title.ru.ends_with('.')) << title.en;
    ops.insert(card->name);
  }
  for (const auto rows : {op_titles(), layer_titles()}) {
    for (const TitleRow& row : rows) EXPECT_TRUE(ops.contains(row.op)) << row.op << " is no op";
  }
  EXPECT_EQ(ops.size(), op_titles().size() + layer_titles().size());
}

TEST(Titles, AreTheNamesOfOpsThatNobodyGaveAny) {
  EXPECT_EQ(title_of_op("users.Own"), (Sentence{"users.Own", "users.Own"}));
}

TEST(Titles, TellWhoseGradientAScopeIs) {
  const Graph model = test::small_gpt(2);
  const Scene step = Scene::of_step(model, test::step_of(model));
  EXPECT_EQ(describe(step, "forward/block_1/attention").title, title_of_op("nn.MultiHeadAttention"));
  const Sentence gradient = describe(step, "gradient/block_1/attention").title;
  EXPECT_EQ(gradient, (Sentence{"gradient: multi-head attention", "градиент: многоголовое внимание"}));
  EXPECT_EQ(describe(step, "gradient").title, (Sentence{"gradient", "градиент"}));
  EXPECT_FALSE(describe(step, "gradient/block_1/attention").formula.empty());
  EXPECT_EQ(describe(step, "update/check/block_1/norm_1").title.en, "check of gradients: layer norm");
}

// ---- Replacements

Description described_activation(const char* op, Attrs attrs = {}) {
  Graph graph;
  const Tensor x = graph.input("x", {DType::f32, {2, 3}});
  graph.set_output("y", add_op(op, {x}, std::move(attrs)).named("bend"));
  return describe(Scene::of_model(graph), "bend");
}

TEST(Replacements, OfAnActivationAreActivationsInAUsefulOrder) {
  const Description relu = described_activation("Relu");
  std::vector<std::string> ops;
  for (const Description::Replacement& each : relu.replacements) ops.push_back(each.op);
  EXPECT_EQ(ops, (std::vector<std::string>{"Gelu", "Silu", "Sigmoid", "Tanh", "LeakyRelu", "Elu", "Softplus", "Mish",
                                           "HardSwish", "HardSigmoid", "Selu", "Celu", "Softsign", "ThresholdedRelu",
                                           "Shrink", "Identity"}));
  EXPECT_EQ(relu.replacements.front().title, title_of_op("Gelu"));
  EXPECT_TRUE(relu.why_not.empty());
  EXPECT_EQ(described_activation("Tanh").replacements.front().op, "Relu");
}

TEST(Replacements, SayWhyThereAreNone) {
  struct Case {
    const char* op;
    Attrs attrs;
    const char* reason;
  };
  const std::vector<Case> cases = {{"Softmax", {}, "along an axis"},
                                   {"LogSoftmax", {}, "along an axis"},
                                   {"Hardmax", {}, "along an axis"},
                                   {"Clip", {}, "no plain activation"},
                                   {"Transpose", {}, "No other op does what Transpose does"},
                                   {"nn.Linear", {{"units", 3}}, "by its settings"}};
  for (const Case& each : cases) {
    const Description description = described_activation(each.op, each.attrs);
    EXPECT_TRUE(description.replacements.empty()) << each.op;
    EXPECT_NE(description.why_not.en.find(each.reason), std::string::npos) << each.op << ": " << description.why_not.en;
    EXPECT_TRUE(is_russian(description.why_not.ru)) << description.why_not.ru;
  }
}

}  // namespace
}  // namespace asg::lab
