#pragma once

#include <string_view>

#include "asg/graph/card.h"

// Tensors [batch, channels, …] beside vectors that hold a number for each channel.
namespace asg::ops {

// [channels] as [1, channels, 1, …] of the given rank.
Tensor along_channels(const Tensor& vector, int rank);
// Refuses an input 0 without batch and channels.
void check_has_channels(const InferContext& ctx);
// Refuses an input that is not a vector with a number for each channel; `what` names it in the message.
void check_channel_vector(const InferContext& ctx, int index, const Dim& channels, std::string_view what);

}  // namespace asg::ops
