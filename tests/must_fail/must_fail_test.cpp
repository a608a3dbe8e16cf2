// Every mistake that a user can make has a row: its code, and what the user is told.
#include <set>

#include <gtest/gtest.h>

#include "must_fail/rows.h"

namespace asg::test {
namespace {

std::vector<MustFail> all_rows() {
  std::vector<MustFail> rows;
  for (auto part : {core_rows, card_rows, graph_rows, json_rows, edit_rows, autograd_rows, backend_rows, train_rows,
                    io_rows, compile_rows}) {
    for (MustFail& row : part()) rows.push_back(std::move(row));
  }
  return rows;
}

std::string name_of_row(const MustFail& row) { return std::string(name_of(row.code)) + "_" + row.name; }

class MustFailTest : public testing::TestWithParam<MustFail> {};

TEST_P(MustFailTest, SaysWhatWasGivenWhatIsNeededAndHowToMendIt) {
  const MustFail& row = GetParam();
  try {
    row.mistake();
  } catch (const UserError& error) {
    EXPECT_EQ(name_of(error.code()), name_of(row.code)) << error.what();
    EXPECT_EQ(error.detail().given, row.given);
    EXPECT_EQ(error.detail().needed, row.needed);
    EXPECT_EQ(error.detail().mend, row.mend);
    return;
  }
  FAIL() << "was not refused";
}

INSTANTIATE_TEST_SUITE_P(Rows, MustFailTest, testing::ValuesIn(all_rows()),
                         [](const auto& row) { return name_of_row(row.param); });

TEST(MustFail, HasARowForEveryCode) {
  std::set<ErrorCode> shown;
  for (const MustFail& row : all_rows()) shown.insert(row.code);
  for (ErrorCode code : all_error_codes()) {
    EXPECT_TRUE(shown.contains(code)) << "no row provokes " << name_of(code) << ": " << summary_of(code);
  }
}

}  // namespace
}  // namespace asg::test
