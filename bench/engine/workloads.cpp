// What is measured, once for all: tools/bench/models.py says the same in PyTorch.
//   a   MLP 784-256-256-10, ReLU, batch 128, Adam: a training step
//   b   CNN on 28×28: conv 1→32 3×3, conv 32→64 3×3, max-pool 2, 9216→128→10, ReLU, batch 64, Adam: a training step
//   c   GPT of 4 layers, width 128, 4 heads, length 64, vocabulary 65, batch 12, AdamW: a training step
//   d   GPT of 6 layers, width 384, 6 heads, length 256, vocabulary 65, batch 8, AdamW: a training step
//   e   GPT-2 124M: forward, batch 1, length 128, all logits
//   f   20 times add, multiply or max with a number on 10 million floats
// All in f32, without dropout.
#include "workloads.h"

#include "asg/loss/loss.h"
#include "asg/nn/nn.h"
#include "asg/zoo/gpt2.h"
#include "numbers.h"

namespace asg::bench {
namespace {

optim::Optimizer adam() { return optim::Optimizer::adam(1e-3); }
optim::Optimizer adamw() { return optim::Optimizer::adamw(1e-3, 0.01); }

// ---- a: a perceptron for pictures of 28×28.

constexpr std::int64_t kClasses = 10;

Graph mlp(std::int64_t batch) {
  Graph graph("mlp");
  const Tensor x = graph.input("features", {DType::f32, {batch, 784}});
  const Tensor labels = graph.input("labels", {DType::i64, {batch}});
  const Tensor first = relu(nn::linear(x, 256, {.name = "first"}));
  const Tensor second = relu(nn::linear(first, 256, {.name = "second"}));
  const Tensor logits = nn::linear(second, kClasses, {.name = "last"});
  graph.set_output("loss", loss::cross_entropy(logits, labels));
  return graph;
}

Workload mlp_training() {
  constexpr std::int64_t kBatch = 128;
  return {.name = "a",
          .words = "MLP 784-256-256-10, batch 128, Adam, training",
          .model = [] { return mlp(kBatch); },
          .inputs =
              [] {
                return NamedArrays{{"features", uniform("features", {kBatch, 784}, 1)},
                                   {"labels", whole("labels", {kBatch}, kClasses)}};
              },
          .output = "loss",
          .optimizer = adam(),
          .products = {{.m = kBatch, .n = 256, .k = 784, .by_input = false},
                       {.m = kBatch, .n = 256, .k = 256},
                       {.m = kBatch, .n = kClasses, .k = 256}}};
}

// ---- b: a convolutional network for the same pictures.

Graph cnn(std::int64_t batch) {
  Graph graph("cnn");
  const Tensor x = graph.input("features", {DType::f32, {batch, 1, 28, 28}});
  const Tensor labels = graph.input("labels", {DType::i64, {batch}});
  const Tensor first = relu(nn::conv2d(x, 32, {3, 3}, {.name = "first"}));
  const Tensor second = relu(nn::conv2d(first, 64, {3, 3}, {.name = "second"}));
  const Tensor pooled = flatten(max_pool(second, {2, 2}, {.strides = {2, 2}}).y);
  const Tensor third = relu(nn::linear(pooled, 128, {.name = "third"}));
  const Tensor logits = nn::linear(third, kClasses, {.name = "last"});
  graph.set_output("loss", loss::cross_entropy(logits, labels));
  return graph;
}

Workload cnn_training() {
  constexpr std::int64_t kBatch = 64;
  return {.name = "b",
          .words = "CNN on 28x28, batch 64, Adam, training",
          .model = [] { return cnn(kBatch); },
          .inputs =
              [] {
                return NamedArrays{{"features", uniform("features", {kBatch, 1, 28, 28}, 1)},
                                   {"labels", whole("labels", {kBatch}, kClasses)}};
              },
          .output = "loss",
          .optimizer = adam(),
          .products = {{.m = kBatch * 26 * 26, .n = 32, .k = 1 * 3 * 3, .by_input = false},
                       {.m = kBatch * 24 * 24, .n = 64, .k = 32 * 3 * 3},
                       {.m = kBatch, .n = 128, .k = 64 * 12 * 12},
                       {.m = kBatch, .n = kClasses, .k = 128}}};
}

// ---- c, d, e: transformers as GPT-2 has them; the head shares the table of the tokens.

struct Gpt {
  std::int64_t layers, width, heads, length, vocabulary, batch;
  std::int64_t positions;  // rows of the table of positions
};

// With the exact Gelu, as most write it in PyTorch today; of the outputs only the one that is measured.
Graph gpt_model(const Gpt& gpt, const std::string& output) {
  Graph graph = zoo::gpt2({.tokens = {.vocabulary = gpt.vocabulary, .batch = gpt.batch, .length = gpt.length},
                           .positions = gpt.positions,
                           .layers = gpt.layers,
                           .features = gpt.width,
                           .heads = gpt.heads,
                           .approximate = "none",
                           .loss = output == "loss"});
  graph.set_outputs({*graph.find_output(output)});
  return graph;
}

// Attention counts in full, as if nobody knew that half of the scores are masked.
std::vector<Product> gpt_products(const Gpt& gpt) {
  const auto rows = static_cast<double>(gpt.batch * gpt.length);
  const auto width = static_cast<double>(gpt.width);
  const auto length = static_cast<double>(gpt.length);
  const auto layers = static_cast<double>(gpt.layers);
  const double heads = layers * static_cast<double>(gpt.batch * gpt.heads);
  const double head_width = width / static_cast<double>(gpt.heads);
  return {{.times = 4 * layers, .m = rows, .n = width, .k = width},            // query, key, value, output
          {.times = heads, .m = length, .n = length, .k = head_width},         // scores
          {.times = heads, .m = length, .n = head_width, .k = length},         // weighted values
          {.times = 2 * layers, .m = rows, .n = 4 * width, .k = width},        // feed forward, there and back
          {.m = rows, .n = static_cast<double>(gpt.vocabulary), .k = width}};  // head
}

NamedArrays gpt_inputs(const Gpt& gpt) {
  return {{"tokens", whole("tokens", {gpt.batch, gpt.length}, static_cast<std::uint32_t>(gpt.vocabulary))}};
}

Workload gpt_training(std::string name, std::string words, const Gpt& gpt) {
  return {.name = std::move(name),
          .words = std::move(words),
          .model = [gpt] { return gpt_model(gpt, "loss"); },
          .inputs =
              [gpt] {
                NamedArrays inputs = gpt_inputs(gpt);
                inputs["targets"] =
                    whole("labels", {gpt.batch, gpt.length}, static_cast<std::uint32_t>(gpt.vocabulary));
                return inputs;
              },
          .output = "loss",
          .optimizer = adamw(),
          .products = gpt_products(gpt)};
}

Workload gpt_forward(std::string name, std::string words, const Gpt& gpt) {
  return {.name = std::move(name),
          .words = std::move(words),
          .model = [gpt] { return gpt_model(gpt, "logits"); },
          .inputs = [gpt] { return gpt_inputs(gpt); },
          .output = "logits",
          .optimizer = std::nullopt,
          .products = gpt_products(gpt)};
}

// ---- f: what costs nothing but memory.

constexpr std::int64_t kChainLength = 10'000'000;

Graph chain() {
  Graph graph("chain");
  Tensor x = graph.input("x", {DType::f32, {kChainLength}});
  for (int step = 0; step < 20; ++step) {
    const double number = 0.25 + 0.03125 * step;
    if (step % 3 == 0) x = x + number;
    if (step % 3 == 1) x = x * number;
    if (step % 3 == 2) x = max(x, {graph.scalar(DType::f32, number)});
  }
  graph.set_output("y", x);
  return graph;
}

Workload chain_of_numbers() {
  return {.name = "f",
          .words = "20 times add, multiply or max with a number on 10M floats",
          .model = chain,
          .inputs = [] { return NamedArrays{{"x", uniform("x", {kChainLength}, 4)}}; },
          .output = "y",
          .optimizer = std::nullopt,
          .products = {}};
}

}  // namespace

double Workload::operations() const {
  double sum = 0;
  for (const Product& product : products) sum += product.operations(trains());
  return sum;
}

const std::vector<Workload>& workloads() {
  static const std::vector<Workload> all = {
      mlp_training(),
      cnn_training(),
      gpt_training(
          "c", "GPT 4 layers, width 128, length 64, batch 12, AdamW, training",
          {.layers = 4, .width = 128, .heads = 4, .length = 64, .vocabulary = 65, .batch = 12, .positions = 64}),
      gpt_training(
          "d", "GPT 6 layers, width 384, length 256, batch 8, AdamW, training",
          {.layers = 6, .width = 384, .heads = 6, .length = 256, .vocabulary = 65, .batch = 8, .positions = 256}),
      gpt_forward(
          "e", "GPT-2 124M, forward, batch 1, length 128, all logits",
          {.layers = 12, .width = 768, .heads = 12, .length = 128, .vocabulary = 50257, .batch = 1, .positions = 1024}),
      chain_of_numbers()};
  return all;
}

const Workload* find_workload(std::string_view name) {
  for (const Workload& each : workloads()) {
    if (each.name == name) return &each;
  }
  return nullptr;
}

}  // namespace asg::bench
