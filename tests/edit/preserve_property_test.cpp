// Random edits of random small models by every policy. With `preserve` accepted the outputs are the same; refused,
// nothing has changed and `overlap` works; `auto` is refused only where `overlap` is too, and says which it was.
// ASG_PRESERVE_CASES=20000 looks at so many cases instead.
#include <cstdlib>

#include <gtest/gtest.h>

#include "asg/graph/json.h"
#include "asg/graph/model.h"
#include "asg/graph/resize.h"
#include "edit/random_wide.h"
#include "edit/run_model.h"
#include "support/amount.h"
#include "support/compare.h"

namespace asg::test {
namespace {

constexpr double kPropertyTolerance = 1e-10;  // in f64, after norms of a few elements
constexpr int kEditsPerModel = 6;
constexpr int kOnCpuEach = 16;

int cases() {
  const char* wanted = std::getenv("ASG_PRESERVE_CASES");
  return wanted == nullptr ? amount(400, 40) : std::atoi(wanted);
}

struct Tally {
  int kept = 0;        // with variables that are resized
  int kept_as_is = 0;  // without
  int refused = 0;     // since the function would change
  int impossible = 0;  // by any policy
};

void expect_same_function(const Graph& before, const EditOutcome& outcome, bool on_cpu) {
  const std::vector<Array> expected = run_model(before, Mode::eval);
  const Graph filled = with_values(before, outcome.after, outcome.resizes);
  const std::vector<Array> actual = on_cpu ? run_model_on_cpu(filled, Mode::eval) : run_model(filled, Mode::eval);
  for (std::size_t k = 0; k < before.outputs().size(); ++k) {
    const Output* output = outcome.after.find_output(before.outputs()[k].name);
    ASSERT_NE(output, nullptr);
    const auto place = static_cast<std::size_t>(output - outcome.after.outputs().data());
    EXPECT_TRUE(near(actual[place], expected[k], kPropertyTolerance))
        << before.outputs()[k].name << " on_cpu " << on_cpu;
  }
}

void try_policies(const Graph& before, std::vector<Command> commands, Tally& tally, int number) {
  const EditOutcome overlap = check(before, {commands, ResizePolicy::overlap});
  const EditOutcome automatic = check(before, {commands, ResizePolicy::automatic});
  const Edit by_name{commands, ResizePolicy::preserve};
  const EditOutcome preserve = check(before, by_name);
  EXPECT_EQ(automatic.report.ok(), overlap.report.ok()) << automatic.report.to_text();
  if (!overlap.report.ok()) {
    ++tally.impossible;
    EXPECT_FALSE(preserve.report.ok());
    return;
  }
  const bool resizes = !overlap.resizes.empty();
  const ResizePolicy expected = preserve.report.ok() ? ResizePolicy::preserve : ResizePolicy::overlap;
  EXPECT_EQ(automatic.report.policy, resizes ? std::optional(expected) : std::nullopt);
  EXPECT_EQ(automatic.report.not_preserved.has_value(), resizes && !preserve.report.ok());
  if (preserve.report.ok()) {
    ++(resizes ? tally.kept : tally.kept_as_is);
    expect_same_function(before, preserve, number % kOnCpuEach == 0);
    return;
  }
  ++tally.refused;
  EXPECT_EQ(preserve.report.problems.front().code(), ErrorCode::preserve_impossible);
  Model model(before);
  EXPECT_THROW(model.apply(by_name), UserError);
  EXPECT_EQ(model.graph(), before);
  EXPECT_TRUE(model.journal().empty());
}

TEST(PreserveProperties, HoldForRandomEditsOfRandomModels) {
  const int wanted = cases();
  Tally tally;
  int number = 0;
  for (std::uint64_t seed = 0; number < wanted && !HasFailure(); ++seed) {
    Dice dice(seed);
    const Graph before = random_wide_model(dice);
    for (int each = 0; each < kEditsPerModel && number < wanted && !HasFailure(); ++each, ++number) {
      std::vector<Command> commands = random_wide_edit(dice, before);
      SCOPED_TRACE("model " + std::to_string(seed) + ", edit " + std::to_string(each) + ": " + to_json(Edit{commands}));
      try_policies(before, std::move(commands), tally, number);
    }
  }
  std::cout << number << " cases: " << tally.kept << " wider with the same outputs, " << tally.kept_as_is
            << " of the same sizes with the same outputs, " << tally.refused << " that change the outputs, "
            << tally.impossible << " impossible by any policy\n";
  EXPECT_GE(tally.kept, number / 5);
  EXPECT_GE(tally.kept_as_is, number / 50);
  EXPECT_GE(tally.refused, number / 10);
}

}  // namespace
}  // namespace asg::test
