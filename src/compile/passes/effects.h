#pragma once

#include "asg/graph/card.h"

namespace asg::passes {

// Whether computing the op does something besides giving its outputs. Such a node is computed as often as the graph
// says: it is not folded, merged or moved.
inline bool has_effect(const OpCard& op) { return op.name == "Print"; }

}  // namespace asg::passes
