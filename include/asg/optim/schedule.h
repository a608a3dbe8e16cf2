#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "asg/graph/attributes.h"

namespace asg::optim {

// How the learning rate changes: in update number t, from 0, it is the optimiser's times `factor_at(t)`. A pure
// function of t, but for "plateau", which also follows what it was told of a metric. Plain data. All kinds have the
// settings `warmup`, a number of updates in which the factor rises in a line from `warmup_start` to 1 before the
// schedule begins.
struct Schedule {
  std::string kind = "constant";  // a name of `schedule_names`
  Attrs settings = {};            // those left out have their defaults
  friend bool operator==(const Schedule&, const Schedule&) = default;
};

// What "plateau" has seen. Plain data, to be saved with a training; the other kinds leave it as it is.
struct ScheduleState {
  std::optional<double> best = std::nullopt;
  std::int64_t bad = 0;       // observations since it was last better
  std::int64_t cooldown = 0;  // observations that still do not count
  double factor = 1;
  friend bool operator==(const ScheduleState&, const ScheduleState&) = default;
};

// "constant", "cosine", … for help and messages.
std::vector<std::string> schedule_names();

// Throws bad_attribute for an unknown kind, unknown_attribute, bad_attribute or missing_attribute for its settings.
Schedule schedule_named(std::string_view kind, Attrs settings = {});
void check_schedule(const Schedule& schedule);

// The factor of the learning rate. `schedule` must pass `check_schedule`. Allocates nothing.
double factor_at(const Schedule& schedule, std::int64_t step, const ScheduleState& state = {});

// Whether the schedule wants to be told a metric.
bool watches_metric(const Schedule& schedule);
// Tells it a metric, after an evaluation or an epoch.
void observe(const Schedule& schedule, double metric, ScheduleState& state);

}  // namespace asg::optim
