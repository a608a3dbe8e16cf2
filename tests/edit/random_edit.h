#pragma once

#include <optional>

#include "asg/graph/edit.h"
#include "edit/dice.h"

namespace asg::test {

// A command of the given kind (its index in Command) that is likely, but not sure, to apply to the graph. Nothing
// where the graph holds nothing it could act on.
std::optional<Command> random_command(Dice& dice, const Graph& graph, std::size_t kind);

}  // namespace asg::test
