#pragma once

#include "compile/fusion/units.h"

namespace asg::fusion {

// Values that are not worth keeping: each is one cheap operation away from values that are in memory anyway when it is
// used, so whoever uses it computes it again.
//   expects:    `stored` are the values that leave their units; `results` those among them that outputs and updates
//               need
//   guarantees: the users of each are fused units, which read it element by element; what it is computed from is a
//               leaf, or stored, is not itself in the set and is kept at least as long
//   example:    of d = x − mean and y = d / deviation, which the gradient of a norm both reads: y
ValueSet values_to_recompute(const Graph& graph, const Layouts& layouts, const Units& units, const ValueSet& stored,
                             const ValueSet& results);

}  // namespace asg::fusion
