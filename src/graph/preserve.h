#pragma once

#include <optional>
#include <vector>

#include "asg/graph/resize.h"

namespace asg {

// Finds where the old slices of variables lie, and which new ones must be zero so that `after` computes what `before`
// did. Returns preserve_impossible where that cannot be proven; then the rules have the places alone.
//   expects:    rules of all variables whose type differs, with their old and new sizes
//   guarantees: where it returns nothing, in eval mode every output of `before` is there with the same value, and so
//   are the updates of the old
//               part, up to rounding. In training the statistics of batches and the masks of dropouts are drawn anew
//               over new elements.
//   how:        every value of the one expanded graph is matched with a value of the other one: the same op on
//               matching values. Axes that are longer than those of their match are followed op by op (axis_flow.h) to
//               the weights that contract them.
//   example:    Linear(units 8 → 16) → Relu → Linear(units 4): the second weight is zero in its new rows
std::optional<UserError> preserve_function(const Graph& before, const Graph& after, std::vector<ResizeRule>& rules);

}  // namespace asg
