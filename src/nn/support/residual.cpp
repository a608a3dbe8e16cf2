#include "nn/support/residual.h"

#include "nn/support/convolution.h"
#include "nn/support/layers.h"

namespace asg::nn {

Tensor normalised_convolution(BodyContext& ctx, std::string conv, std::string norm, const Tensor& x,
                              const Filters& filters) {
  const std::int64_t pad = filters.kernel / 2;
  const Tensor filtered = ctx.layer(std::move(conv), "nn.Conv2d", {x},
                                    {{"channels", filters.channels},
                                     {"kernel", std::vector<std::int64_t>(2, filters.kernel)},
                                     {"strides", std::vector<std::int64_t>(2, filters.stride)},
                                     {"pads", std::vector<std::int64_t>(4, pad)},
                                     {"groups", filters.groups},
                                     {"bias", false}});
  return ctx.layer(std::move(norm), "nn.BatchNorm", {filtered});
}

Tensor shortcut(BodyContext& ctx, const Tensor& x, std::int64_t channels, std::int64_t stride) {
  if (stride == 1 && known_length(ctx, x, 1, "channels") == channels) return x;
  const Tensor projected = normalised_convolution(ctx, "shortcut_conv", "shortcut_norm", x,
                                                  {.channels = channels, .kernel = 1, .stride = stride});
  ctx.governed("shortcut_conv", "channels", "channels");
  return projected;
}

AttrSpec channels_attribute() {
  return {.name = "channels", .least = 1, .words = {"number of output channels", "число выходных каналов"}};
}

AttrSpec stride_attribute() {
  return {.name = "stride",
          .fallback = 1,
          .least = 1,
          .words = {"by how much height and width are divided", "во сколько раз уменьшаются высота и ширина"}};
}

std::vector<Sample> residual_samples(const Attrs& more) {
  struct Row {
    const char* name;
    Sizes sizes;
    std::int64_t channels;
    std::int64_t stride;
  };
  const std::vector<Row> rows = {{"identity", {2, 4, 3, 5}, 4, 1},
                                 {"other_channels", {2, 3, 4, 5}, 2, 1},
                                 {"smaller", {3, 4, 5, 6}, 4, 2},
                                 {"smaller_and_wider", {3, 2, 4, 5}, 3, 2}};
  std::vector<Sample> samples;
  for (const Row& row : rows) {
    Attrs attrs = more;
    attrs.set("channels", row.channels);
    attrs.set("stride", row.stride);
    samples.push_back({.name = row.name, .inputs = {in(row.sizes)}, .attrs = std::move(attrs)});
  }
  return samples;
}

std::vector<BadSample> bad_residual_blocks(const Attrs& more) {
  Attrs some = more;
  some.set("channels", 2);
  Attrs none = more;
  none.set("channels", 0);
  return {{.name = "rank_3",
           .inputs = {in({2, 3, 4})},
           .attrs = std::move(some),
           .code = ErrorCode::bad_shape,
           .contains = "[batch, channels, height, width]"},
          {.name = "no_channels",
           .inputs = {in({2, 3, 4, 5})},
           .attrs = std::move(none),
           .code = ErrorCode::bad_attribute,
           .contains = "at least 1"}};
}

}  // namespace asg::nn
