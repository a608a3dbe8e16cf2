#include "zoo/weight_tables.h"

namespace asg::zoo {
namespace {

using enum ModuleKind;

constexpr ModuleRow kResNet[] = {
    {"stem/conv", "conv1", convolution},
    {"stem/norm", "bn1", batch_norm},
    {"layer_#/block_#.conv_#", "layer#.#.conv#", convolution},
    {"layer_#/block_#.norm_#", "layer#.#.bn#", batch_norm},
    {"layer_#/block_#.shortcut_conv", "layer#.#.downsample.0", convolution},
    {"layer_#/block_#.shortcut_norm", "layer#.#.downsample.1", batch_norm},
    {"head", "fc", linear},
};

constexpr std::string_view kExpands = "block_#.expand_conv.weight";
constexpr ModuleRow kMobileNetV2[] = {
    {"stem/conv", "features.0.0", convolution},
    {"stem/norm", "features.0.1", batch_norm},
    {"block_#.expand_conv", "features.#.conv.0.0", convolution},
    {"block_#.expand_norm", "features.#.conv.0.1", batch_norm},
    {"block_#.depthwise_conv", "features.#.conv.1.0", convolution, 0, 1, kExpands, {}},
    {"block_#.depthwise_norm", "features.#.conv.1.1", batch_norm, 0, 1, kExpands, {}},
    {"block_#.project_conv", "features.#.conv.2", convolution, 0, 1, kExpands, {}},
    {"block_#.project_norm", "features.#.conv.3", batch_norm, 0, 1, kExpands, {}},
    {"block_#.depthwise_conv", "features.#.conv.0.0", convolution, 0, 1, {}, kExpands},
    {"block_#.depthwise_norm", "features.#.conv.0.1", batch_norm, 0, 1, {}, kExpands},
    {"block_#.project_conv", "features.#.conv.1", convolution, 0, 1, {}, kExpands},
    {"block_#.project_norm", "features.#.conv.2", batch_norm, 0, 1, {}, kExpands},
    {"last/conv", "features.@.0", convolution},
    {"last/norm", "features.@.1", batch_norm},
    {"head", "classifier.1", linear},
};

constexpr ModuleRow kVitTorchvision[] = {
    {"embed.patches", "conv_proj", convolution},
    {"embed.class_token", "class_token", plain},
    {"embed.position.weight", "encoder.pos_embedding", row},
    {"block_#.norm_1", "encoder.layers.encoder_layer_#.ln_1", norm},
    {"block_#.attention.query_projection", "encoder.layers.encoder_layer_#.self_attention.in_proj", joint, 0, 3},
    {"block_#.attention.key_projection", "encoder.layers.encoder_layer_#.self_attention.in_proj", joint, 1, 3},
    {"block_#.attention.value_projection", "encoder.layers.encoder_layer_#.self_attention.in_proj", joint, 2, 3},
    {"block_#.attention.output_projection", "encoder.layers.encoder_layer_#.self_attention.out_proj", linear},
    {"block_#.norm_2", "encoder.layers.encoder_layer_#.ln_2", norm},
    {"block_#.feed_forward.expand", "encoder.layers.encoder_layer_#.mlp.0|encoder.layers.encoder_layer_#.mlp.linear_1",
     linear},
    {"block_#.feed_forward.contract",
     "encoder.layers.encoder_layer_#.mlp.3|encoder.layers.encoder_layer_#.mlp.linear_2", linear},
    {"norm", "encoder.ln", norm},
    {"head", "heads.head", linear},
};

constexpr ModuleRow kVitHuggingFace[] = {
    {"embed.patches", "embeddings.patch_embeddings.projection", convolution},
    {"embed.class_token", "embeddings.cls_token", plain},
    {"embed.position.weight", "embeddings.position_embeddings", row},
    {"block_#.norm_1", "encoder.layer.#.layernorm_before", norm},
    {"block_#.attention.query_projection", "encoder.layer.#.attention.attention.query", linear},
    {"block_#.attention.key_projection", "encoder.layer.#.attention.attention.key", linear},
    {"block_#.attention.value_projection", "encoder.layer.#.attention.attention.value", linear},
    {"block_#.attention.output_projection", "encoder.layer.#.attention.output.dense", linear},
    {"block_#.norm_2", "encoder.layer.#.layernorm_after", norm},
    {"block_#.feed_forward.expand", "encoder.layer.#.intermediate.dense", linear},
    {"block_#.feed_forward.contract", "encoder.layer.#.output.dense", linear},
    {"norm", "layernorm", norm},
    {"head", "classifier", linear},
};

constexpr ModuleRow kGpt2[] = {
    {"token", "wte", table},
    {"position", "wpe", table},
    {"block_#.norm_1", "h.#.ln_1", norm},
    {"block_#.attention.query_projection", "h.#.attn.c_attn", conv1d, 0, 3},
    {"block_#.attention.key_projection", "h.#.attn.c_attn", conv1d, 1, 3},
    {"block_#.attention.value_projection", "h.#.attn.c_attn", conv1d, 2, 3},
    {"block_#.attention.output_projection", "h.#.attn.c_proj", conv1d},
    {"block_#.norm_2", "h.#.ln_2", norm},
    {"block_#.feed_forward.expand", "h.#.mlp.c_fc", conv1d},
    {"block_#.feed_forward.contract", "h.#.mlp.c_proj", conv1d},
    {"norm", "ln_f", norm},
    {"head", "lm_head|wte", table},
};

constexpr ModuleRow kLlama[] = {
    {"token", "model.embed_tokens", table},
    {"block_#.norm_1", "model.layers.#.input_layernorm", scale},
    {"block_#.attention.query_projection", "model.layers.#.self_attn.q_proj", linear},
    {"block_#.attention.key_projection", "model.layers.#.self_attn.k_proj", linear},
    {"block_#.attention.value_projection", "model.layers.#.self_attn.v_proj", linear},
    {"block_#.attention.output_projection", "model.layers.#.self_attn.o_proj", linear},
    {"block_#.norm_2", "model.layers.#.post_attention_layernorm", scale},
    {"block_#.feed_forward.gate", "model.layers.#.mlp.gate_proj", linear},
    {"block_#.feed_forward.expand", "model.layers.#.mlp.up_proj", linear},
    {"block_#.feed_forward.contract", "model.layers.#.mlp.down_proj", linear},
    {"norm", "model.norm", scale},
    {"head", "lm_head|model.embed_tokens", table},
};

// Counters of batches, masks and angles that are computed, and heads that are the table of the tokens once more.
constexpr std::string_view kCounters[] = {".num_batches_tracked"};
constexpr std::string_view kMasks[] = {".attn.bias", ".attn.masked_bias", "lm_head.weight"};
constexpr std::string_view kAngles[] = {".rotary_emb.inv_freq", "lm_head.weight"};

WeightMap map_of(std::string family, WeightFormat format, std::string source) {
  return {.family = std::move(family), .format = format, .source = std::move(source)};
}

}  // namespace

std::span<const WeightTable> weight_tables() {
  using enum WeightFormat;
  static const WeightTable kTables[] = {
      {map_of("resnet", torchvision, "torchvision.models.resnet"), kResNet, "", kCounters},
      {map_of("mobilenet_v2", torchvision, "torchvision.models.mobilenetv2"), kMobileNetV2, "", kCounters},
      {map_of("vit", torchvision, "torchvision.models.vision_transformer"), kVitTorchvision, "", {}},
      {map_of("vit", hugging_face, "ViTForImageClassification"), kVitHuggingFace, "vit.", {}},
      {map_of("gpt2", hugging_face, "GPT2LMHeadModel"), kGpt2, "transformer.", kMasks},
      {map_of("llama", hugging_face, "LlamaForCausalLM"), kLlama, "", kAngles},
  };
  return kTables;
}

}  // namespace asg::zoo
