#include <algorithm>
#include <cmath>

#include "ops/normalization/norm_parts.h"
#include "ops/support/channels.h"
#include "ops/support/cost.h"
#include "ops/support/gradients.h"
#include "ops/support/kernels.h"

namespace asg::cards {
namespace {

void infer(InferContext& ctx) {
  ops::check_has_channels(ctx);
  ctx.output(ctx.type(0));
}

// How many of the neighbours come before the channel itself; of an even number the larger half comes after.
std::int64_t before(const AttrReader& attributes) { return (attributes.integer("size") - 1) / 2; }

void kernel(KernelContext& ctx) {
  const auto lanes = ops::lanes_of(ctx.in(0).sizes(), 1);
  const std::int64_t size = ctx.integer("size");
  const double share = ctx.real("alpha") / static_cast<double>(size);
  const double* from = ctx.in(0).data<double>().data();
  double* to = ctx.out().mutable_data<double>().data();
  ops::for_each_lane(lanes, [&](std::int64_t first) {
    for (std::int64_t channel = 0; channel < lanes.length; ++channel) {
      const std::int64_t begin = channel - before(ctx);
      double squares = 0;
      for (std::int64_t near = std::max<std::int64_t>(0, begin); near < std::min(lanes.length, begin + size); ++near) {
        const double number = from[first + near * lanes.after_count];
        squares += number * number;
      }
      const std::int64_t at = first + channel * lanes.after_count;
      to[at] = from[at] / std::pow(ctx.real("bias") + share * squares, ctx.real("beta"));
    }
  });
}

// A convolution with ones along the channels sums the squares of neighbours.
void body(BodyContext& ctx) {
  Graph& graph = ctx.graph();
  const Tensor& x = ctx.in(0);
  const std::int64_t size = ctx.integer("size");
  const Tensor rows = add_op("Reshape", {x * x, ops::ints(graph, {0, 0, -1})});
  const Tensor planes = add_op("Unsqueeze", {rows, ops::ints(graph, {1})});
  const Tensor ones = add_op("Expand", {ops::scalar_like(x, 1), ops::ints(graph, {1, 1, size, 1})});
  const Sizes pads = {before(ctx), 0, size - 1 - before(ctx), 0};
  const Tensor sums = add_op("Conv", {planes, ones}, {{"pads", pads}});
  const Tensor squares = add_op("Reshape", {sums, ops::shape_of(x)});
  const Tensor base = squares * (ctx.real("alpha") / static_cast<double>(size)) + ctx.real("bias");
  ctx.output(x / add_op("Pow", {base, ops::scalar_like(x, ctx.real("beta"))}));
}

AttrSpec number(std::string_view name, double fallback, Words words) {
  return {.name = name, .kind = AttrKind::real, .fallback = fallback, .words = words};
}

std::vector<Sample> samples() {
  return {
      {.name = "exact",
       .inputs = {in_exact(Array::of<double>({1, 4, 1}, {1, 2, 3, 4}))},
       .attrs = {{"size", 3}, {"alpha", 3.0}, {"beta", 1.0}},
       .expected = {Array::of<double>({1, 4, 1}, {1 / 6.0, 2 / 15.0, 3 / 30.0, 4 / 26.0})}},
      {.name = "even_size_reaches_further_forward",
       .inputs = {in_exact(Array::of<double>({1, 3, 1}, {1, 2, 3}))},
       .attrs = {{"size", 2}, {"alpha", 2.0}, {"beta", 1.0}, {"bias", 0.0}},
       .expected = {Array::of<double>({1, 3, 1}, {0.2, 2 / 13.0, 1 / 3.0})}},
      {.name = "small_alpha", .inputs = {in({2, 3, 4})}, .attrs = {{"size", 3}}},
      {.name = "alpha", .inputs = {in({1, 3, 2})}, .attrs = {{"size", 5}, {"alpha", 0.7}}},
      {.name = "beta", .inputs = {in({1, 3, 2})}, .attrs = {{"size", 3}, {"beta", 0.4}, {"bias", 2.0}}},
      {.name = "bias", .inputs = {in({1, 3, 2, 2})}, .attrs = {{"size", 3}, {"alpha", 1.5}, {"bias", 0.5}}},
      {.name = "only_bias", .inputs = {in({1, 2, 3})}, .attrs = {{"size", 1}, {"bias", 3.0}}},
      {.name = "alpha_beta", .inputs = {in({2, 4})}, .attrs = {{"size", 4}, {"alpha", 0.9}, {"beta", 0.5}}},
      {.name = "no_pictures", .inputs = {in({0, 3, 2})}, .attrs = {{"size", 3}}, .gradient = false},
  };
}

}  // namespace

OpCard card_lrn() {
  return {
      .name = "LRN",
      .category = Category::normalization,
      .inputs = {{.name = "x", .words = {"[batch, channels, …]", "[пакет, каналы, …]"}}},
      .outputs = {{.name = "y",
                   .words = {"x, damped where neighbouring channels are strong",
                             "x, ослабленный там, где сильны соседние каналы"}}},
      .attributes =
          {{.name = "size",
            .kind = AttrKind::integer,
            .least = 1,
            .words = {"how many channels are summed; of an even number one more lies after the channel than before it",
                      "сколько каналов суммируется; при чётном числе после канала их на один больше, чем до него"}},
           number("alpha", 1e-4, {"weight of the mean square", "вес среднего квадрата"}),
           number("beta", 0.75, {"the exponent", "показатель степени"}),
           number("bias", 1, {"added before the power is taken", "прибавляется до возведения в степень"})},
      .infer = infer,
      .body = body,
      .kernel = kernel,
      .gradient_kind = GradientKind::body,
      .cost = ops::cost_per_output(ops::kTranscendental),
      .onnx = {{.op = "LRN", .since = 13}},
      .torch = "torch.nn.functional.local_response_norm",
      .tolerance = ops::kNormTolerance,
      .words =
          {.what = {"Local response normalisation: divides each element by (bias + alpha · the mean square of the "
                    "`size` channels around its own) to the power `beta`, at the same position. At the first and last "
                    "channels fewer neighbours exist, but their sum is still divided by `size`.",
                    "Локальная нормализация отклика: делит каждый элемент на (bias + alpha · средний квадрат `size` "
                    "каналов вокруг его собственного) в степени `beta`, в той же позиции. У крайних каналов соседей "
                    "меньше, но их сумма всё равно делится на `size`."},
           .formula = R"(y_c = \frac{x_c}{\left( k + \frac{\alpha}{n} \sum_{j \in N(c)} x_j^2 \right)^\beta})",
           .why = {"Imitates neurons that inhibit their neighbours: a channel stands out only if those beside it are "
                   "quiet. AlexNet and GoogLeNet used it; later networks replaced it with batch normalisation.",
                   "Подражает нейронам, тормозящим соседей: канал выделяется, только если соседние молчат. Применялась "
                   "в AlexNet и GoogLeNet; позже её вытеснила пакетная нормализация."}},
      .samples = samples(),
      .bad_samples = {{.name = "no_channels",
                       .inputs = {in({3})},
                       .attrs = {{"size", 3}},
                       .code = ErrorCode::bad_shape,
                       .contains = "[batch, channels, …]"},
                      {.name = "size_zero",
                       .inputs = {in({1, 3})},
                       .attrs = {{"size", 0}},
                       .code = ErrorCode::bad_attribute,
                       .contains = "at least 1"}},
  };
}

}  // namespace asg::cards
