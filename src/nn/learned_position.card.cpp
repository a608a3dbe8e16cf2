#include "nn/support/layers.h"
#include "nn/support/positions.h"

namespace asg::nn_cards {
namespace {

void body(BodyContext& ctx) {
  const Tensor& x = ctx.in(0);
  nn::check_sequence(x);
  const std::int64_t count = ctx.integer("count");
  const std::int64_t width = nn::known_length(ctx, x, x.rank() - 1, "features");
  const Dim& length = x.shape()[x.rank() - 2];
  if (length.is_known() && length.value() > count) {
    fail(ErrorCode::bad_shape, std::to_string(length.value()) + " positions",
         "at most " + std::to_string(count) + ", which the table holds",
         "raise `count`, or use a code that needs no table: nn.SinusoidalPosition, nn.RotaryPosition");
  }
  const Tensor weight = ctx.parameter("weight", {count, width}, Initializer::normal(0, 0.02));
  const Tensor rows = nn::positions(x, x.rank() - 2, ctx.has(1) ? ctx.in(1) : Tensor{});
  ctx.output(x + add_op("Gather", {weight, rows}, {{"axis", 0}}));
}

}  // namespace

OpCard card_learned_position() {
  return {
      .name = "nn.LearnedPosition",
      .category = Category::embedding,
      .inputs = {{.name = "x", .words = {"[…, length, width]", "[…, длина, ширина]"}}, nn::offset_port()},
      .outputs = {{.name = "y", .words = {"x plus the row of each position", "x плюс строка каждой позиции"}}},
      .attributes = {{.name = "count",
                      .least = 1,
                      .words = {"positions that the table holds; the input may be shorter",
                                "сколько позиций в таблице; вход может быть короче"}}},
      .body = body,
      .composite = true,
      .gradient_kind = GradientKind::body,
      .torch = "",
      .words =
          {.what = {"Adds a learned row to each position: row 0 to the first, row 1 to the second, counted from "
                    "`offset`. The table has `count` rows; shorter inputs use its beginning, longer ones are refused.",
                    "Прибавляет к каждой позиции обучаемую строку: нулевую к первой, первую ко второй, считая от "
                    "`offset`. В таблице `count` строк; короткие входы берут её начало, слишком длинные отвергаются."},
           .formula = R"(y_t = x_t + W_t)",
           .why = {"GPT-2 and BERT learn their positions like words. It is the simplest code and as good as others "
                   "within the lengths that were trained, but knows nothing beyond them.",
                   "GPT-2 и BERT учат позиции так же, как слова. Это самый простой код, и в пределах длин, виденных "
                   "при обучении, он не хуже других, но за ними ничего не знает."}},
      .samples = {{.name = "sequence", .inputs = {in({2, 3, 4})}, .attrs = {{"count", 5}}},
                  {.name = "full_table", .inputs = {in({3, 2})}, .attrs = {{"count", 3}}},
                  {.name = "one_position", .inputs = {in({2, 1, 3})}, .attrs = {{"count", 2}}},
                  {.name = "offset", .inputs = {in({2, 3, 4}), in_ints({}, {2})}, .attrs = {{"count", 5}}},
                  {.name = "no_positions", .inputs = {in({2, 0, 4})}, .attrs = {{"count", 2}}, .gradient = false}},
      .bad_samples = {{.name = "too_long",
                       .inputs = {in({2, 6, 4})},
                       .attrs = {{"count", 5}},
                       .code = ErrorCode::bad_shape,
                       .contains = "which the table holds"},
                      {.name = "beyond_the_table",
                       .inputs = {in({2, 3, 4}), in_ints({}, {3})},
                       .attrs = {{"count", 5}},
                       .code = ErrorCode::computation_error,
                       .contains = "index 5"}},
  };
}

}  // namespace asg::nn_cards
