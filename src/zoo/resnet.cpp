#include "asg/zoo/resnet.h"

#include "asg/nn/nn.h"
#include "zoo/parts.h"
#include "zoo/settings.h"

namespace asg::zoo {

Settings settings_of(ResNetConfig& config) {
  Settings settings;
  add_images(settings, config.images);
  settings.push_back(classes_setting(config.classes));
  settings.push_back(list("blocks", config.blocks, 1, 1000, {"blocks of each stage", "число блоков в каждой ступени"}));
  settings.push_back(flag("bottleneck", config.bottleneck,
                          {"blocks of three convolutions that work on a quarter of the channels",
                           "блоки из трёх свёрток, работающие с четвертью каналов"}));
  settings.push_back(whole("base_channels", config.base_channels, 1, 4096,
                           {"channels of the first stage; each next one has twice as many",
                            "каналы первой ступени; в каждой следующей их вдвое больше"}));
  settings.push_back(flag("small_images", config.small_images,
                          {"a beginning for pictures of about 32×32: no stride and no pool",
                           "начало для картинок около 32×32: без шага и без пулинга"}));
  settings.push_back(loss_setting(config.loss));
  return settings;
}

namespace {

constexpr std::int64_t kBottleneckExpansion = 4;

Tensor stem(const Tensor& x, const ResNetConfig& config) {
  const Graph::ScopeGuard scope(x.graph(), "stem");
  const bool small = config.small_images;
  const std::int64_t kernel = small ? 3 : 7;
  const std::int64_t stride = small ? 1 : 2;
  const std::int64_t pad = kernel / 2;
  Tensor y = nn::conv2d(x, config.base_channels, {kernel, kernel},
                        {.strides = {stride, stride}, .pads = {pad, pad, pad, pad}, .bias = false, .name = "conv"});
  y = relu(nn::batch_norm(y, {.name = "norm"})).named("activation");
  if (small) return y;
  return max_pool(y, {3, 3}, {.strides = {2, 2}, .pads = {1, 1, 1, 1}}).y.named("pool");
}

Tensor block(const Tensor& x, std::int64_t channels, std::int64_t stride, std::int64_t number, bool bottleneck) {
  const std::string name = "block_" + std::to_string(number);
  if (!bottleneck) return nn::residual_block(x, channels, {.stride = stride, .name = name});
  return nn::bottleneck_block(x, channels * kBottleneckExpansion, channels, {.stride = stride, .name = name});
}

struct ResNetSize {
  const char* name;
  std::vector<std::int64_t> blocks;
  bool bottleneck;
  Words words;
};

const ResNetSize kResNet18 = {"resnet18",
                              {2, 2, 2, 2},
                              false,
                              {"A residual network of 18 layers: the usual first choice for classifying pictures.",
                               "Остаточная сеть из 18 слоёв: обычный первый выбор для классификации картинок."}};
const ResNetSize kResNet34 = {
    "resnet34",
    {3, 4, 6, 3},
    false,
    {"The same blocks, 34 layers: better and twice as costly.", "Те же блоки, 34 слоя: точнее и вдвое дороже."}};
const ResNetSize kResNet50 = {"resnet50",
                              {3, 4, 6, 3},
                              true,
                              {"Bottleneck blocks, 50 layers: what others are measured against.",
                               "Блоки с узким местом, 50 слоёв: с этой сетью сравнивают остальные."}};

ResNetConfig sized_resnet(ResNetConfig config, const ResNetSize& size) {
  config.blocks = size.blocks;
  config.bottleneck = size.bottleneck;
  return config;
}

Graph built(ResNetConfig config, const ResNetSize& size) {
  Graph graph = resnet(sized_resnet(std::move(config), size));
  graph.set_name(size.name);
  return graph;
}

}  // namespace

Graph resnet(const ResNetConfig& given) {
  constexpr std::size_t kMostStages = 8;
  ResNetConfig config = given;
  check_settings(settings_of(config), "resnet");
  if (config.blocks.size() > kMostStages) {
    fail(ErrorCode::bad_attribute, std::to_string(config.blocks.size()) + " stages for setting 'blocks' of 'resnet'",
         "at most " + std::to_string(kMostStages) + ": each halves the picture and doubles the channels");
  }
  Graph graph("resnet");
  Tensor y = stem(image_input(graph, config.images), config);
  for (std::size_t stage = 0; stage < config.blocks.size(); ++stage) {
    const Graph::ScopeGuard scope(graph, "layer_" + std::to_string(stage + 1));
    for (std::int64_t number = 0; number < config.blocks[stage]; ++number) {
      const std::int64_t stride = stage > 0 && number == 0 ? 2 : 1;
      y = block(y, config.base_channels << stage, stride, number, config.bottleneck);
    }
  }
  y = flatten(global_average_pool(y).named("pool")).named("flatten");
  classify(graph, nn::linear(y, config.classes, {.name = "head"}), config.loss);
  initialise(graph, [](const Variable& variable) -> std::optional<Initializer> {
    if (variable.type.shape.rank() != 4) return std::nullopt;
    return Initializer::kaiming_normal(0, Initializer::Fan::out);
  });
  return graph;
}

Graph resnet18(ResNetConfig config) { return built(std::move(config), kResNet18); }
Graph resnet34(ResNetConfig config) { return built(std::move(config), kResNet34); }
Graph resnet50(ResNetConfig config) { return built(std::move(config), kResNet50); }

std::vector<Model> resnet_models() {
  std::vector<Model> models;
  for (const ResNetSize& size : {kResNet18, kResNet34, kResNet50}) {
    models.push_back(
        entry<ResNetConfig>(size.name, "resnet", sized_resnet({}, size), resnet, {{"batch", 1}}, size.words));
  }
  return models;
}

}  // namespace asg::zoo
