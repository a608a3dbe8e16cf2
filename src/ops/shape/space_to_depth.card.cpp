#include "asg/graph/card.h"
#include "ops/shape/block_parts.h"
#include "ops/support/cost.h"
#include "ops/support/gradients.h"
#include "ops/support/indexing.h"
#include "ops/support/ports.h"

namespace asg::cards {
namespace {

void infer(InferContext& ctx) {
  const Shape& x = ctx.shape(0);
  const std::int64_t block = ctx.integer("blocksize");
  ops::check_pictures(x);
  ops::check_divisible(x[2], block, "rows of pixels");
  ops::check_divisible(x[3], block, "columns of pixels");
  ctx.output({ctx.dtype(0), {x[0], x[1] * Dim(block * block), floor_div(x[2], block), floor_div(x[3], block)}});
}

void body(BodyContext& ctx) {
  const Tensor& x = ctx.in(0);
  const std::int64_t size = ctx.integer("blocksize");
  const Tensor block = ops::ints(ctx.graph(), {size});
  const Tensor batch = ops::length_of(x, 0);
  const Tensor channels = ops::length_of(x, 1);
  const Tensor height = ops::length_of(x, 2) / block;
  const Tensor width = ops::length_of(x, 3) / block;
  const Tensor depth = channels * ops::ints(ctx.graph(), {size * size});
  ctx.output(ops::rearranged(x, {batch, channels, height, block, width, block}, {0, 3, 5, 1, 2, 4},
                             {batch, depth, height, width}));
}

std::vector<Sample> samples() {
  return {
      {.name = "one_block",
       .inputs = {in_exact(Array::of<double>({1, 2, 2, 2}, {0, 2, 4, 6, 1, 3, 5, 7}))},
       .attrs = {{"blocksize", 2}},
       .expected = {Array::of<double>({1, 8, 1, 1}, {0, 1, 2, 3, 4, 5, 6, 7})}},
      {.name = "pictures", .inputs = {in({2, 1, 2, 4})}, .attrs = {{"blocksize", 2}}},
      {.name = "different_lengths", .inputs = {in({2, 5, 6, 3})}, .attrs = {{"blocksize", 3}}, .gradient = false},
      {.name = "blocks_of_one", .inputs = {in({1, 2, 2, 1})}, .attrs = {{"blocksize", 1}}},
      {.name = "empty", .inputs = {in({0, 1, 2, 2})}, .attrs = {{"blocksize", 2}}, .gradient = false},
  };
}

}  // namespace

OpCard card_space_to_depth() {
  return {
      .name = "SpaceToDepth",
      .category = Category::shape,
      .inputs = {{.name = "x",
                  .dtypes = kAnyType,
                  .words = {"pictures: [batch, channels, height, width]",
                            "изображения: [пакет, каналы, высота, ширина]"}}},
      .outputs = {{.name = "y",
                   .dtypes = kAnyType,
                   .words = {"smaller pictures with more channels", "изображения меньше, каналов больше"}}},
      .attributes = {ops::blocksize_attribute()},
      .infer = infer,
      .body = body,
      .gradient_kind = GradientKind::body,
      .cost = ops::cost_per_output(0),
      .onnx = {{.op = "SpaceToDepth", .since = 13}},
      .torch = "torch.nn.functional.pixel_unshuffle",
      .tolerance = ops::kExact,
      .words =
          {.what = {"Cuts pictures into blocks of b by b pixels and stacks the pixels of a block as channels: [1, 3, "
                    "8, 8] with b = 2 becomes [1, 12, 4, 4]. The new channels are grouped by the place in the block, "
                    "unlike in PyTorch's pixel_unshuffle; DepthToSpace in its mode DCR undoes it.",
                    "Режет изображения на блоки b на b пикселей и складывает пиксели блока в каналы: [1, 3, 8, 8] при "
                    "b = 2 становится [1, 12, 4, 4]. Новые каналы сгруппированы по месту в блоке, иначе, чем в "
                    "pixel_unshuffle из PyTorch; DepthToSpace в режиме DCR возвращает исходное."},
           .formula = R"(y_{(i b + j) C + c, \, h, \, w} = x_{c, \, b h + i, \, b w + j})",
           .why = {"It lowers the resolution and keeps every pixel where pooling would throw most of them away: YOLOv5 "
                   "began with it, for b = 2. Vision transformers cut pictures into patches the same way.",
                   "Понижает разрешение и сохраняет каждый пиксель там, где пулинг отбросил бы большинство: с неё, при "
                   "b = 2, начиналась YOLOv5. Точно так же режут изображение на фрагменты зрительные трансформеры."}},
      .samples = samples(),
      .bad_samples = ops::bad_blocks(),
  };
}

}  // namespace asg::cards
