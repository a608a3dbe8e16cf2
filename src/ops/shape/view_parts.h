#pragma once

#include <string>
#include <vector>

#include "asg/graph/card.h"

// What the ops that only change the shape of a tensor have in common.
namespace asg::ops {

// Output 0 has the elements of input 0 in another shape; contents that are known stay so.
void output_reshaped(InferContext& ctx, Shape shape);
void reshape_kernel(KernelContext& ctx);
// The gradient goes back in the shape of the input.
void reshape_gradient(GradientContext& ctx);

// A card of the category shape with the input x, whose result holds the same elements and costs nothing to find. It is
// a reshape unless the card says otherwise.
OpCard view_card(std::string name);

// The input x of any type, and the result y with words of its own.
Port any_tensor();
std::vector<Port> same_elements(Words words);

}  // namespace asg::ops
