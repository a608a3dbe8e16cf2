#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "asg/core/array.h"
#include "asg/graph/graph.h"

namespace asg {

// What happens to a variable whose shape changes.
enum class ResizePolicy : std::uint8_t {
  fresh,    // its own initialiser, by seed and id
  overlap,  // copy the common block, initialise the rest
  preserve  // as overlap, with new outgoing weights zero, so that the function stays the same
};
std::string_view name_of(ResizePolicy policy);

// How the new part of a resized variable is filled, axis by axis: along axis k the elements from old_sizes[k] on are
// new. An element that is new along any axis marked zero is zero; other new elements come from the initialiser. With
// the policy `fresh`, and where rank or dtype changed, all is new: the old sizes are then 0.
struct ResizeRule {
  VarId variable;
  Sizes old_sizes;
  Sizes new_sizes;
  std::vector<bool> zero_axes;
};

// The rules for all resized variables between two versions of a model. With `preserve` it follows every widened
// axis through the expanded graph to the weights that contract it; where the function cannot be kept (a norm or softmax
// over the axis, heads, an output, shrinking) it throws preserve_impossible with the reason and offers `overlap`.
std::vector<ResizeRule> plan_resize(const Graph& before, const Graph& after, ResizePolicy policy);

// The value of a resized variable. `fresh` is its initial value in the new shape (or zeros for optimiser state).
Array resized(const Array& old, const Array& fresh, const ResizeRule& rule);

}  // namespace asg
