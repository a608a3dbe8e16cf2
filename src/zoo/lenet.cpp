#include "asg/zoo/lenet.h"

#include "asg/nn/nn.h"
#include "zoo/parts.h"
#include "zoo/settings.h"

namespace asg::zoo {

Settings settings_of(LeNetConfig& config) {
  Settings settings;
  add_images(settings, config.images);
  settings.push_back(classes_setting(config.classes));
  settings.push_back(whole("padding", config.padding, 0, 1024, {"zeros around a picture", "нули вокруг картинки"}));
  settings.push_back(choice("activation", config.activation, {"Tanh", "Relu", "Sigmoid", "Gelu", "Silu"},
                            {"the op after each layer", "операция после каждого слоя"}));
  settings.push_back(choice("pooling", config.pooling, {"average", "max"},
                            {"what stays of four neighbours: their mean or the largest",
                             "что остаётся от четырёх соседей: среднее или наибольшее"}));
  settings.push_back(loss_setting(config.loss));
  return settings;
}

namespace {

// Convolution, activation, pool.
Tensor stage(const Tensor& x, std::int64_t channels, std::int64_t padding, const std::string& number,
             const LeNetConfig& config) {
  Tensor y = nn::conv2d(x, channels, {5, 5}, {.pads = {padding, padding, padding, padding}, .name = "conv_" + number});
  y = add_op(config.activation, {y}).named("conv_activation_" + number);
  const bool average = config.pooling == "average";
  y = average ? average_pool(y, {2, 2}, {.strides = {2, 2}}) : max_pool(y, {2, 2}, {.strides = {2, 2}}).y;
  return y.named("pool_" + number);
}

}  // namespace

Graph lenet(const LeNetConfig& given) {
  LeNetConfig config = given;
  check_settings(settings_of(config), "lenet");
  Graph graph("lenet");
  Tensor y = image_input(graph, config.images);
  y = stage(y, 6, config.padding, "1", config);
  y = stage(y, 16, 0, "2", config);
  y = flatten(y).named("flatten");
  y = add_op(config.activation, {nn::linear(y, 120, {.name = "linear_1"})}).named("activation_1");
  y = add_op(config.activation, {nn::linear(y, 84, {.name = "linear_2"})}).named("activation_2");
  classify(graph, nn::linear(y, config.classes, {.name = "head"}), config.loss);
  return graph;
}

std::vector<Model> lenet_models() {
  return {entry<LeNetConfig>("lenet", "lenet", {}, lenet, {{"batch", 1}},
                             {"The convolutional network that read cheques in 1998: small, quick, good for digits.",
                              "Свёрточная сеть, читавшая чеки в 1998 году: маленькая, быстрая, подходит для цифр."})};
}

}  // namespace asg::zoo
