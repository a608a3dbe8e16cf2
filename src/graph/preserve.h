#pragma once

#include <vector>

#include "asg/graph/resize.h"

namespace asg {

// Marks in `rules` which new slices must be zero so that `after` computes what `before` did. Throws
// preserve_impossible where no zeros can do that.
//   expects:    rules of all variables whose type differs, with their old and new sizes
//   guarantees: the outputs, and the updates of the old part, are the same up to rounding for the same inputs, in both
//               modes; only the mask of a dropout over a widened axis is drawn anew
//   example:    Linear(units 8 → 16) → Relu → Linear(units 4): the second weight is zero in its new rows
void preserve_function(const Graph& before, const Graph& after, std::vector<ResizeRule>& rules);

}  // namespace asg
