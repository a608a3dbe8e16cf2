#include <string>

#include "ops/pooling/pool_parts.h"
#include "ops/support/cost.h"
#include "ops/support/kernels.h"
#include "ops/support/pairs.h"
#include "ops/support/ports.h"

namespace asg::cards {
namespace {

void infer(InferContext& ctx) {
  const Shape y = ops::pool_shape(ctx, ctx.shape(0));
  ctx.output({ctx.dtype(0), y});
  ctx.output({DType::i64, y});
}

// The place of a pixel when the first spatial axis is the one that runs fastest.
std::int64_t by_columns(std::int64_t pixel, const ops::Windows& windows) {
  const std::int64_t x = pixel % windows[2].input;
  const std::int64_t row = pixel / windows[2].input;
  const std::int64_t y = row % windows[1].input;
  const std::int64_t z = row / windows[1].input;
  return z + windows[0].input * (y + windows[1].input * x);
}

template <class T>
void pool_plane(const ops::Windows& windows, const T* from, T* to, std::int64_t* places) {
  std::fill_n(places, ops::positions_of(windows), -1);
  ops::for_each_patch_run(windows, [&](std::int64_t, std::int64_t position, std::int64_t pixel, std::int64_t count) {
    for (std::int64_t k = 0; k < count; ++k) {
      const std::int64_t read = pixel + k * windows[2].stride;
      ops::choose_larger(from[read], read, to[position + k], places[position + k]);
    }
  });
}

void kernel(KernelContext& ctx) {
  const Array& x = ctx.in(0);
  const auto windows = ops::three_axes(ops::pool_windows(ctx, Shape::of(x.sizes())));
  const std::int64_t pixels = ops::pixels_of(windows);
  const std::int64_t positions = ops::positions_of(windows);
  const bool columns = ctx.integer("storage_order") == 1;
  const auto places = ctx.out(1).mutable_data<std::int64_t>();
  ops::dispatch_numeric(x, [&]<class T>() {
    const T* from = x.data<T>().data();
    T* to = ctx.out().mutable_data<T>().data();
    for (std::int64_t plane = 0; plane < x.sizes()[0] * x.sizes()[1]; ++plane) {
      std::int64_t* place = places.data() + plane * positions;
      pool_plane(windows, from + plane * pixels, to + plane * positions, place);
      for (std::int64_t k = 0; k < positions; ++k) {
        place[k] = plane * pixels + (columns ? by_columns(place[k], windows) : place[k]);
      }
    }
  });
}

// Where the indices count by columns, those that count by rows are found anew.
void gradient(GradientContext& ctx) {
  if (!ctx.has_grad(0)) return;
  Tensor places = ctx.out(1);
  if (ctx.integer("storage_order") == 1) {
    Attrs attrs = ctx.attrs();
    attrs.erase("storage_order");
    places = add_op_outputs("MaxPool", {ctx.in(0)}, attrs)[1];
  }
  const Tensor grad = ctx.grad();
  ctx.set(0, ops::back_to_places(grad, places, ctx.in(0)));
}

Cost cost(const CostContext& ctx) {
  double taps = 1;
  for (std::int64_t length : ctx.integers("kernel_shape")) taps *= static_cast<double>(length);
  return {taps * ctx.elements(ctx.outputs()[0]), ops::bytes_moved(ctx), false};
}

std::vector<AttrSpec> attributes() {
  auto attributes = ops::pool_attributes();
  attributes.push_back(ops::dilations_attribute());
  attributes.push_back({.name = "storage_order",
                        .kind = AttrKind::integer,
                        .fallback = 0,
                        .choices = {0, 1},
                        .words = {"whether the indices count the elements of a picture by rows (0) or by columns (1)",
                                  "как индексы нумеруют элементы изображения: по строкам (0) или по столбцам (1)"}});
  return attributes;
}

std::vector<Sample> samples() {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double inf = std::numeric_limits<double>::infinity();
  std::vector<Sample> samples = {
      {.name = "exact",
       .inputs = {in_exact(Array::of<double>({1, 2, 4}, {1, 3, 2, 5, 9, 8, 7, 6}))},
       .attrs = {{"kernel_shape", Sizes{2}}},
       .expected = {Array::of<double>({1, 2, 3}, {3, 3, 5, 9, 8, 7}),
                    Array::of<std::int64_t>({1, 2, 3}, {1, 1, 3, 4, 5, 6})}},
      {.name = "exact_by_columns",
       .inputs = {in_exact(Array::of<double>({1, 1, 2, 3}, {1, 2, 6, 4, 5, 3}))},
       .attrs = {{"kernel_shape", Sizes{2, 2}}, {"storage_order", 1}},
       .expected = {Array::of<double>({1, 1, 1, 2}, {5, 6}), Array::of<std::int64_t>({1, 1, 1, 2}, {3, 4})}},
      {.name = "negative_numbers_beside_padding",
       .inputs = {in_exact(Array::of<double>({1, 1, 3}, {-3, -2, -4}))},
       .attrs = {{"kernel_shape", Sizes{3}}, {"pads", Sizes{2, 2}}, {"strides", Sizes{2}}},
       .gradient = false,
       .expected = {Array::of<double>({1, 1, 3}, {-3, -2, -4}), Array::of<std::int64_t>({1, 1, 3}, {0, 1, 2})}},
      {.name = "ceil_leaves_out_a_window_that_begins_in_the_padding",
       .inputs = {in_exact(Array::of<double>({1, 1, 3}, {1, 2, 3}))},
       .attrs = {{"kernel_shape", Sizes{2}}, {"strides", Sizes{2}}, {"pads", Sizes{1, 1}}, {"ceil_mode", true}},
       .gradient = false,
       .expected = {Array::of<double>({1, 1, 2}, {1, 3}), Array::of<std::int64_t>({1, 1, 2}, {0, 2})}},
      {.name = "extremes",
       .inputs = {in_exact(Array::of<double>({1, 1, 6}, {1, nan, 2, inf, -inf, -inf}))},
       .attrs = {{"kernel_shape", Sizes{2}}},
       .gradient = false,
       .expected = {Array::of<double>({1, 1, 5}, {nan, nan, inf, inf, -inf}),
                    Array::of<std::int64_t>({1, 1, 5}, {1, 1, 3, 3, 4})}},
      {.name = "two_axes",
       .inputs = {distinct({2, 3, 4, 5})},
       .attrs = {{"kernel_shape", Sizes{2, 3}}, {"strides", Sizes{1, 2}}, {"pads", Sizes{0, 1, 1, 2}}}},
      {.name = "three_axes",
       .inputs = {distinct({1, 2, 3, 2, 3})},
       .attrs = {{"kernel_shape", Sizes{2, 2, 2}}, {"storage_order", 1}}},
      {.name = "no_pictures", .inputs = {in({0, 2, 4})}, .attrs = {{"kernel_shape", Sizes{2}}}, .gradient = false},
  };
  const std::vector<ops::AttrValues> values = {
      {"kernel_shape", {Sizes{2}, Sizes{3}}},
      {"strides", {Sizes{}, Sizes{2}}},
      {"pads", {Sizes{}, Sizes{1, 0}}},
      {"auto_pad", {"NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID"}},
      {"ceil_mode", {false, true}},
      {"dilations", {Sizes{}, Sizes{2}}},
      {"storage_order", {0, 1}},
  };
  for (const Attrs& attrs : ops::all_pairs(values, ops::no_pads_beside_auto_pad)) {
    samples.push_back(
        {.name = "pairs_" + std::to_string(samples.size()), .inputs = {distinct({1, 2, 6})}, .attrs = attrs});
  }
  return samples;
}

std::vector<BadSample> bad_samples() {
  std::vector<BadSample> samples = ops::bad_pools();
  samples.push_back({.name = "gaps_that_miss_the_input",
                     .inputs = {in({1, 1, 2})},
                     .attrs = {{"kernel_shape", Sizes{2}}, {"dilations", Sizes{3}}, {"pads", Sizes{1, 1}}},
                     .code = ErrorCode::bad_shape,
                     .contains = "sees only padding at position 0"});
  return samples;
}

}  // namespace

OpCard card_max_pool() {
  auto outputs = ops::pool_outputs(kNumbers);
  outputs.push_back(
      ops::indices_port({"where each maximum stands in x, counted over all its elements; of equal ones the first",
                         "место каждого максимума в x при сквозной нумерации его элементов; из равных — первый"}));
  return {
      .name = "MaxPool",
      .category = Category::pooling,
      .inputs = ops::pool_inputs(kNumbers),
      .outputs = outputs,
      .attributes = attributes(),
      .infer = infer,
      .kernel = kernel,
      .gradient_kind = GradientKind::rule,
      .gradient = gradient,
      .cost = cost,
      .onnx = {{.op = "MaxPool", .since = 12}},
      .torch = "torch.nn.functional.max_pool2d",
      .tolerance = ops::kExact,
      .words = {.what = {"Slides a window over each channel and keeps the largest number under it. Padding never wins: "
                         "outside the input there is nothing to choose. The second output tells where each maximum was "
                         "found; a NaN under the window is passed on.",
                         "Проводит окно по каждому каналу и оставляет наибольшее число под ним. Дополнение никогда не "
                         "побеждает: вне входа выбирать нечего. Второй выход сообщает, где найден каждый максимум; NaN "
                         "под окном передаётся дальше."},
                .formula = R"(y_{n c p} = \max_{t} x_{n c, \, p s + t d - q})",
                .why = {"Asks whether a feature occurs anywhere near, not where exactly, so that small shifts of the "
                        "picture change little; with a stride of 2 it halves the map, as after every stage of VGG. The "
                        "gradient reaches only the elements that won, which is why the indices are kept.",
                        "Спрашивает, есть ли признак где-то рядом, а не где именно, поэтому небольшие сдвиги "
                        "изображения мало что меняют; с шагом 2 она вдвое уменьшает карту, как после каждой ступени "
                        "VGG. Градиент доходит только до победивших элементов, поэтому индексы сохраняются."}},
      .samples = samples(),
      .bad_samples = bad_samples(),
  };
}

}  // namespace asg::cards
