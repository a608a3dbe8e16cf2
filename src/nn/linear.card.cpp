#include "nn/support/layers.h"

namespace asg::nn_cards {
namespace {

void body(BodyContext& ctx) {
  const Tensor& x = ctx.in(0);
  const std::int64_t features = nn::known_length(ctx, x, x.rank() - 1, "features");
  const std::int64_t units = ctx.integer("units");
  Tensor weight;
  if (ctx.boolean("transposed")) {
    weight = add_op("Transpose", {ctx.parameter("weight", {units, features}, Initializer::xavier_uniform())});
  } else {
    weight = ctx.parameter("weight", {features, units}, Initializer::xavier_uniform());
  }
  Tensor y = add_op("MatMul", {x, weight});
  if (ctx.boolean("bias")) y = y + ctx.parameter("bias", {units}, Initializer::zeros());
  ctx.output(y);
}

}  // namespace

OpCard card_linear() {
  return {
      .name = "nn.Linear",
      .category = Category::linear_algebra,
      .inputs = nn::x_port({"features on the last axis", "признаки на последней оси"}),
      .outputs = nn::y_port({"`units` features on the last axis", "`units` признаков на последней оси"}),
      .attributes = {{.name = "units", .least = 1, .words = {"number of output features", "число выходных признаков"}},
                     nn::bias_attribute({"whether a bias is added", "прибавлять ли смещение"}),
                     {.name = "transposed",
                      .kind = AttrKind::boolean,
                      .fallback = false,
                      .words = {"store the weight as [units, features], so that it can be shared with an embedding",
                                "хранить веса как [units, features], чтобы использовать их и в таблице эмбеддингов"}}},
      .body = body,
      .composite = true,
      .gradient_kind = GradientKind::body,
      .torch = "torch.nn.Linear",
      .words =
          {.what = {"Multiplies the last axis by a weight matrix and adds a bias: every output feature is a weighted "
                    "sum of all input features. All other axes, such as batch and time, are left as they are.",
                    "Умножает последнюю ось на матрицу весов и прибавляет смещение: каждый выходной признак — "
                    "взвешенная сумма всех входных. Остальные оси, например пакет и время, не меняются."},
           .formula = "y = x W + b",
           .why = {"It is where a network mixes features and where most parameters of a transformer sit: the "
                   "projections of attention and the feed-forward part are linear layers. Stacked with activations in "
                   "between, they can approximate any continuous function.",
                   "Здесь сеть смешивает признаки, и здесь же лежит большинство параметров трансформера: проекции "
                   "внимания и полносвязная часть — это линейные слои. Несколько таких слоёв с активациями между ними "
                   "приближают любую непрерывную функцию."}},
      .samples = {{.name = "plain", .inputs = {in({2, 3, 4})}, .attrs = {{"units", 5}}},
                  {.name = "no_bias", .inputs = {in({3, 4})}, .attrs = {{"units", 2}, {"bias", false}}},
                  {.name = "transposed", .inputs = {in({3, 4})}, .attrs = {{"units", 2}, {"transposed", true}}},
                  {.name = "transposed_no_bias",
                   .inputs = {in({2, 5})},
                   .attrs = {{"units", 3}, {"transposed", true}, {"bias", false}}},
                  {.name = "one_unit", .inputs = {in({2, 3})}, .attrs = {{"units", 1}}},
                  {.name = "empty_batch", .inputs = {in({0, 3})}, .attrs = {{"units", 2}}, .gradient = false}},
      .bad_samples =
          {{.name = "scalar",
            .inputs = {in({})},
            .attrs = {{"units", 2}},
            .code = ErrorCode::bad_shape,
            .contains = "an axis for its features"},
           {.name = "no_units", .inputs = {in({2, 3})}, .code = ErrorCode::missing_attribute, .contains = "units"},
           {.name = "zero_units",
            .inputs = {in({2, 3})},
            .attrs = {{"units", 0}},
            .code = ErrorCode::bad_attribute,
            .contains = "at least 1"}},
  };
}

}  // namespace asg::nn_cards
