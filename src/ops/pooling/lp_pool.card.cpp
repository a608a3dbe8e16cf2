#include <algorithm>
#include <cmath>
#include <string>

#include "asg/graph/graph.h"
#include "ops/pooling/pool_parts.h"
#include "ops/support/cost.h"
#include "ops/support/gradients.h"
#include "ops/support/pairs.h"
#include "ops/support/samples.h"

namespace asg::cards {
namespace {

void infer(InferContext& ctx) { ctx.output({ctx.dtype(0), ops::pool_shape(ctx, ctx.shape(0))}); }

// Each window is scaled by its largest magnitude, so that no power overflows.
void pool_plane(const ops::Windows& windows, const double* from, double* to, double p, std::vector<double>& largest) {
  std::fill(largest.begin(), largest.end(), 0.0);
  const auto visit = [&](auto&& use) {
    ops::for_each_patch_run(windows, [&](std::int64_t, std::int64_t position, std::int64_t pixel, std::int64_t count) {
      for (std::int64_t k = 0; k < count; ++k) {
        use(position + k, std::abs(from[pixel + k * windows[2].stride]));
      }
    });
  };
  visit([&](std::int64_t position, double size) {
    double& most = largest[static_cast<std::size_t>(position)];
    if (std::isfinite(size)) most = std::max(most, size);
  });
  visit([&](std::int64_t position, double size) {
    const double most = largest[static_cast<std::size_t>(position)];
    to[position] += std::pow(most > 0 ? size / most : size, p);
  });
  for (std::size_t k = 0; k < largest.size(); ++k) {
    to[k] = std::pow(to[k], 1 / p) * (largest[k] > 0 ? largest[k] : 1);
  }
}

void kernel(KernelContext& ctx) {
  const Array& x = ctx.in(0);
  const auto windows = ops::three_axes(ops::pool_windows(ctx, Shape::of(x.sizes())));
  const auto p = static_cast<double>(ctx.integer("p"));
  const std::int64_t positions = ops::positions_of(windows);
  std::vector<double> largest(static_cast<std::size_t>(positions));
  const double* from = x.data<double>().data();
  double* to = ctx.out().mutable_data<double>().data();
  for (std::int64_t plane = 0; plane < x.sizes()[0] * x.sizes()[1]; ++plane) {
    pool_plane(windows, from + plane * ops::pixels_of(windows), to + plane * positions, p, largest);
  }
}

// The attributes of a convolution with the same windows. Where ceil_mode lets the last one reach further, so does the
// padding.
Attrs convolution_attributes(const BodyContext& ctx) {
  const Tensor& x = ctx.in(0);
  Attrs attrs = {{"strides", ctx.integers("strides")}, {"dilations", ctx.integers("dilations")}};
  if (!ctx.boolean("ceil_mode")) {
    attrs.set("pads", ctx.integers("pads"));
    attrs.set("auto_pad", ctx.text("auto_pad"));
    return attrs;
  }
  std::vector<std::int64_t> pads;
  std::vector<std::int64_t> after;
  for (const ops::Window& window : ops::pool_windows(ctx, x.shape())) {
    pads.push_back(window.pad);
    after.push_back(std::max<std::int64_t>(0, window.exact_pad_after()));
  }
  pads.insert(pads.end(), after.begin(), after.end());
  attrs.set("pads", pads);
  return attrs;
}

// A convolution with ones sums the powers under each window; batch and channels are one axis for it.
void body(BodyContext& ctx) {
  Graph& graph = ctx.graph();
  const Tensor& x = ctx.in(0);
  const auto p = static_cast<double>(ctx.integer("p"));
  const Tensor size = add_op("Abs", {x});
  const Tensor powers = add_op("Pow", {size, ops::scalar_like(x, p)});
  Sizes planes(static_cast<std::size_t>(x.rank()), 0);
  planes[0] = -1;
  planes[1] = 1;
  Sizes taps = {1, 1};
  for (std::int64_t length : ctx.integers("kernel_shape")) taps.push_back(length);
  const Tensor flat = add_op("Reshape", {powers, ops::ints(graph, planes)});
  const Tensor ones = add_op("Expand", {ops::scalar_like(x, 1), ops::ints(graph, taps)});
  const Tensor sums = add_op("Conv", {flat, ones}, convolution_attributes(ctx));
  // The root is infinitely steep at 0; a window of zeros gets no gradient.
  const Tensor is_zero = add_op("Equal", {sums, ops::scalar_like(x, 0)});
  const Tensor safe = ops::choose(is_zero, ops::scalar_like(x, 1), sums);
  const Tensor powered = add_op("Pow", {safe, ops::scalar_like(x, 1 / p)});
  const Tensor roots = ops::choose(is_zero, ops::scalar_like(x, 0), powered);
  const auto part = [&](const Tensor& tensor, std::int64_t begin, std::int64_t end) {
    const Tensor from = ops::ints(graph, {begin});
    return add_op("Slice", {add_op("Shape", {tensor}), from, ops::ints(graph, {end})});
  };
  const Tensor outer = part(x, 0, 2);
  const Tensor spatial = part(roots, 2, x.rank());
  ctx.output(add_op("Reshape", {roots, add_op("Concat", {outer, spatial}, {{"axis", 0}})}));
}

std::vector<AttrSpec> attributes() {
  auto attributes = ops::pool_attributes();
  attributes.push_back(ops::dilations_attribute());
  attributes.push_back({.name = "p",
                        .kind = AttrKind::integer,
                        .fallback = 2,
                        .least = 1,
                        .words = {"the order of the norm: 1 sums magnitudes, 2 is the length of the window as a vector",
                                  "порядок нормы: 1 складывает модули, 2 даёт длину окна как вектора"}});
  return attributes;
}

std::vector<Sample> samples() {
  std::vector<Sample> samples = {
      {.name = "exact",
       .inputs = {in_exact(Array::of<double>({1, 1, 4}, {3, -4, 0, 12}))},
       .attrs = {{"kernel_shape", Sizes{2}}},
       .gradient = false,
       .expected = {Array::of<double>({1, 1, 3}, {5, 4, 12})}},
      {.name = "extremes",
       .inputs = {in_exact(Array::of<double>({1, 1, 6}, {3e200, 4e200, ops::kInfinity, 1, 0, 0}))},
       .attrs = {{"kernel_shape", Sizes{2}}, {"strides", Sizes{2}}, {"p", 1}},
       .gradient = false,
       .expected = {Array::of<double>({1, 1, 3}, {7e200, ops::kInfinity, 0})}},
      {.name = "three_axes", .inputs = {in({1, 1, 2, 3, 2}, 0.2, 1.5)}, .attrs = {{"kernel_shape", Sizes{2, 2, 1}}}},
      {.name = "different_lengths",
       .inputs = {in({2, 3, 4, 5}, 0.2, 1.5)},
       .attrs = {{"kernel_shape", Sizes{3, 2}}, {"strides", Sizes{1, 2}}, {"pads", Sizes{2, 0, 0, 1}}}},
      {.name = "no_pictures", .inputs = {in({0, 2, 4})}, .attrs = {{"kernel_shape", Sizes{2}}}, .gradient = false},
  };
  const std::vector<ops::AttrValues> values = {
      {"kernel_shape", {Sizes{2}, Sizes{3}}},
      {"strides", {Sizes{}, Sizes{2}}},
      {"pads", {Sizes{}, Sizes{1, 0}}},
      {"auto_pad", {"NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID"}},
      {"ceil_mode", {false, true}},
      {"dilations", {Sizes{}, Sizes{2}}},
      {"p", {2, 1, 3}},
  };
  for (const Attrs& attrs : ops::all_pairs(values, ops::no_pads_beside_auto_pad)) {
    samples.push_back(
        {.name = "pairs_" + std::to_string(samples.size()), .inputs = {in({1, 2, 6}, 0.2, 1.5)}, .attrs = attrs});
  }
  return samples;
}

}  // namespace

OpCard card_lp_pool() {
  return {
      .name = "LpPool",
      .category = Category::pooling,
      .inputs = ops::pool_inputs(),
      .outputs = ops::pool_outputs(),
      .attributes = attributes(),
      .infer = infer,
      .body = body,
      .kernel = kernel,
      .gradient_kind = GradientKind::body,
      .cost = ops::cost_per_input(ops::kTranscendental),
      .onnx = {{.op = "LpPool", .since = 18}},
      .torch = "torch.nn.functional.lp_pool2d",
      .words =
          {.what = {"Slides a window over each channel and takes the p-norm of the numbers under it; padding counts as "
                    "zeros. With p = 1 it adds up magnitudes, with p = 2 it measures the length of the window as a "
                    "vector, and for large p it comes close to the largest magnitude. Signs are lost.",
                    "Проводит окно по каждому каналу и берёт p-норму чисел под ним; дополнение считается нулями. При p "
                    "= 1 складываются модули, при p = 2 измеряется длина окна как вектора, а при больших p результат "
                    "близок к наибольшему модулю. Знаки теряются."},
           .formula = R"(y_{n c i} = \left( \sum_{t} |x_{n c, \, i s + t d - q}|^p \right)^{1 / p})",
           .why = {"A compromise between average and maximum pooling: strong responses count more, but the weak ones "
                   "still count and still receive gradient. Networks that read house numbers from street photographs "
                   "gained from a p between the two extremes; p = 2 measures the local energy of a filter's response.",
                   "Компромисс между усредняющим пулингом и max-пулингом: сильные отклики весят больше, но и слабые "
                   "учитываются и получают градиент. Сетям, читающим номера домов на уличных снимках, помогло p между "
                   "этими крайностями; при p = 2 измеряется локальная энергия отклика фильтра."}},
      .samples = samples(),
      .bad_samples = ops::bad_pools(),
  };
}

}  // namespace asg::cards
