#pragma once

#include <optional>

#include "asg/graph/edit.h"
#include "check/dice.h"

namespace asg::edit_check {

// A command of this kind, by its place in the variant, that often fits the graph. Nothing where the graph has nothing
// of that kind.
std::optional<Command> random_command(Dice& dice, const Graph& graph, std::size_t kind);
constexpr std::size_t kCommandKinds = std::variant_size_v<Command>;

}  // namespace asg::edit_check
