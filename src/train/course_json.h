#pragma once

#include <cstdint>

#include <nlohmann/json.hpp>

#include "asg/optim/schedule.h"

namespace asg::train {

// Numbers that JSON has no form for are written as texts. Throws bad_json for anything else.
nlohmann::json json_of_number(double value);
double number_in(const nlohmann::json& json);
std::int64_t integer_in(const nlohmann::json& json);  // throws bad_json for anything else

// Throws what nlohmann's reader throws, too.
nlohmann::json json_of_seen(const optim::ScheduleState& seen);
optim::ScheduleState seen_in(const nlohmann::json& json);

}  // namespace asg::train
