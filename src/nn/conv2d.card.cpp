#include "nn/support/layers.h"

namespace asg::nn_cards {
namespace {

void body(BodyContext& ctx) {
  const Tensor& x = ctx.in(0);
  if (x.rank() != 4) {
    fail(ErrorCode::bad_shape, "an input of shape " + x.shape().to_string(), "[batch, channels, height, width]");
  }
  const std::int64_t in_channels = nn::known_length(ctx, x, 1, "channels");
  const std::int64_t channels = ctx.integer("channels");
  const std::int64_t groups = ctx.integer("groups");
  const std::vector<std::int64_t>& kernel = ctx.integers("kernel");
  if (kernel.size() != 2) {
    fail(ErrorCode::bad_attribute, std::to_string(kernel.size()) + " kernel lengths", "two: height and width");
  }
  if (in_channels % groups != 0 || channels % groups != 0) {
    fail(ErrorCode::bad_attribute,
         std::to_string(groups) + " groups for " + std::to_string(in_channels) + " input and " +
             std::to_string(channels) + " output channels",
         "a number of groups that divides both");
  }
  const Tensor weight =
      ctx.parameter("weight", {channels, in_channels / groups, kernel[0], kernel[1]}, Initializer::kaiming_uniform());
  const Tensor bias = ctx.boolean("bias") ? ctx.parameter("bias", {channels}, Initializer::zeros()) : Tensor{};
  ctx.output(add_op("Conv", {x, weight, bias},
                    {{"strides", ctx.integers("strides")},
                     {"pads", ctx.integers("pads")},
                     {"dilations", ctx.integers("dilations")},
                     {"group", groups}}));
}

AttrSpec list(std::string_view name, std::vector<std::int64_t> fallback, double least, Words words) {
  return {.name = name, .kind = AttrKind::integers, .fallback = std::move(fallback), .least = least, .words = words};
}

using Ints64 = std::vector<std::int64_t>;

Sample sample(std::string name, Sizes sizes, Attrs attrs) {
  if (attrs.find("channels") == nullptr) attrs.set("channels", 2);
  if (attrs.find("kernel") == nullptr) attrs.set("kernel", Ints64{3, 2});
  return {.name = std::move(name), .inputs = {in(std::move(sizes))}, .attrs = std::move(attrs)};
}

// Every two attributes meet at their defaults and away from them.
std::vector<Sample> samples() {
  const std::pair<const char*, Attr> others[] = {{"strides", Ints64{2, 1}},
                                                 {"pads", Ints64{1, 0, 0, 1}},
                                                 {"dilations", Ints64{1, 2}},
                                                 {"groups", 2},
                                                 {"bias", false}};
  std::vector<Sample> result = {sample("plain", {2, 3, 5, 4}, {}), sample("no_batch_axis_of_one", {1, 1, 4, 3}, {})};
  for (std::size_t first = 0; first < std::size(others); ++first) {
    result.push_back(sample(others[first].first, {1, 2, 5, 6}, {others[first]}));
    for (std::size_t second = first + 1; second < std::size(others); ++second) {
      result.push_back(sample(std::string(others[first].first) + "_" + others[second].first, {1, 2, 5, 6},
                              {others[first], others[second]}));
    }
  }
  return result;
}

}  // namespace

OpCard card_conv2d() {
  return {
      .name = "nn.Conv2d",
      .category = Category::convolution,
      .inputs = nn::x_port({"[batch, channels, height, width]", "[пакет, каналы, высота, ширина]"}),
      .outputs = nn::y_port({"[batch, `channels`, height, width]", "[пакет, `channels`, высота, ширина]"}),
      .attributes = {{.name = "channels", .least = 1, .words = {"number of filters", "число фильтров"}},
                     {.name = "kernel",
                      .kind = AttrKind::integers,
                      .least = 1,
                      .words = {"height and width of a filter", "высота и ширина фильтра"}},
                     list("strides", {1, 1}, 1, {"step of the window", "шаг окна"}),
                     list("pads", {0, 0, 0, 0}, 0,
                          {"zeros added at top, left, bottom, right", "нули сверху, слева, снизу, справа"}),
                     list("dilations", {1, 1}, 1,
                          {"distance between taps of a filter", "расстояние между точками фильтра"}),
                     {.name = "groups",
                      .fallback = 1,
                      .least = 1,
                      .words = {"channels are split into so many independent parts",
                                "на сколько независимых частей делятся каналы"}},
                     {.name = "bias",
                      .kind = AttrKind::boolean,
                      .fallback = true,
                      .words = {"whether a bias is added", "прибавлять ли смещение"}}},
      .body = body,
      .composite = true,
      .gradient_kind = GradientKind::body,
      .torch = "torch.nn.Conv2d",
      .words =
          {.what = {"Slides learned filters over an image: each output channel is the response of one filter at every "
                    "place. "
                    "The same weights are used everywhere, so a shape is recognised wherever it stands.",
                    "Проводит обучаемые фильтры по изображению: каждый выходной канал — отклик одного фильтра во всех "
                    "местах. "
                    "Веса везде одни, поэтому форма узнаётся, где бы она ни стояла."},
           .formula = R"(y_{o,i,j} = b_o + \sum_{c,u,v} w_{o,c,u,v} x_{c,si+u,sj+v})",
           .why =
               {"Convolutions need far fewer parameters than full connections and match the structure of images. Early "
                "layers learn edges, later ones parts and objects.",
                "Свёрткам нужно гораздо меньше параметров, чем полным связям, и они отвечают устройству изображений. "
                "Первые слои учат края, следующие — части и предметы."}},
      .samples = samples(),
      .bad_samples = {{.name = "rank_3",
                       .inputs = {in({3, 4, 5})},
                       .attrs = {{"channels", 2}, {"kernel", Ints64{3, 3}}},
                       .code = ErrorCode::bad_shape,
                       .contains = "[batch, channels, height, width]"},
                      {.name = "groups",
                       .inputs = {in({1, 3, 4, 5})},
                       .attrs = {{"channels", 2}, {"kernel", Ints64{3, 3}}, {"groups", 2}},
                       .code = ErrorCode::bad_attribute,
                       .contains = "divides both"},
                      {.name = "kernel_too_large",
                       .inputs = {in({1, 3, 2, 2})},
                       .attrs = {{"channels", 2}, {"kernel", Ints64{3, 3}}},
                       .code = ErrorCode::bad_shape,
                       .contains = ""}},
  };
}

}  // namespace asg::nn_cards
