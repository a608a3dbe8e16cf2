#include "asg/optim/schedule.h"

#include <algorithm>
#include <cmath>

#include "asg/optim/card.h"

namespace asg::optim {
namespace {

bool is_better(const Settings& settings, double metric, double best) {
  const double threshold = settings.real("threshold");
  return settings.flag("maximise") ? metric > best * (1 + threshold) : metric < best * (1 - threshold);
}

}  // namespace

const ScheduleCard& schedule_card(std::string_view kind) {
  for (const ScheduleCard& card : schedules()) {
    if (card.name == kind) return card;
  }
  const std::vector<std::string> names = schedule_names();
  std::string listed;
  for (const std::string& name : names) {
    if (!listed.empty()) listed += ", ";
    listed += name;
  }
  const std::string near = nearest_name(kind, names);
  fail(ErrorCode::bad_attribute, "the schedule '" + std::string(kind) + "'", "one of " + listed,
       near.empty() ? "" : "did you mean '" + near + "'?");
}

std::vector<std::string> schedule_names() {
  std::vector<std::string> names;
  for (const ScheduleCard& card : schedules()) names.emplace_back(card.name);
  return names;
}

void check_schedule(const Schedule& schedule) {
  const ScheduleCard& card = schedule_card(schedule.kind);
  check_settings("schedule '" + schedule.kind + "'", card.settings, schedule.settings);
  const Attr* milestones = schedule.settings.find("milestones");
  if (milestones == nullptr || std::is_sorted(milestones->as_integers().begin(), milestones->as_integers().end()))
    return;
  fail(ErrorCode::bad_attribute, "milestones = " + milestones->to_string() + " of schedule '" + schedule.kind + "'",
       "rising numbers");
}

Schedule schedule_named(std::string_view kind, Attrs settings) {
  Schedule result{std::string(kind), std::move(settings)};
  check_schedule(result);
  return result;
}

double factor_at(const Schedule& schedule, std::int64_t step, const ScheduleState& state) {
  const ScheduleCard& card = schedule_card(schedule.kind);
  const Settings settings(card.settings, schedule.settings);
  const std::int64_t warmup = settings.integer("warmup");
  step = std::max<std::int64_t>(step, 0);
  if (step >= warmup) return card.factor(settings, step - warmup, state);
  const double start = settings.real("warmup_start");
  return start + (1 - start) * static_cast<double>(step) / static_cast<double>(warmup);
}

bool watches_metric(const Schedule& schedule) { return schedule.kind == "plateau"; }

void observe(const Schedule& schedule, double metric, ScheduleState& state) {
  if (!watches_metric(schedule)) return;
  const Settings settings(schedule_card(schedule.kind).settings, schedule.settings);
  if (!std::isnan(metric) && (!state.best || is_better(settings, metric, *state.best))) {
    state.best = metric;
    state.bad = 0;
  } else {
    ++state.bad;
  }
  if (state.cooldown > 0) {
    --state.cooldown;
    state.bad = 0;
  }
  if (state.bad <= settings.integer("patience")) return;
  state.factor = std::max(state.factor * settings.real("gamma"), settings.real("minimum"));
  state.cooldown = settings.integer("cooldown");
  state.bad = 0;
}

}  // namespace asg::optim
