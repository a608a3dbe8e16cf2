#include <cmath>

#include "asg/graph/graph.h"
#include "nn/support/layers.h"
#include "nn/support/positions.h"
#include "ops/support/gradients.h"

namespace asg::nn_cards {
namespace {

// 2^(−8/n), 2^(−16/n), … for n heads, n a power of two. For other numbers: the slopes of the power below, then every
// second one of the power above, as the authors have it.
std::vector<double> slopes(std::int64_t heads) {
  const auto series = [](std::int64_t count, std::int64_t step, std::int64_t wanted, std::vector<double>& to) {
    for (std::int64_t k = 1; wanted > 0; k += step, --wanted) {
      to.push_back(std::exp2(-8.0 * static_cast<double>(k) / static_cast<double>(count)));
    }
  };
  std::int64_t power = 1;
  while (power * 2 <= heads) power *= 2;
  std::vector<double> result;
  series(power, 1, power, result);
  series(2 * power, 2, heads - power, result);
  return result;
}

void body(BodyContext& ctx) {
  const Tensor& scores = ctx.in(0);
  Graph& graph = ctx.graph();
  if (scores.rank() < 3) {
    fail(ErrorCode::bad_shape, "scores of shape " + scores.shape().to_string(), "[…, heads, length, other length]");
  }
  const int rank = scores.rank();
  const std::int64_t heads = nn::known_length(ctx, scores, rank - 3, "heads");
  const Tensor rows = nn::positions(scores, rank - 2, ctx.has(1) ? ctx.in(1) : Tensor{});
  const Tensor columns = nn::positions(scores, rank - 1, {});
  const Tensor difference = add_op("Unsqueeze", {rows, ops::ints(graph, {1})}) - columns;
  const Tensor distance = add_op("Abs", {add_op("Cast", {difference}, {{"to", scores.dtype()}})});
  const Tensor slope = graph.constant(Array::of<double>({heads, 1, 1}, slopes(heads)).cast(scores.dtype()));
  ctx.output(scores - distance * slope);
}

std::vector<Sample> samples() {
  return {{.name = "two_heads", .inputs = {in({1, 2, 3, 4})}},
          {.name = "no_batch", .inputs = {in({3, 2, 4})}},
          {.name = "one_position", .inputs = {in({2, 4, 1, 1})}},
          {.name = "offset", .inputs = {in({2, 1, 3}), in_ints({}, {2})}},
          {.name = "empty", .inputs = {in({0, 2, 3, 4})}, .gradient = false},
          // Zero scores, so that the bias comes out; slopes 1/16 and 1/256.
          {.name = "exact",
           .inputs = {in_exact(Array(DType::f64, {2, 2, 3}))},
           .gradient = false,
           .expected = {Array::of<double>({2, 2, 3}, {0, -0.0625, -0.125, -0.0625, 0, -0.0625, 0, -0.00390625,
                                                      -0.0078125, -0.00390625, 0, -0.00390625})}},
          // Three heads: the slopes of two, then the first of four.
          {.name = "exact_three_heads",
           .inputs = {in_exact(Array(DType::f64, {3, 1, 2}))},
           .gradient = false,
           .expected = {Array::of<double>({3, 1, 2}, {0, -0.0625, 0, -0.00390625, 0, -0.25})}}};
}

}  // namespace

OpCard card_alibi_bias() {
  return {
      .name = "nn.AlibiBias",
      .category = Category::attention,
      .inputs = {{.name = "scores", .words = {"[…, heads, length, other length]", "[…, головы, длина, другая длина]"}},
                 nn::offset_port()},
      .outputs = {{.name = "y",
                   .words = {"scores, lower the farther apart two positions are",
                             "оценки, тем ниже, чем дальше позиции друг от друга"}}},
      .attributes = {},
      .body = body,
      .composite = true,
      .gradient_kind = GradientKind::body,
      .torch = "",
      .words = {.what = {"Lowers the attention scores in proportion to the distance between the two positions, in "
                         "either direction. Every head has its own slope, from steep, looking at neighbours only, to "
                         "nearly flat; the formula gives them for a number of heads that is a power of two, others "
                         "take slopes in between. Nothing is learned.",
                         "Понижает оценки внимания пропорционально расстоянию между позициями, в обе стороны. У каждой "
                         "головы свой наклон: от крутого, когда видны только соседи, до почти ровного; формула даёт "
                         "их, когда число голов — степень двойки, иначе берутся и промежуточные. Ничего не обучается."},
                .formula = R"(y_{h,i,j} = x_{h,i,j} - m_h |i - j|, \quad m_h = 2^{-8h/n})",
                .why = {"Models trained with it on short texts, such as BLOOM and MPT, keep working on much longer "
                        "ones, since a distance never seen is merely a larger penalty. It stands between the product "
                        "of queries and keys and the softmax.",
                        "Модели, обученные с ним на коротких текстах, например BLOOM и MPT, работают и на гораздо "
                        "более длинных: невиданное расстояние — просто больший штраф. Стоит между произведением "
                        "запросов и ключей и softmax."}},
      .samples = samples(),
      .bad_samples = {{.name = "rank_2",
                       .inputs = {in({3, 4})},
                       .code = ErrorCode::bad_shape,
                       .contains = "[…, heads, length, other length]"}},
  };
}

}  // namespace asg::nn_cards
