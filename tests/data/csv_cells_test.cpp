// Cells of tables that would be taken for something else.
#include <cmath>

#include <gtest/gtest.h>

#include "asg/core/error.h"
#include "asg/data/csv.h"
#include "support/amount.h"
#include "support/growth.h"

namespace asg::data {
namespace {

struct CellRow {
  const char* name;
  const char* text;
  const char* says;
};

class CsvCells : public testing::TestWithParam<CellRow> {};

TEST_P(CsvCells, AreRefusedWithColumnAndLine) {
  for (const bool has_missing : {false, true}) {
    CsvOptions options{.label = "k"};
    if (has_missing) options.missing = 0;  // of numbers: a class is not made of it
    try {
      read_csv("table", GetParam().text, options);
      ADD_FAILURE() << "accepted";
    } catch (const UserError& error) {
      EXPECT_EQ(error.code(), ErrorCode::io_error);
      EXPECT_NE(std::string(error.what()).find(GetParam().says), std::string::npos) << error.what();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, CsvCells,
    testing::Values(CellRow{"empty_class", "x,k\n1,a\n2,\n", "an empty cell in column 'k' on line 3"},
                    CellRow{"blank_class", "x,k\n1, \t\n", "an empty cell in column 'k' on line 2"},
                    CellRow{"quoted_empty_class", "x,k\n1,\"\"\n", "an empty cell in column 'k' on line 2"},
                    CellRow{"beyond_f32", "x,k\n1,a\n-1e39,b\n", "'-1e39' in column 'x' on line 3"},
                    CellRow{"beyond_f64", "x,k\n1e999,a\n", "'1e999' in column 'x' on line 2"},
                    CellRow{"many_digits", "x,k\n99999999999999999999999999999999999999999999999,a\n",
                            "that f32 holds"}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(CsvClasses, AreTakenWithoutTheBlanksAroundThem) {
  const Dataset data = read_csv("table", "x,k\n1, a\n2,a\t\n3,\" a\"\n4,b c\n", {.label = "k"});
  EXPECT_EQ(data.field("labels").class_names, (std::vector<std::string>{" a", "a", "b c"}));
  EXPECT_EQ(data.column("labels").to_string(), "[1, 1, 0, 2]");
}

TEST(CsvClasses, AsManyAsRowsCostWhatTheyAre) {
  const auto table = [](int rows) {
    std::string text = "x,k\n";
    for (int row = 0; row < rows; ++row) text += "1,c" + std::to_string(row) + "\n";
    return text;
  };
  const double ratio = asg::test::growth(asg::test::amount(3000, 300),
                                         [&](int rows) { read_csv("table", table(rows), {.label = "k"}); });
  EXPECT_LT(ratio, asg::test::kMostGrowth);
  EXPECT_EQ(read_csv("table", table(500), {.label = "k"}).classes(), 500);
}

TEST(CsvClasses, ThatAreNamedHaveTheirPlaces) {
  const Dataset data = read_csv("table", "x,k\n1,b\n2,c\n3,a\n", {.label = "k", .class_names = {"c", "b", "a"}});
  EXPECT_EQ(data.column("labels").to_string(), "[1, 0, 2]");
}

TEST(CsvNumbers, MayBeInfiniteWhereThatIsWritten) {
  const Dataset data = read_csv("table", "x\n-inf\n3.4e38\n1e-60\n");
  EXPECT_EQ(data.column("features").get(0), -INFINITY);
  EXPECT_TRUE(std::isfinite(data.column("features").get(1)));
  EXPECT_EQ(data.column("features").get(2), 0);
}

}  // namespace
}  // namespace asg::data
