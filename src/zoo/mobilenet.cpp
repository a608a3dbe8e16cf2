#include "asg/zoo/mobilenet.h"

#include <algorithm>

#include "asg/core/error.h"
#include "asg/nn/nn.h"
#include "zoo/parts.h"
#include "zoo/settings.h"

namespace asg::zoo {

Settings settings_of(MobileNetV2Config& config) {
  Settings settings;
  add_images(settings, config.images);
  settings.push_back(classes_setting(config.classes));
  settings.push_back(real(
      "width_multiplier", config.width_multiplier, 0.01, 32,
      {"factor of all channels, which stay multiples of 8", "множитель числа каналов, которое остаётся кратным 8"}));
  settings.push_back(list("expansions", config.expansions, 1, 64,
                          {"of each stage: how many times more channels its blocks have inside",
                           "для каждой ступени: во сколько раз больше каналов внутри её блоков"}));
  settings.push_back(list("stage_channels", config.stage_channels, 1, 4096,
                          {"of each stage: channels that leave it", "для каждой ступени: каналы на выходе"}));
  settings.push_back(
      list("blocks", config.blocks, 1, 1000, {"of each stage: its blocks", "для каждой ступени: число блоков"}));
  settings.push_back(list("strides", config.strides, 1, 16,
                          {"of each stage: by how much its first block divides height and width",
                           "для каждой ступени: во сколько раз её первый блок уменьшает высоту и ширину"}));
  settings.push_back(dropout_setting(config.dropout));
  settings.push_back(loss_setting(config.loss));
  return settings;
}

namespace {

constexpr std::int64_t kStemChannels = 32;
constexpr std::int64_t kLastChannels = 1280;

// The multiple of 8 that is nearest, but not more than a tenth below.
std::int64_t rounded(double channels) {
  constexpr std::int64_t kMultiple = 8;
  const auto nearest = static_cast<std::int64_t>(channels + kMultiple / 2.0) / kMultiple * kMultiple;
  const std::int64_t result = std::max(kMultiple, nearest);
  return static_cast<double>(result) < 0.9 * channels ? result + kMultiple : result;
}

void check_stages(const MobileNetV2Config& config) {
  const std::size_t stages = config.expansions.size();
  if (config.stage_channels.size() == stages && config.blocks.size() == stages && config.strides.size() == stages) {
    return;
  }
  fail(ErrorCode::bad_attribute,
       std::to_string(stages) + " expansions, " + std::to_string(config.stage_channels.size()) + " stage_channels, " +
           std::to_string(config.blocks.size()) + " blocks and " + std::to_string(config.strides.size()) + " strides",
       "a number of each for every stage of 'mobilenet_v2'");
}

Tensor bounded(const Tensor& x) {
  return clip(x, x.graph().scalar(DType::f32, 0), x.graph().scalar(DType::f32, 6)).named("activation");
}

struct Filters {
  std::int64_t channels;
  std::int64_t kernel;
  std::int64_t stride;
};

Tensor filtered(const Tensor& x, const std::string& scope_name, const Filters& filters) {
  const Graph::ScopeGuard scope(x.graph(), scope_name);
  const std::int64_t pad = filters.kernel / 2;
  const Tensor y = nn::conv2d(
      x, filters.channels, {filters.kernel, filters.kernel},
      {.strides = {filters.stride, filters.stride}, .pads = {pad, pad, pad, pad}, .bias = false, .name = "conv"});
  return bounded(nn::batch_norm(y, {.name = "norm"}));
}

}  // namespace

Graph mobilenet_v2(const MobileNetV2Config& given) {
  MobileNetV2Config config = given;
  check_settings(settings_of(config), "mobilenet_v2");
  check_stages(config);
  const auto scaled = [&](std::int64_t channels) {
    return rounded(static_cast<double>(channels) * config.width_multiplier);
  };
  Graph graph("mobilenet_v2");
  Tensor y = filtered(image_input(graph, config.images), "stem", {scaled(kStemChannels), 3, 2});
  int number = 0;
  for (std::size_t stage = 0; stage < config.blocks.size(); ++stage) {
    for (std::int64_t place = 0; place < config.blocks[stage]; ++place) {
      y = nn::inverted_residual(y, scaled(config.stage_channels[stage]),
                                {.expansion = config.expansions[stage],
                                 .stride = place == 0 ? config.strides[stage] : 1,
                                 .name = "block_" + std::to_string(++number)});
    }
  }
  const double widened = static_cast<double>(kLastChannels) * std::max(1.0, config.width_multiplier);
  y = filtered(y, "last", {rounded(widened), 1, 1});
  y = flatten(global_average_pool(y).named("pool")).named("flatten");
  y = nn::dropout(y, {.ratio = config.dropout, .name = "dropout"});
  classify(graph, nn::linear(y, config.classes, {.name = "head"}), config.loss);
  initialise(graph, [](const Variable& variable) -> std::optional<Initializer> {
    if (variable.type.shape.rank() == 4) return Initializer::kaiming_normal(0, Initializer::Fan::out);
    if (variable.name == "head.weight") return Initializer::normal(0, 0.01);
    return std::nullopt;
  });
  return graph;
}

std::vector<Model> mobilenet_models() {
  return {entry<MobileNetV2Config>(
      "mobilenet_v2", "mobilenet_v2", {}, mobilenet_v2, {{"batch", 1}},
      {"A network for small devices: a filter for each channel alone, a sixth of the work of ResNet-18.",
       "Сеть для небольших устройств: каждый канал фильтруется отдельно, работы в шесть раз меньше, чем у "
       "ResNet-18."})};
}

}  // namespace asg::zoo
