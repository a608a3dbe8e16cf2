#include "ops/support/channels.h"

#include <string>

#include "ops/support/gradients.h"
#include "ops/support/indexing.h"

namespace asg::ops {

Tensor along_channels(const Tensor& vector, int rank) {
  Sizes shape(static_cast<std::size_t>(rank), 1);
  shape[1] = -1;
  return add_op("Reshape", {vector, ints(vector.graph(), std::move(shape))});
}

void check_has_channels(const InferContext& ctx) {
  if (ctx.shape(0).rank() >= 2) return;
  fail(ErrorCode::bad_shape, "an input of shape " + ctx.shape(0).to_string(), "[batch, channels, …]",
       "unsqueeze a missing batch or channel axis");
}

void check_channel_vector(const InferContext& ctx, int index, const Dim& channels, std::string_view what) {
  const Shape& shape = ctx.shape(index);
  if (shape.rank() == 1 && !surely_differ(shape[0], channels)) return;
  fail(ErrorCode::bad_shape, std::string(what) + " of shape " + shape.to_string(),
       "one number for each of the " + channels.to_string() + " channels");
}

}  // namespace asg::ops
