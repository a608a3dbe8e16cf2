#pragma once

#include <string>
#include <string_view>

#include "asg/optim/optimizer.h"
#include "asg/optim/schedule.h"

// Optimisers and schedules as messages and files write them: settings are an object by name.
namespace asg::optim {

// {"kind": "cosine", "steps": 1000}, as in a recipe. Throws bad_json, and what check_schedule throws.
Schedule schedule_from_json(std::string_view json);
std::string to_json(const Schedule& schedule);  // as it was given
// {"beta1": 0.8, "amsgrad": true}. Knows no optimiser: Optimizer::set looks at each. Throws bad_json, bad_attribute.
Attrs settings_from_json(std::string_view json);
std::string to_json(const Attrs& settings);

// All settings that an optimiser or a schedule has, with the defaults of those that were left out.
Attrs settings_in_force(const Optimizer& optimizer);
Attrs settings_in_force(const Schedule& schedule);

// "cosine(steps 1000, minimum 0.1)", for people: what was chosen.
std::string to_text(const Schedule& schedule);

}  // namespace asg::optim
