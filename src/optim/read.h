#pragma once

#include "asg/optim/optimizer.h"
#include "asg/optim/schedule.h"
#include "optim/json_table.h"

// Optimisers and schedules as recipes and messages write them: docs/recipes.md.
namespace asg::optim {

// Throws unknown_attribute, bad_attribute.
Optimizer optimizer_of(JsonTable table);
// Does not look at the settings: see check_schedule.
Schedule schedule_of(JsonTable table);

}  // namespace asg::optim
