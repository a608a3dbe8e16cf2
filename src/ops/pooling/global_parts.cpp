#include "ops/pooling/global_parts.h"

#include "ops/support/cost.h"

namespace asg::ops {
namespace {

void infer_global(InferContext& ctx) {
  const Shape& x = ctx.shape(0);
  if (x.rank() < 3) {
    fail(ErrorCode::bad_shape, "an input of shape " + x.to_string(), "[batch, channels, …] with spatial axes",
         "unsqueeze a missing batch or channel axis");
  }
  std::vector<Dim> dims(static_cast<std::size_t>(x.rank()), Dim(1));
  dims[0] = x[0];
  dims[1] = x[1];
  ctx.output({ctx.dtype(0), Shape(std::move(dims))});
}

}  // namespace

std::vector<std::int64_t> spatial_axes(const Tensor& x) {
  std::vector<std::int64_t> axes;
  for (int axis = 2; axis < x.rank(); ++axis) axes.push_back(axis);
  return axes;
}

OpCard global_pool() {
  return {
      .category = Category::pooling,
      .inputs = {{.name = "x",
                  .words = {"[batch, channels, …] with any spatial axes",
                            "[пакет, каналы, …] с любыми пространственными осями"}}},
      .outputs = {{.name = "y",
                   .words = {"one number for each channel of each picture, [batch, channels, 1, …]",
                             "по числу на каждый канал каждого изображения, [пакет, каналы, 1, …]"}}},
      .infer = infer_global,
      .gradient_kind = GradientKind::body,
      .cost = cost_per_input(1),
      .samples = {{.name = "one_axis", .inputs = {distinct({2, 3, 4}, 0.2, 1.5)}},
                  {.name = "two_axes", .inputs = {distinct({1, 2, 2, 3}, 0.2, 1.5)}},
                  {.name = "three_axes", .inputs = {distinct({1, 2, 1, 3, 2}, 0.2, 1.5)}},
                  {.name = "no_pictures", .inputs = {in({0, 2, 3})}, .gradient = false}},
      .bad_samples = {{.name = "no_spatial_axis",
                       .inputs = {in({2, 3})},
                       .code = ErrorCode::bad_shape,
                       .contains = "[batch, channels, …] with spatial axes"}},
  };
}

}  // namespace asg::ops
