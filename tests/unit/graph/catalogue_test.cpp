#include "asg/graph/catalogue.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace asg {
namespace {

OpCard wave() {
  OpCard card;
  card.name = "Wave";
  card.category = Category::maths;
  card.inputs = {{.name = "x", .words = {"where to look", "где смотреть"}},
                 {.name = "shift", .dtypes = kInt64, .type = "", .kind = PortKind::optional}};
  card.outputs = {{.name = "y", .words = {"its height", "её высота"}}};
  card.attributes = {{.name = "form",
                      .kind = AttrKind::text,
                      .fallback = Attr("sine"),
                      .choices = {Attr("sine"), Attr("saw")},
                      .words = {"which curve", "какая кривая"}},
                     {.name = "period", .kind = AttrKind::real, .least = 0.5}};
  card.gradient_reason = "nobody asked";
  card.onnx = {{.op = "Sin", .since = 7}};
  card.torch = "torch.sin";
  card.peer_differences = {{{"crest"}, "the crest is flat"}};
  card.words = {.what = {"The height of a wave at every place.", "Высота волны в каждой точке."},
                .formula = R"(y = \sin \frac{x}{p})",
                .why = {"Sounds are sums of waves.", "Звуки — это суммы волн."}};
  return card;
}

TEST(Describe, TellsEverythingInEnglish) {
  EXPECT_EQ(describe(wave(), Lang::en),
            "Wave\n"
            "The height of a wave at every place.\n"
            "\n"
            "  y = sin (x / p)\n"
            "\n"
            "Why\n"
            "  Sounds are sums of waves.\n"
            "\n"
            "Inputs\n"
            "  x      T: f32, f64, f16, bf16\n"
            "         where to look\n"
            "  shift  i64; optional\n"
            "\n"
            "Attributes\n"
            "  form    text = \"sine\"; one of \"sine\", \"saw\"\n"
            "          which curve\n"
            "  period  real; required; at least 0.5\n"
            "\n"
            "Outputs\n"
            "  y  T: f32, f64, f16, bf16\n"
            "     its height\n"
            "\n"
            "Category    Mathematical functions\n"
            "Gradient    none: nobody asked\n"
            "ONNX        Sin (since opset 7)\n"
            "PyTorch     torch.sin; differs: the crest is flat\n"
            "Test cases  0, of them refused 0\n");
}

TEST(Describe, SpeaksRussian) {
  const std::string text = describe(wave(), Lang::ru);
  for (const char* part : {"Высота волны", "Зачем", "Входы", "необязательный", "одно из", "Градиент"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part;
  }
}

TEST(Describe, KeepsToTheWidth) {
  OpCard card = wave();
  card.words.what = {"one two three four five six seven eight nine ten", "раз два три четыре пять шесть семь восемь"};
  EXPECT_NE(describe(card, Lang::en, 20).find("one two three four\nfive six seven eight\nnine ten\n"),
            std::string::npos);
  EXPECT_NE(describe(card, Lang::ru, 20).find("раз два три четыре\nпять шесть семь\nвосемь\n"), std::string::npos);
}

TEST(Catalogue, HoldsWhatAPaletteNeeds) {
  const OpCard card = wave();
  const OpCard* const ops[] = {&card};
  const nlohmann::json page = nlohmann::json::parse(catalogue_json(ops));
  EXPECT_EQ(page.at("version"), 1);
  ASSERT_EQ(page.at("ops").size(), 1u);
  const nlohmann::json& op = page.at("ops").at(0);
  EXPECT_EQ(op.at("name"), "Wave");
  EXPECT_EQ(op.at("category"), "maths");
  EXPECT_EQ(op.at("inputs").at(1).at("kind"), "optional");
  EXPECT_EQ(op.at("inputs").at(1).at("dtypes"), nlohmann::json({"i64"}));
  EXPECT_EQ(op.at("attributes").at(0).at("default"), "sine");
  EXPECT_EQ(op.at("attributes").at(0).at("choices"), nlohmann::json({"sine", "saw"}));
  EXPECT_EQ(op.at("attributes").at(1).at("required"), true);
  EXPECT_EQ(op.at("attributes").at(1).at("least"), 0.5);
  EXPECT_EQ(op.at("what").at("ru"), "Высота волны в каждой точке.");
  EXPECT_EQ(op.at("gradient").at("reason"), "nobody asked");
  EXPECT_EQ(op.at("peer_differences").at(0).at("samples"), nlohmann::json({"crest"}));
  EXPECT_NE(op.at("formula").at("mathml").get<std::string>().find("<math"), std::string::npos);
}

TEST(Languages, AreTwo) {
  EXPECT_EQ(parse_lang("en"), Lang::en);
  EXPECT_EQ(parse_lang("ru"), Lang::ru);
  EXPECT_FALSE(parse_lang("de"));
  EXPECT_EQ(in_language({"only", ""}, Lang::ru), "only");
}

}  // namespace
}  // namespace asg
