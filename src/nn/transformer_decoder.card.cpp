#include "nn/support/transformer.h"

namespace asg::nn_cards {
namespace {

// The blocks one after the other; with `norm_first` the sum that leaves the last one is normalised once more.
void body(BodyContext& ctx) {
  Tensor y = ctx.in(0);
  for (std::int64_t number = 1; number <= ctx.integer("layers"); ++number) {
    std::vector<Tensor> inputs = ctx.inputs;
    inputs.front() = y;
    y = ctx.layer("block_" + std::to_string(number), "nn.TransformerDecoderBlock", std::move(inputs),
                  nn::passed_down(ctx));
  }
  ctx.output(ctx.boolean("norm_first") ? nn::norm_layer(ctx, "norm", y) : y);
}

std::vector<AttrSpec> attributes() {
  std::vector<AttrSpec> attributes = nn::block_attributes(false, true);
  attributes.insert(attributes.begin(),
                    {.name = "layers", .fallback = 1, .least = 1, .words = {"number of blocks", "число блоков"}});
  return attributes;
}

std::vector<Sample> samples() {
  std::vector<Sample> result = {
      {.name = "masks",
       .inputs = {in({2, 2, 4}), in({2, 3, 5}), in_bools({2, 1, 1, 2}, {true, false, true, true}),
                  in_bools({3}, {true, true, false})},
       .attrs = {{"layers", 2}, {"heads", 2}, {"hidden", 3}},
       .gradient = false}};
  for (Attrs& setting : nn::block_settings(attributes())) {
    result.push_back({.name = "mixed_" + std::to_string(result.size()),
                      .inputs = {in({1, 2, 4}), in({1, 3, 4})},
                      .attrs = std::move(setting),
                      .gradient = result.size() < 3});
  }
  return result;
}

}  // namespace

OpCard card_transformer_decoder() {
  return {
      .name = "nn.TransformerDecoder",
      .category = Category::attention,
      .inputs = {nn::sequence_port(), nn::memory_port(),
                 nn::mask_port("mask", {"which positions x may see of itself", "какие позиции x может видеть у себя"}),
                 nn::mask_port("memory_mask",
                               {"which positions of the memory x may see", "какие позиции памяти может видеть x"})},
      .outputs = nn::sequence_output(),
      .attributes = attributes(),
      .body = body,
      .composite = true,
      .gradient_kind = GradientKind::body,
      .torch = "torch.nn.TransformerDecoder",
      // Each block rounds dozens of times, and the norms magnify what small features have lost.
      .tolerance = {.f16 = 2e-2, .bf16 = 1e-1},
      .words = {.what = {"`layers` decoder blocks of one configuration, one after the other; all of them read the same "
                         "memory, and by default none looks ahead in x. With `norm_first` a last norm follows, since "
                         "nothing else normalises the sum of all blocks.",
                         "`layers` блоков декодировщика одной настройки, один за другим; все читают одну и ту же "
                         "память, и по умолчанию ни один не смотрит в x вперёд. При `norm_first` в конце стоит ещё "
                         "одна нормализация: сумму всех блоков больше никто не нормирует."},
                .formula = R"(y = \text{Norm}(D_n(\ldots D_1(x, m) \ldots, m)))",
                .why = {"It is the writing half of an encoder-decoder model such as the first transformer, T5 or "
                        "Whisper. The encoder reads once, and the decoder asks it anew for every word.",
                        "Это пишущая половина модели «кодировщик — декодировщик»: первого трансформера, T5, Whisper. "
                        "Кодировщик читает один раз, а декодировщик спрашивает его заново для каждого слова."}},
      .samples = samples(),
      .bad_samples = {{.name = "rank_2",
                       .inputs = {in({3, 4}), in({1, 3, 4})},
                       .attrs = {{"heads", 2}, {"hidden", 5}},
                       .code = ErrorCode::bad_shape,
                       .contains = "[batch, length, features]"}},
  };
}

}  // namespace asg::nn_cards
