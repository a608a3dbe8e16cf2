#include "asg/zoo/vit.h"

#include <cmath>

#include "asg/core/error.h"
#include "asg/nn/nn.h"
#include "zoo/parts.h"
#include "zoo/settings.h"

namespace asg::zoo {

Settings settings_of(VitConfig& config) {
  Settings settings;
  add_images(settings, config.images);
  settings.push_back(classes_setting(config.classes));
  settings.push_back(
      whole("patch", config.patch, 1, 1024, {"height and width of a patch", "высота и ширина фрагмента"}));
  settings.push_back(layers_setting(config.layers));
  settings.push_back(features_setting(config.features));
  settings.push_back(heads_setting(config.heads));
  settings.push_back(whole("hidden", config.hidden, 0, kMostFeatures,
                           {"features inside the feed-forward part; 0: four times as many",
                            "признаков внутри полносвязной части; 0 — вчетверо больше"}));
  settings.push_back(epsilon_setting(config.epsilon));
  settings.push_back(dropout_setting(config.dropout));
  settings.push_back(loss_setting(config.loss));
  return settings;
}

namespace {

void check_patches(const VitConfig& config) {
  const Images& images = config.images;
  if (images.height % config.patch == 0 && images.width % config.patch == 0) return;
  fail(ErrorCode::bad_attribute,
       "patches of " + std::to_string(config.patch) + " for pictures of " + std::to_string(images.height) + "×" +
           std::to_string(images.width),
       "a length that divides height and width");
}

// The learned token in front of each example: [batch, length, features] → [batch, 1 + length, features].
Tensor with_class_token(const Tensor& x, const Tensor& images, std::int64_t features) {
  Graph& graph = x.graph();
  const Tensor token = graph.parameter("class_token", {DType::f32, {1, 1, features}}, Initializer::zeros());
  const Tensor batch = shape(images, {.start = 0, .end = 1});
  const Tensor lengths = concat({batch, Ints({1, features}).in(graph)}, 0);
  return concat({expand(token, lengths), x}, 1);
}

// Patches as a sequence with their positions, in one box.
Tensor embed(const Tensor& x, const VitConfig& config) {
  return nn::block("embed", x, [&config](const Tensor& images) {
    const std::int64_t patch = config.patch;
    const std::int64_t count = (config.images.height / patch) * (config.images.width / patch);
    const Tensor maps =
        nn::conv2d(images, config.features, {patch, patch}, {.strides = {patch, patch}, .name = "patches"});
    const Tensor rows = transpose(reshape(maps, {0, config.features, count}), {.perm = {0, 2, 1}});
    const Tensor sequence = with_class_token(rows, images, config.features);
    return nn::learned_position(sequence, count + 1, {.name = "position"});
  });
}

struct VitSize {
  const char* name;
  std::int64_t features;
  std::int64_t heads;
  Words words;
};

constexpr VitSize kTiny = {
    "vit_tiny",
    192,
    3,
    {"A vision transformer with patches of 16×16: small enough to train on one machine.",
     "Зрительный трансформер с фрагментами 16×16: достаточно мал, чтобы обучать на одной машине."}};
constexpr VitSize kSmall = {
    "vit_small",
    384,
    6,
    {"The vision transformer of the size of ResNet-50.", "Зрительный трансформер размером с ResNet-50."}};
constexpr VitSize kVitBase = {
    "vit_base",
    768,
    12,
    {"ViT-B/16, the vision transformer that began it.", "ViT-B/16, зрительный трансформер, с которого всё началось."}};

VitConfig sized_vit(VitConfig config, const VitSize& size) {
  config.features = size.features;
  config.heads = size.heads;
  return config;
}

Graph built(const VitConfig& config, const VitSize& size) {
  Graph graph = vit(sized_vit(config, size));
  graph.set_name(size.name);
  return graph;
}

}  // namespace

Graph vit(const VitConfig& given) {
  VitConfig config = given;
  check_settings(settings_of(config), "vit");
  check_patches(config);
  check_heads(config.features, config.heads, "vit");
  const std::int64_t hidden = config.hidden == 0 ? 4 * config.features : config.hidden;
  Graph graph("vit");
  Tensor x = embed(image_input(graph, config.images), config);
  if (config.dropout > 0) x = nn::dropout(x, {.ratio = config.dropout, .name = "dropout"});
  for (std::int64_t layer = 0; layer < config.layers; ++layer) {
    x = nn::transformer_block(
        x, config.heads, hidden,
        {.epsilon = config.epsilon, .dropout = config.dropout, .name = "block_" + std::to_string(layer)});
  }
  // The norm looks at each position alone, so it is enough to norm the one that is read.
  const Tensor first = gather(x, graph.constant(Array::scalar_i64(0)), {.axis = 1}).named("class_token");
  const Tensor normalised = nn::layer_norm(first, {.epsilon = config.epsilon, .name = "norm"});
  classify(graph, nn::linear(normalised, config.classes, {.name = "head"}), config.loss);
  const double fan_in = static_cast<double>(config.images.channels * config.patch * config.patch);
  initialise(graph, [fan_in](const Variable& variable) -> std::optional<Initializer> {
    if (variable.name == "embed.patches.weight") return Initializer::truncated_normal(0, std::sqrt(1 / fan_in));
    if (variable.name == "head.weight") return Initializer::zeros();
    return std::nullopt;
  });
  return graph;
}

Graph vit_tiny(const VitConfig& config) { return built(config, kTiny); }
Graph vit_small(const VitConfig& config) { return built(config, kSmall); }
Graph vit_base(const VitConfig& config) { return built(config, kVitBase); }

std::vector<Model> vit_models() {
  std::vector<Model> models;
  for (const VitSize& size : {kTiny, kSmall, kVitBase}) {
    models.push_back(entry<VitConfig>(size.name, "vit", sized_vit({}, size), vit, {{"batch", 1}}, size.words));
  }
  return models;
}

}  // namespace asg::zoo
