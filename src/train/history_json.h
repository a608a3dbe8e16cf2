#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "asg/train/history.h"

namespace asg::train {

// What history.json of a checkpoint says; docs/checkpoints.md describes the form. Arrays are written elsewhere, under
// the names that `name_of` gives.
std::string to_json(const History& history, const std::function<std::string(const Array& array)>& name_of);

// Throws bad_json, and what `array_of` throws for a name that is not there.
History history_from_json(std::string_view text, const std::function<Array(const std::string& name)>& array_of);

}  // namespace asg::train
