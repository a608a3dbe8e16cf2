#pragma once

#include <optional>

#include "compile/fusion/unit_table.h"

// Whether the spaces of two units go together, and whether values can flow between them without memory.
namespace asg::fusion {

// The space of a unit of one node, whose level is set.
Space first_space(UnitTable& table, const Node& node);

// The space in which both compute, or nothing. A node alone may still turn out to work on rows of the other: then its
// level changes.
std::optional<Space> joint_space(UnitTable& table, const Unit& a, const Unit& b);

// What keeps values from flowing between two units in such a space without memory.
Obstacle flows_between(const UnitTable& table, int into, int from, const Space& space);

}  // namespace asg::fusion
