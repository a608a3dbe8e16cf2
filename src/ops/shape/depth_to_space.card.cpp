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
  ops::check_divisible(x[1], block * block, "channels");
  ctx.output({ctx.dtype(0), {x[0], floor_div(x[1], block * block), x[2] * Dim(block), x[3] * Dim(block)}});
}

void body(BodyContext& ctx) {
  const Tensor& x = ctx.in(0);
  const bool depth_first = ctx.text("mode") == "DCR";
  const std::int64_t size = ctx.integer("blocksize");
  const Tensor block = ops::ints(ctx.graph(), {size});
  const Tensor batch = ops::length_of(x, 0);
  const Tensor channels = ops::length_of(x, 1);
  const Tensor depth = channels / ops::ints(ctx.graph(), {size * size});
  const Tensor height = ops::length_of(x, 2);
  const Tensor width = ops::length_of(x, 3);
  const Tensor rows = height * block;
  const Tensor columns = width * block;
  const std::vector<Tensor> target = {batch, depth, rows, columns};
  ctx.output(depth_first ? ops::rearranged(x, {batch, block, block, depth, height, width}, {0, 3, 4, 1, 5, 2}, target)
                         : ops::rearranged(x, {batch, depth, block, block, height, width}, {0, 1, 4, 2, 5, 3}, target));
}

std::vector<Sample> samples() {
  const Array eight = Array::of<double>({1, 8, 1, 1}, {0, 1, 2, 3, 4, 5, 6, 7});
  return {
      {.name = "depth_first",
       .inputs = {in_exact(eight)},
       .attrs = {{"blocksize", 2}},
       .expected = {Array::of<double>({1, 2, 2, 2}, {0, 2, 4, 6, 1, 3, 5, 7})}},
      {.name = "block_first",
       .inputs = {in_exact(eight)},
       .attrs = {{"blocksize", 2}, {"mode", "CRD"}},
       .expected = {Array::of<double>({1, 2, 2, 2}, {0, 1, 2, 3, 4, 5, 6, 7})}},
      {.name = "pictures", .inputs = {in({1, 4, 2, 3})}, .attrs = {{"blocksize", 2}}},
      {.name = "pictures_block_first", .inputs = {in({2, 4, 1, 3})}, .attrs = {{"blocksize", 2}, {"mode", "CRD"}}},
      {.name = "different_lengths", .inputs = {in({2, 9, 3, 4})}, .attrs = {{"blocksize", 3}}, .gradient = false},
      {.name = "blocks_of_one", .inputs = {in({1, 2, 2, 1})}, .attrs = {{"blocksize", 1}}},
      {.name = "empty", .inputs = {in({0, 4, 2, 2})}, .attrs = {{"blocksize", 2}}, .gradient = false},
  };
}

}  // namespace

OpCard card_depth_to_space() {
  return {
      .name = "DepthToSpace",
      .category = Category::shape,
      .inputs = {{.name = "x",
                  .dtypes = kAnyType,
                  .words = {"[batch, channels, height, width]", "[пакет, каналы, высота, ширина]"}}},
      .outputs = {{.name = "y",
                   .dtypes = kAnyType,
                   .words = {"fewer channels, larger pictures", "меньше каналов, больше изображения"}}},
      .attributes =
          {ops::blocksize_attribute(),
           {.name = "mode",
            .kind = AttrKind::text,
            .fallback = "DCR",
            .choices = {"DCR", "CRD"},
            .words = {"whether the place in the block (DCR) or the channel of the result (CRD) changes slowest along "
                      "the channels of x",
                      "что медленнее меняется вдоль каналов x: место в блоке (DCR) или канал результата (CRD)"}}},
      .infer = infer,
      .body = body,
      .gradient_kind = GradientKind::body,
      .cost = ops::cost_per_output(0),
      .onnx = {{.op = "DepthToSpace", .since = 11}},
      .torch = "torch.nn.functional.pixel_shuffle",
      .tolerance = ops::kExact,
      .words =
          {.what = {"Builds larger pictures from channels: every group of b·b channels becomes a block of b by b "
                    "pixels. [1, 8, 5, 5] with b = 2 turns into [1, 2, 10, 10]; no number changes. The mode decides "
                    "which channels form a group; CRD is what PyTorch calls pixel shuffle.",
                    "Строит из каналов изображения большего размера: каждая группа из b·b каналов становится блоком b "
                    "на b пикселей. [1, 8, 5, 5] при b = 2 превращается в [1, 2, 10, 10], сами числа не меняются. "
                    "Какие каналы составляют группу, решает режим; CRD — то, что в PyTorch называется pixel shuffle."},
           .formula = R"(y_{c, \, b h + i, \, b w + j} = x_{(i b + j) C + c, \, h, \, w})",
           .why = {"Super-resolution networks such as ESPCN compute at low resolution, where it is cheap, and let the "
                   "last convolution make b·b channels per colour, which this op lays out as pixels. No windows "
                   "overlap, so the checkerboard patterns of transposed convolutions do not arise from it.",
                   "Сети повышения разрешения, например ESPCN, считают на малом разрешении, где это дёшево, а "
                   "последняя свёртка даёт b·b каналов на каждый цвет, которые эта операция раскладывает в пиксели. "
                   "Окна не перекрываются, и шахматный узор транспонированных свёрток здесь не возникает."}},
      .samples = samples(),
      .bad_samples = ops::bad_blocks(),
  };
}

}  // namespace asg::cards
