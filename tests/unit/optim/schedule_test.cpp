#include "asg/optim/schedule.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "asg/core/error.h"

namespace asg::optim {
namespace {

struct Point {
  std::int64_t step;
  double factor;
};

struct Case {
  const char* name;
  const char* kind;
  Attrs settings;
  std::vector<Point> points;
};

class Factors : public testing::TestWithParam<Case> {};

TEST_P(Factors, AreThoseOfTheFormula) {
  const Schedule schedule = schedule_named(GetParam().kind, GetParam().settings);
  for (const Point& point : GetParam().points) {
    EXPECT_NEAR(factor_at(schedule, point.step), point.factor, 1e-14) << "step " << point.step;
  }
}

constexpr std::int64_t kFar = std::int64_t{1} << 60;

std::vector<Case> cases() {
  const double half = std::cos(std::numbers::pi / 4) / 2 + 0.5;
  return {
      {"constant", "constant", {}, {{0, 1}, {kFar, 1}, {-5, 1}}},
      {"linear_warmup", "constant", {{"warmup", 4}}, {{0, 0}, {1, 0.25}, {3, 0.75}, {4, 1}, {100, 1}}},
      {"warmup_start", "constant", {{"warmup", 4}, {"warmup_start", 0.5}}, {{0, 0.5}, {2, 0.75}, {4, 1}}},
      {"step", "step", {{"period", 3}, {"gamma", 0.5}}, {{0, 1}, {2, 1}, {3, 0.5}, {6, 0.25}, {kFar, 0}}},
      {"multi_step",
       "multi_step",
       {{"milestones", std::vector<std::int64_t>{2, 5, 5}}, {"gamma", 0.5}},
       {{1, 1}, {2, 0.5}, {4, 0.5}, {5, 0.125}, {kFar, 0.125}}},
      {"no_milestones", "multi_step", {{"milestones", std::vector<std::int64_t>{}}}, {{0, 1}, {9, 1}}},
      {"exponential", "exponential", {{"gamma", 0.5}}, {{0, 1}, {1, 0.5}, {3, 0.125}}},
      {"cosine", "cosine", {{"steps", 8}}, {{0, 1}, {2, half}, {4, 0.5}, {8, 0}, {9, 0}, {kFar, 0}}},
      {"cosine_minimum", "cosine", {{"steps", 2}, {"minimum", 0.2}}, {{0, 1}, {1, 0.6}, {2, 0.2}, {50, 0.2}}},
      {"warmup_cosine",
       "cosine",
       {{"steps", 8}, {"warmup", 2}},
       {{0, 0}, {1, 0.5}, {2, 1}, {4, half}, {6, 0.5}, {10, 0}, {11, 0}}},
      {"polynomial", "polynomial", {{"steps", 4}, {"power", 2}}, {{0, 1}, {2, 0.25}, {4, 0}, {5, 0}}},
      {"one_cycle",
       "one_cycle",
       {{"steps", 21}, {"rise", 1.0 / 3}, {"start_divisor", 4}, {"end_divisor", 2}},
       {{0, 0.25}, {3, 0.625}, {6, 1}, {13, 0.5625}, {20, 0.125}, {21, 0.125}, {kFar, 0.125}}},
      {"one_cycle_of_one", "one_cycle", {{"steps", 1}}, {{0, 1}, {7, 1}}},
      {"one_cycle_falls",
       "one_cycle",
       {{"steps", 3}, {"rise", 0}, {"start_divisor", 1}, {"end_divisor", 2}},
       {{0, 1}, {1, 0.75}, {2, 0.5}}},
      {"plateau_untold", "plateau", {}, {{0, 1}, {50, 1}}},
  };
}

INSTANTIATE_TEST_SUITE_P(All, Factors, testing::ValuesIn(cases()),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(Plateau, FallsAfterMoreThanItsPatience) {
  const Schedule schedule =
      schedule_named("plateau", {{"gamma", 0.5}, {"patience", 1}, {"threshold", 0}, {"cooldown", 1}, {"minimum", 0.2}});
  EXPECT_TRUE(watches_metric(schedule));
  ScheduleState state;
  const std::vector<std::pair<double, double>> told = {{5, 1},    {4, 1},    {4, 1},
                                                       {4, 0.5},                         // not better twice
                                                       {4, 0.5},  {4, 0.5},  {4, 0.25},  // the first does not count
                                                       {3, 0.25}, {9, 0.25}, {std::nan(""), 0.2}};  // the minimum
  for (const auto& [metric, factor] : told) {
    observe(schedule, metric, state);
    EXPECT_EQ(factor_at(schedule, 7, state), factor) << metric;
  }
  EXPECT_EQ(state.best, 3);
}

TEST(Plateau, GoesOnFromItsState) {
  const Schedule schedule = schedule_named("plateau", {{"patience", 0}, {"maximise", true}});
  ScheduleState first;
  for (const double metric : {0.5, 0.6}) observe(schedule, metric, first);
  ScheduleState second = first;  // as a checkpoint holds it
  for (ScheduleState* state : {&first, &second}) observe(schedule, 0.55, *state);
  EXPECT_EQ(first, second);
  EXPECT_EQ(second.factor, 0.1);
}

TEST(Plateau, IsTheOnlyOneThatIsTold) {
  for (const std::string& name : schedule_names()) {
    if (name == "plateau") continue;
    const Schedule schedule{name, {}};
    ScheduleState state;
    observe(schedule, 3, state);
    EXPECT_FALSE(watches_metric(schedule)) << name;
    EXPECT_EQ(state, ScheduleState{}) << name;
  }
}

struct Mistake {
  const char* name;
  const char* kind;
  Attrs settings;
  ErrorCode code;
  const char* given;
  const char* needed;
};

class ScheduleMistakes : public testing::TestWithParam<Mistake> {};

TEST_P(ScheduleMistakes, AreRefused) {
  const Mistake& row = GetParam();
  try {
    schedule_named(row.kind, row.settings);
    FAIL() << "was not refused";
  } catch (const UserError& error) {
    EXPECT_EQ(name_of(error.code()), name_of(row.code));
    EXPECT_EQ(error.detail().given, row.given);
    EXPECT_EQ(error.detail().needed, row.needed);
  }
}

std::vector<Mistake> mistakes() {
  return {
      {"kind",
       "cosin",
       {},
       ErrorCode::bad_attribute,
       "the schedule 'cosin'",
       "one of constant, cosine, exponential, multi_step, one_cycle, plateau, polynomial, step"},
      {"missing",
       "cosine",
       {},
       ErrorCode::missing_attribute,
       "no 'steps' for schedule 'cosine'",
       "a number of at least 1; it has no default"},
      {"unknown",
       "exponential",
       {{"gama", 0.5}},
       ErrorCode::unknown_attribute,
       "the setting 'gama' of schedule 'exponential'",
       "one of gamma, warmup, warmup_start"},
      {"range",
       "cosine",
       {{"steps", 0}},
       ErrorCode::bad_attribute,
       "steps = 0 of schedule 'cosine'",
       "a number of at least 1"},
      {"kind_of_value",
       "cosine",
       {{"steps", 2.5}},
       ErrorCode::bad_attribute,
       "steps = 2.5 of schedule 'cosine'",
       "a value of the kind 'integer'"},
      {"order",
       "multi_step",
       {{"milestones", std::vector<std::int64_t>{5, 3}}},
       ErrorCode::bad_attribute,
       "milestones = [5, 3] of schedule 'multi_step'",
       "rising numbers"},
      {"negative",
       "multi_step",
       {{"milestones", std::vector<std::int64_t>{-1}}},
       ErrorCode::bad_attribute,
       "milestones = [-1] of schedule 'multi_step'",
       "a number of at least 0"},
  };
}

INSTANTIATE_TEST_SUITE_P(All, ScheduleMistakes, testing::ValuesIn(mistakes()),
                         [](const auto& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace asg::optim
