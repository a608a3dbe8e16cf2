#pragma once

#include <nlohmann/json.hpp>

#include "asg/optim/schedule.h"

namespace asg::train {

// Numbers that JSON has no form for are written as texts. Throws bad_json for anything else.
nlohmann::json json_of_number(double value);
double number_in(const nlohmann::json& json);

// Throws what nlohmann's reader throws, too.
nlohmann::json json_of_seen(const optim::ScheduleState& seen);
optim::ScheduleState seen_in(const nlohmann::json& json);

}  // namespace asg::train
