// What loading data costs a training: the step of an MLP and of a CNN on pictures of 28×28, with batches that lie ready
// in memory, another one for each step, and with batches of the loader (shuffled, u8 to f32 and normalised for every
// batch anew). Beside them the step on one batch again and again, which no training does. Prints a table, or JSON with
// --json. MNIST is used where it is here (asg data get mnist), else as many random pictures.
//   demanded: at most 1.05 times the step without the loader
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "asg/asg.h"
#include "asg/core/random.h"

namespace {

using namespace asg;  // NOLINT

constexpr std::int64_t kBatch = 128;
constexpr std::size_t kReady = 64;  // batches, more than the caches hold
constexpr double kMostTimes = 1.05;

data::Dataset random_pictures() {
  constexpr std::int64_t kExamples = 60000;
  Array pixels(DType::u8, {kExamples, 28, 28});
  const RandomStream random(1, combine(0, "pixels"));
  const auto bytes = pixels.mutable_data<std::uint8_t>();
  for (std::size_t k = 0; k < bytes.size(); ++k) bytes[k] = static_cast<std::uint8_t>(k * 7 + random.bits(k / 1024));
  Array labels(DType::i64, {kExamples});
  for (std::int64_t k = 0; k < kExamples; ++k) labels.set_i64(k, k % 10);
  return data::make_dataset("random pictures", std::move(pixels), std::move(labels), 10).mapped(data::to_float());
}

data::Dataset pictures() {
  return data::is_here(data::catalogue_entry("mnist")) ? data::open("mnist").train : random_pictures();
}

Graph mlp() {
  Graph graph("mlp");
  const Tensor x = graph.input("features", {DType::f32, {kBatch, 784}});
  const Tensor labels = graph.input("labels", {DType::i64, {kBatch}});
  const Tensor first = relu(nn::linear(x, 256, {.name = "first"}));
  const Tensor second = relu(nn::linear(first, 256, {.name = "second"}));
  graph.set_output("loss", loss::cross_entropy(nn::linear(second, 10, {.name = "last"}), labels));
  return graph;
}

Graph cnn() {
  Graph graph("cnn");
  const Tensor x = graph.input("features", {DType::f32, {kBatch, 1, 28, 28}});
  const Tensor labels = graph.input("labels", {DType::i64, {kBatch}});
  const Tensor first = relu(nn::conv2d(x, 32, {3, 3}, {.name = "first"}));
  const Tensor second = relu(nn::conv2d(first, 64, {3, 3}, {.name = "second"}));
  const Tensor pooled = flatten(max_pool(second, {2, 2}, {.strides = {2, 2}}).y);
  const Tensor third = relu(nn::linear(pooled, 128, {.name = "third"}));
  graph.set_output("loss", loss::cross_entropy(nn::linear(third, 10, {.name = "last"}), labels));
  return graph;
}

struct Workload {
  const char* name;
  Graph graph;
  data::Transform form;
  int rounds;
  int steps;  // of a round
};

struct Row {
  std::string name;
  double again = 0;    // seconds of a step, on one batch that stays in the caches
  double without = 0;  // on batches that lie ready in memory
  double with = 0;
  double times = 0;   // the step with the loader in steps without, the middle of what rounds gave
  double making = 0;  // seconds of one processor that making a batch takes
};

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

template <class Step>
double seconds_of_step(int steps, const Step& step) {
  const auto start = std::chrono::steady_clock::now();
  for (int k = 0; k < steps; ++k) step();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / steps;
}

data::Dataset prepared(const data::Dataset& dataset, const Workload& model) {
  return dataset.mapped(data::chain({data::normalise({0.1307}, {0.3081}), model.form}));
}

// Batches that are made when they are asked for, by the thread that asks.
double seconds_of_making(const data::Dataset& dataset) {
  constexpr int kBatches = 400;
  data::Loader loader(dataset, {.batch_size = kBatch});
  for (int k = 0; k < 5; ++k) loader.next();
  const std::clock_t start = std::clock();
  for (int k = 0; k < kBatches; ++k) loader.next();
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC / kBatches;
}

// The two take turns, so that whatever else the machine does meets both.
Row measure(const Workload& model, const data::Dataset& dataset) {
  train::Trainer trainer(model.graph, BackendRegistry::global().make("cpu"),
                         {.optimizer = optim::Optimizer::adam(1e-3)});
  const data::Dataset mapped = prepared(dataset, model);
  data::Loader loader(mapped, {.batch_size = kBatch});
  std::vector<NamedArrays> ready;
  while (ready.size() < kReady) ready.push_back(loader.next().arrays);
  for (int k = 0; k < 5; ++k) trainer.step(ready.front());
  std::vector<double> again, without, with, times;
  std::size_t turn = 0;
  for (int round = 0; round < model.rounds; ++round) {
    again.push_back(seconds_of_step(model.steps, [&] { trainer.step(ready.front()); }));
    without.push_back(seconds_of_step(model.steps, [&] { trainer.step(ready[turn++ % kReady]); }));
    with.push_back(seconds_of_step(model.steps, [&] { trainer.step(loader.next().arrays); }));
    times.push_back(with.back() / without.back());
  }
  return {model.name, median(again), median(without), median(with), median(times), seconds_of_making(mapped)};
}

}  // namespace

// With --making only the making of batches is measured, in processor time: that can be had on a busy machine too.
int main(int argc, char** argv) {
  const bool making = argc > 1 && std::string_view(argv[1]) == "--making";
  const bool json = argc > 1 && std::string_view(argv[1]) == "--json";
  const data::Dataset dataset = pictures();
  const std::vector<Workload> models = {{"MLP 784-256-256-10", mlp(), data::flatten(), 61, 100},
                                        {"CNN 32-64-128-10", cnn(), data::reshape({1, 28, 28}), 15, 6}};
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  if (!json) std::printf("%s, batches of %lld\n", dataset.name().c_str(), static_cast<long long>(kBatch));
  for (const Workload& model : models) {
    if (making) {
      std::printf("  %-20s %.3f ms to make a batch\n", model.name, seconds_of_making(prepared(dataset, model)) * 1e3);
      continue;
    }
    const Row row = measure(model, dataset);
    all.push_back({{"model", row.name},
                   {"seconds_again", row.again},
                   {"seconds_without", row.without},
                   {"seconds_with", row.with},
                   {"times", row.times},
                   {"seconds_of_making", row.making}});
    if (!json) {
      std::printf("  %-20s %8.3f ms without, %8.3f ms with the loader: %.3f times%s\n", row.name.c_str(),
                  row.without * 1e3, row.with * 1e3, row.times,
                  row.times <= kMostTimes ? "" : " (demanded: at most 1.05)");
      std::printf("  %-20s %8.3f ms to make a batch; a step on the same batch again %.3f ms\n", "", row.making * 1e3,
                  row.again * 1e3);
    }
  }
  if (json) std::printf("%s\n", all.dump(2).c_str());
  return 0;
}
