#pragma once

#include <functional>
#include <vector>

#include "asg/graph/card.h"
#include "ops/convolution/conv_parts.h"

namespace asg::ops {

// The two operands of a convolution.
enum class ConvOperand { input, weight };

// What the gradients of a convolution by its two operands share. Each takes the gradient of the result, the other
// operand, and the shape of the operand it is the gradient of. The card lacks name, body, kernel, peer, words.
OpCard convolution_gradient(ConvOperand by);

// The windows of the convolution whose gradient a body builds.
std::vector<Window> gradient_windows(BodyContext& ctx, ConvOperand by);
// Pads for all axes from numbers for the spatial ones: 0 for batch and channels.
Tensor spatial_pads(Graph& graph, const std::vector<Window>& windows,
                    const std::function<std::int64_t(const Window&)>& before,
                    const std::function<std::int64_t(const Window&)>& after);

}  // namespace asg::ops
