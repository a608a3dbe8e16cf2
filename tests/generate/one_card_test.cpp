// What follows from one card in one file (tests/fixtures/one_card), without another edit.
#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "asg/core/platform.h"
#include "asg/graph/catalogue.h"
#include "asg/graph/registry.h"
#include "asg/ops/ops.h"  // its builders come from the build folder
#include "fixtures/one_card/cards.h"
#include "support/run_op.h"

namespace asg::test {
namespace {

const OpCard& new_op() { return *register_one_card().at(0); }

std::string generated(const std::string& path) { return platform::read_file(ASG_GENERATED_DIR "/" + path); }

TEST(OneCard, GivesATypedBuilderThatRuns) {
  new_op();
  Graph graph;
  const Tensor x = graph.input("x", {DType::f64, {Dim(3)}});
  const Tensor y = softsign_test(softsign_test(x), {.scale = 2.0});
  graph.set_output("y", y);
  EXPECT_EQ(y.type().to_string(), "f64[3]");
  const std::vector<Array> inputs = {Array::of<double>({3}, {-1, 0, 3})};
  const Array result = run_graph(graph, inputs).at(0);
  EXPECT_DOUBLE_EQ(result.get(0), -0.5 / 2.5);
  EXPECT_DOUBLE_EQ(result.get(1), 0);
  EXPECT_DOUBLE_EQ(result.get(2), 0.75 / 2.75);
}

TEST(OneCard, GivesABuilderWithWords) {
  const std::string header = generated("include/asg/ops/generated/activation.h");
  EXPECT_NE(header.find("struct SoftsignTestOptions {\n"
                        "  // where the curve reaches one half\n"
                        "  double scale = 1.0;\n"
                        "};\n"),
            std::string::npos)
      << header;
  EXPECT_NE(header.find("// Squeezes numbers into (-1, 1), more gently than tanh.\n"), std::string::npos);
}

TEST(OneCard, GivesAPageInBothLanguagesAndARowInTheIndex) {
  const std::string page = generated("docs/ops/SoftsignTest.md");
  for (const char* part : {"# SoftsignTest", "more gently than tanh", "мягче, чем tanh", "| `scale` |",
                           "torch.nn.functional.softsign", "Softsign (since opset 1)", "Tensor softsign_test("}) {
    EXPECT_NE(page.find(part), std::string::npos) << part << " is not in\n" << page;
  }
  EXPECT_NE(generated("docs/ops/README.md").find("[SoftsignTest](SoftsignTest.md)"), std::string::npos);
}

TEST(OneCard, GivesAnEntryOfThePalette) {
  const nlohmann::json palette = nlohmann::json::parse(generated("docs/ops/palette.json"));
  nlohmann::json entry;
  for (const nlohmann::json& op : palette.at("ops")) {
    if (op.at("name") == "SoftsignTest") entry = op;
  }
  ASSERT_FALSE(entry.is_null());
  EXPECT_EQ(entry.at("category"), "activation");
  EXPECT_EQ(entry.at("attributes").at(0).at("default"), 1.0);
  EXPECT_EQ(entry.at("what").at("ru"), "Сжимает числа в (-1, 1), мягче, чем tanh.");
  EXPECT_NE(entry.at("formula").at("mathml").get<std::string>().find("<mfrac>"), std::string::npos);
}

TEST(OneCard, GivesWordsForTerminals) {
  const OpCard* const ops[] = {&new_op()};
  EXPECT_NE(describe(new_op(), Lang::en).find("more gently than tanh"), std::string::npos);
  EXPECT_NE(describe(new_op(), Lang::ru).find("Атрибуты"), std::string::npos);
  EXPECT_NE(catalogue_json(ops).find("\"SoftsignTest\""), std::string::npos);
}

// The tests of tests/ops and tests/grad stand in this program, with a row for the new op.
TEST(OneCard, GivesRowsOfTheGeneratedTests) {
  std::set<std::string> rows;
  const testing::UnitTest& tests = *testing::UnitTest::GetInstance();
  for (int suite = 0; suite < tests.total_test_suite_count(); ++suite) {
    const testing::TestSuite& in = *tests.GetTestSuite(suite);
    for (int test = 0; test < in.total_test_count(); ++test) {
      rows.insert(std::string(in.name()) + "." + in.GetTestInfo(test)->name());
    }
  }
  for (const char* row :
       {"AllOps/OpValues.AreAsExpected/SoftsignTest", "AllOps/OpValues.HaveTheInferredTypes/SoftsignTest",
        "AllOps/OpDTypes.AgreeWithTheWidest/SoftsignTest", "AllOps/OpSymbols.GiveTheShapesOfNumbers/SoftsignTest",
        "AllOps/OpRefusals.HaveTheirCodeAndWords/SoftsignTest", "AllOps/OpCompleteness.NothingIsMissing/SoftsignTest",
        "AllOps/CardGradients.FirstOrder/SoftsignTest", "AllOps/CardGradients.SecondOrder/SoftsignTest"}) {
    EXPECT_TRUE(rows.contains(row)) << row;
  }
}

}  // namespace
}  // namespace asg::test
