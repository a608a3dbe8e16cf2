#include "nn/support/transformer.h"

namespace asg::nn_cards {
namespace {

// The blocks one after the other; with `norm_first` the sum that leaves the last one is normalised once more.
void body(BodyContext& ctx) {
  Tensor y = ctx.in(0);
  for (std::int64_t number = 1; number <= ctx.integer("layers"); ++number) {
    std::vector<Tensor> inputs = ctx.inputs;
    inputs.front() = y;
    y = ctx.layer("block_" + std::to_string(number), "nn.TransformerBlock", std::move(inputs), nn::passed_down(ctx));
  }
  ctx.output(ctx.boolean("norm_first") ? nn::norm_layer(ctx, "norm", y) : y);
}

std::vector<AttrSpec> attributes() {
  std::vector<AttrSpec> attributes = nn::block_attributes(false, false);
  attributes.insert(attributes.begin(),
                    {.name = "layers", .fallback = 1, .least = 1, .words = {"number of blocks", "число блоков"}});
  return attributes;
}

std::vector<Sample> samples() {
  std::vector<Sample> result = {
      {.name = "padding_mask",
       .inputs = {in({2, 3, 4}), in_bools({2, 1, 1, 3}, {true, true, false, true, true, true})},
       .attrs = {{"layers", 2}, {"heads", 2}, {"hidden", 3}},
       .gradient = false}};
  for (Attrs& setting : nn::block_settings(attributes())) {
    result.push_back({.name = "mixed_" + std::to_string(result.size()),
                      .inputs = {in({1, 2, 4})},
                      .attrs = std::move(setting),
                      .gradient = result.size() < 3});
  }
  return result;
}

}  // namespace

OpCard card_transformer_encoder() {
  return {
      .name = "nn.TransformerEncoder",
      .category = Category::attention,
      .inputs = {nn::sequence_port(), nn::mask_port("mask", {"given to every block", "передаётся каждому блоку"})},
      .outputs = nn::sequence_output(),
      .attributes = attributes(),
      .body = body,
      .composite = true,
      .gradient_kind = GradientKind::body,
      .torch = "torch.nn.TransformerEncoder",
      // Each block rounds dozens of times, and the norms magnify what small features have lost.
      .tolerance = {.f16 = 2e-2, .bf16 = 1e-1},
      .words = {.what = {"`layers` transformer blocks of one configuration, one after the other. With `norm_first` a "
                         "last norm follows, since nothing else normalises the sum of all blocks.",
                         "`layers` блоков трансформера одной настройки, один за другим. При `norm_first` в конце стоит "
                         "ещё одна нормализация: сумму всех блоков больше никто не нормирует."},
                .formula = R"(y = \text{Norm}(B_n(\ldots B_1(x))))",
                .why = {"BERT and vision transformers are such stacks that see everything at once; with `causal` the "
                        "same stack is a GPT. Each block of it can be opened and changed alone.",
                        "BERT и зрительные трансформеры — такие стопки, видящие всё сразу; с `causal` та же стопка "
                        "становится GPT. Каждый блок можно открыть и изменить отдельно."}},
      .samples = samples(),
      .bad_samples = {nn::refuse_matrix()},
  };
}

}  // namespace asg::nn_cards
