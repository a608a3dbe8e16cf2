#pragma once

#include <optional>

#include "asg/graph/card.h"
#include "check/dice.h"

namespace asg::edit_check {

// A value for an attribute: mostly near the present one (null: the default) and often within its limits. Nothing for
// kinds that are not drawn.
std::optional<Attr> random_attribute(Dice& dice, const AttrSpec& spec, const Attr* present);

}  // namespace asg::edit_check
