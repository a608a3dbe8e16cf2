#pragma once

#include <string>

#include "check/dice.h"
#include "edit_check/picture.h"

namespace asg::edit_check {

// A message to a training as it is now, as a line of JSON. `running`: it runs without an end.
std::string random_line(Dice& dice, const Picture& picture, bool running);
// A command of this kind alone in an edit with this policy ("": none is named). "" where nothing fits.
std::string edit_line(Dice& dice, const Graph& graph, std::size_t kind, const std::string& policy);

}  // namespace asg::edit_check
