#include "nn/support/layers.h"
#include "nn/support/transformer.h"

namespace asg::nn_cards {
namespace {

void body(BodyContext& ctx) {
  const Tensor mask = ctx.has(1) ? ctx.in(1) : Tensor{};
  const Tensor attended = nn::residual_part(
      ctx, "norm_1", ctx.in(0), [&](const Tensor& x) { return nn::attention_layer(ctx, "attention", x, {}, mask); });
  ctx.output(
      nn::residual_part(ctx, "norm_2", attended, [&](const Tensor& x) { return nn::feed_forward_layer(ctx, x); }));
}

// Gradients of all activations are checked with their own cards; here those of the default.
std::vector<Sample> samples() {
  std::vector<Sample> result = {
      {.name = "plain", .inputs = {in({2, 3, 4})}, .attrs = {{"heads", 2}, {"hidden", 5}}},
      {.name = "padding_mask",
       .inputs = {in({2, 3, 4}), in_bools({2, 1, 1, 3}, {true, true, false, true, true, true})},
       .attrs = {{"heads", 2}, {"hidden", 5}}},
      {.name = "batch_1_length_1", .inputs = {in({1, 1, 4})}, .attrs = {{"heads", 2}, {"hidden", 5}}}};
  for (Attrs& setting : nn::block_settings(nn::block_attributes(true, false))) {
    const std::string name = setting.find("activation")->as_text();
    result.push_back({.name = name + "_" + std::to_string(result.size()),
                      .inputs = {in({1, 2, 4})},
                      .attrs = std::move(setting),
                      .gradient = name == nn::activation_attribute().fallback->as_text()});
  }
  return result;
}

}  // namespace

OpCard card_transformer_block() {
  return {
      .name = "nn.TransformerBlock",
      .category = Category::attention,
      .inputs = {nn::sequence_port(),
                 nn::mask_port("mask", {"as that of nn.MultiHeadAttention, for [batch, heads, length, length]",
                                        "как у nn.MultiHeadAttention, для [пакет, головы, длина, длина]"})},
      .outputs = nn::sequence_output(),
      .attributes = nn::block_attributes(true, false),
      .body = body,
      .composite = true,
      .gradient_kind = GradientKind::body,
      .torch = "torch.nn.TransformerEncoderLayer",
      .words =
          {.what = {"Self-attention, which moves information between positions, then a feed-forward layer, which works "
                    "on each position. Each reads its input normalised and adds what it finds to the input itself (a "
                    "residual connection); with `norm_first` off the sum is normalised instead.",
                    "Самовнимание переносит информацию между позициями, затем полносвязная часть обрабатывает каждую "
                    "позицию. Каждая часть читает нормированный вход и прибавляет результат к самому входу (остаточная "
                    "связь); без `norm_first` вместо этого нормируется сумма."},
           .formula = R"(h = x + \text{Attention}(\text{Norm}(x)), \quad y = h + \text{FeedForward}(\text{Norm}(h)))",
           .why =
               {"Language models, vision transformers and speech models are stacks of this one block. Because every "
                "part adds to a stream that passes straight through, dozens of them can be trained on top of each "
                "other.",
                "Языковые модели, зрительные трансформеры и модели речи — это стопки таких блоков. Каждая часть лишь "
                "добавляет к сквозному потоку, поэтому такие блоки удаётся обучать десятками, ставя друг на друга."}},
      .samples = samples(),
      .bad_samples = {nn::refuse_matrix()},
  };
}

}  // namespace asg::nn_cards
