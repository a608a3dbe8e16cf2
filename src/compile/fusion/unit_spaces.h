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

// What keeps values from flowing from what `source` computes to what `user` reads, in such a space and without memory.
Obstacle flow_between(const UnitTable& table, int source, int user, const Space& space);

}  // namespace asg::fusion
