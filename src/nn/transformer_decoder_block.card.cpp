#include "nn/support/transformer.h"

namespace asg::nn_cards {
namespace {

void body(BodyContext& ctx) {
  const Tensor& memory = ctx.in(1);
  const Tensor mask = ctx.has(2) ? ctx.in(2) : Tensor{};
  const Tensor memory_mask = ctx.has(3) ? ctx.in(3) : Tensor{};
  Tensor y = nn::residual_part(ctx, "norm_1", ctx.in(0),
                               [&](const Tensor& x) { return nn::attention_layer(ctx, "attention", x, {}, mask); });
  y = nn::residual_part(ctx, "norm_2", y, [&](const Tensor& x) {
    return nn::attention_layer(ctx, "cross_attention", x, memory, memory_mask);
  });
  ctx.output(nn::residual_part(ctx, "norm_3", y, [&](const Tensor& x) { return nn::feed_forward_layer(ctx, x); }));
}

std::vector<Sample> samples() {
  std::vector<Sample> result = {
      {.name = "plain",
       .inputs = {in({2, 3, 4}), in({2, 5, 6})},
       .attrs = {{"heads", 2}, {"hidden", 3}},
       .gradient = false},
      {.name = "masks",
       .inputs = {in({2, 2, 4}), in({2, 3, 4}), in_bools({2, 1, 1, 2}, {true, false, true, true}),
                  in_bools({3}, {true, true, false})},
       .attrs = {{"heads", 2}, {"hidden", 3}}}};
  for (Attrs& setting : nn::block_settings(nn::block_attributes(false, true))) {
    result.push_back({.name = "mixed_" + std::to_string(result.size()),
                      .inputs = {in({1, 2, 4}), in({1, 3, 4})},
                      .attrs = std::move(setting),
                      .gradient = result.size() < 5});
  }
  return result;
}

}  // namespace

OpCard card_transformer_decoder_block() {
  return {
      .name = "nn.TransformerDecoderBlock",
      .category = Category::attention,
      .inputs = {nn::sequence_port(), nn::memory_port(),
                 nn::mask_port("mask", {"which positions x may see of itself", "какие позиции x может видеть у себя"}),
                 nn::mask_port("memory_mask",
                               {"which positions of the memory x may see", "какие позиции памяти может видеть x"})},
      .outputs = nn::sequence_output(),
      .attributes = nn::block_attributes(false, true),
      .body = body,
      .composite = true,
      .gradient_kind = GradientKind::body,
      .torch = "torch.nn.TransformerDecoderLayer",
      .words =
          {.what = {"Self-attention over what has been written so far, attention to a memory such as an encoder's "
                    "output, then a feed-forward layer. Each is added to its input and normalised; the self-attention "
                    "looks back only, unless `causal` is turned off.",
                    "Самовнимание к уже написанному, внимание к памяти, например к выходу кодировщика, затем "
                    "полносвязная часть. Каждая часть прибавляется к своему входу и нормируется; самовнимание смотрит "
                    "только назад, если не выключить `causal`."},
           .formula =
               R"(h = x + \text{Attention}(\text{Norm}(x)), \quad g = h + \text{Attention}(\text{Norm}(h), m), \quad )"
               R"(y = g + \text{FeedForward}(\text{Norm}(g)))",
           .why = {"Translation, speech recognition and captioning write one sequence while reading another: the "
                   "middle part asks the source for what the next word needs. Models without a source use "
                   "nn.TransformerBlock instead.",
                   "Перевод, распознавание речи и подписи к изображениям пишут одну последовательность, читая другую: "
                   "средняя часть спрашивает у источника то, что нужно следующему слову. Без источника берут "
                   "nn.TransformerBlock."}},
      .samples = samples(),
      .bad_samples = {{.name = "rank_2",
                       .inputs = {in({3, 4}), in({1, 3, 4})},
                       .attrs = {{"heads", 2}, {"hidden", 5}},
                       .code = ErrorCode::bad_shape,
                       .contains = "[batch, length, features]"}},
  };
}

}  // namespace asg::nn_cards
