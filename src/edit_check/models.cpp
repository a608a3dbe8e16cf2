#include "asg/edit_check/edit_check.h"
#include "asg/loss/loss.h"
#include "asg/nn/nn.h"
#include "asg/ops/ops.h"

// Models so small that a step takes about a millisecond. All learn the digits: features f32[batch, 8, 8].
namespace asg::edit_check {
namespace {

constexpr std::int64_t kSide = 8;
constexpr std::int64_t kClasses = 10;

struct DigitInputs {
  Tensor features;
  Tensor labels;
};

DigitInputs digit_inputs(Graph& graph) {
  const Dim batch = Dim::symbol("batch");
  return {graph.input("features", {DType::f32, {batch, kSide, kSide}}), graph.input("labels", {DType::i64, {batch}})};
}

void classify_digits(Graph& graph, const Tensor& x, const Tensor& labels) {
  const Tensor logits = nn::linear(x, kClasses, {.name = "head"});
  graph.set_output("logits", logits);
  graph.set_output("loss", loss::cross_entropy(logits, labels, {}, {.name = "loss"}));
}

Tensor as_image(const Tensor& features) { return reshape(features, {-1, 1, kSide, kSide}).named("image"); }

void build_mlp(Graph& graph) {
  const DigitInputs in = digit_inputs(graph);
  Tensor x = flatten(in.features).named("flat");
  x = relu(nn::linear(x, 12, {.name = "first"})).named("relu");
  x = nn::dropout(x, {.ratio = 0.1, .name = "dropout"});
  x = tanh(nn::linear(x, 8, {.name = "second"})).named("tanh");
  classify_digits(graph, x, in.labels);
}

void build_transformer(Graph& graph) {
  const DigitInputs in = digit_inputs(graph);
  Tensor x = nn::linear(in.features, 8, {.name = "embed"});
  x = x + graph.parameter("positions", {DType::f32, {kSide, 8}}, Initializer::normal(0, 0.1));
  x = nn::transformer_block(x.named("tokens"), 2, 12, {.name = "block"});
  x = nn::layer_norm(x, {.name = "norm"});
  x = reduce_mean(x, {1}, {.keepdims = false}).named("pooled");
  classify_digits(graph, x, in.labels);
}

void build_lenet(Graph& graph) {
  const DigitInputs in = digit_inputs(graph);
  Tensor x = nn::conv2d(as_image(in.features), 3, {3, 3}, {.pads = {1, 1, 1, 1}, .name = "conv_1"});
  x = relu(nn::batch_norm(x, {.name = "norm_1"})).named("relu_1");
  x = max_pool(x, {2, 2}, {.strides = {2, 2}}).y.named("pool_1");
  x = nn::conv2d(x, 4, {3, 3}, {.name = "conv_2"});
  x = relu(nn::batch_norm(x, {.name = "norm_2"})).named("relu_2");
  x = average_pool(x, {2, 2}, {.strides = {2, 2}}).named("pool_2");
  x = nn::linear(flatten(x).named("flat"), 8, {.name = "hidden"});
  classify_digits(graph, relu(x).named("relu_3"), in.labels);
}

void build_lstm(Graph& graph) {
  const DigitInputs in = digit_inputs(graph);
  const nn::LSTMOutputs states = nn::lstm(in.features, 6, {.name = "memory"});
  const Tensor last = squeeze(states.h, {1}).named("last");
  classify_digits(graph, nn::layer_norm(last, {.name = "norm"}), in.labels);
}

void build_resnet(Graph& graph) {
  const DigitInputs in = digit_inputs(graph);
  Tensor x = nn::conv2d(as_image(in.features), 4, {3, 3}, {.pads = {1, 1, 1, 1}, .bias = false, .name = "stem"});
  x = relu(nn::batch_norm(x, {.name = "stem_norm"})).named("stem_relu");
  x = nn::residual_block(x, 4, {.name = "block_1"});
  x = nn::residual_block(x, 6, {.stride = 2, .name = "block_2"});
  x = flatten(global_average_pool(x).named("pool")).named("flat");
  classify_digits(graph, x, in.labels);
}

// Two ways side by side, one variable with two users, a norm over groups of channels.
void build_branches(Graph& graph) {
  const DigitInputs in = digit_inputs(graph);
  const Tensor image = as_image(in.features);
  const Tensor left = nn::conv2d(image, 2, {3, 3}, {.strides = {2, 2}, .name = "left"});
  const Tensor right = nn::conv2d(image, 4, {3, 3}, {.strides = {2, 2}, .name = "right"});
  Tensor x = nn::group_norm(concat({left, right}, 1).named("both"), 2, {.name = "norm"});
  x = nn::linear(flatten(silu(x).named("silu")).named("flat"), 6, {.name = "narrow"});
  const Node& tied = graph.node(nn::linear(x, 6, {.name = "again"}).value().node);
  x = nn::linear(tanh(graph.tensor({tied.id, 0})).named("tanh"), 6, {.name = "tied", .bindings = {tied.bindings[0]}});
  classify_digits(graph, x, in.labels);
}

struct NamedModel {
  const char* name;
  void (*build)(Graph& graph);
};
constexpr NamedModel kModels[] = {{"mlp", build_mlp},       {"transformer", build_transformer},
                                  {"lenet", build_lenet},   {"lstm", build_lstm},
                                  {"resnet", build_resnet}, {"branches", build_branches}};

}  // namespace

const std::vector<std::string>& model_names() {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> names;
    for (const NamedModel& model : kModels) names.emplace_back(model.name);
    return names;
  }();
  return kNames;
}

Graph make_model(std::string_view name) {
  for (const NamedModel& model : kModels) {
    if (name != model.name) continue;
    Graph graph{std::string(name)};
    model.build(graph);
    return graph;
  }
  std::string known;
  for (const std::string& each : model_names()) known.append(known.empty() ? "" : ", ").append(each);
  fail(ErrorCode::bad_command, "the model '" + std::string(name) + "'", "one of: " + known);
}

}  // namespace asg::edit_check
