// How compiling scales: training steps of ever deeper models, with gradient and updates, and chains of elementwise ops
// are compiled for the CPU until they are ready to run. Prints what each pass and stage takes, by the clock, and what
// all of them take together, in processor time.
//   usage:    bench_compile [gpt|chain SIZE...]: of layers or nodes; at least two sizes
//   demanded: at most 3 s for 100 thousand nodes, and from there on, where no graph fits into the caches, at most 12
//             times the time for 10 times the nodes; the model of workload d cold in 0.5 s, and with another activation
//             in 0.1 s
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "asg/backend/cpu.h"
#include "asg/compile/explain.h"
#include "asg/loss/loss.h"
#include "asg/nn/nn.h"
#include "asg/ops/ops.h"
#include "asg/optim/optimizer.h"
#include "asg/train/step_graph.h"

namespace {

using asg::Graph;
using asg::Tensor;

constexpr double kMostSeconds = 3;
constexpr std::size_t kNodesForThat = 100'000;
constexpr double kMostGrowth = 12;
constexpr double kMostCold = 0.5;  // of the model of workload d
constexpr double kMostEdited = 0.1;

struct Gpt {
  int layers = 1;
  std::int64_t width = 16;
  std::int64_t heads = 2;
  std::int64_t batch = 2;
  std::int64_t length = 8;
  const char* first_activation = "Gelu";
};

// A step of AdamW.
Graph training_of(const Gpt& gpt) {
  Graph graph("gpt");
  const Tensor tokens = graph.input("tokens", {asg::DType::i64, {gpt.batch, gpt.length}});
  const Tensor labels = graph.input("labels", {asg::DType::i64, {gpt.batch, gpt.length}});
  Tensor x = asg::nn::embedding(tokens, 65, gpt.width, {.name = "token"});
  for (int layer = 0; layer < gpt.layers; ++layer) {
    x = asg::nn::transformer_block(x, gpt.heads, 4 * gpt.width,
                                   {.activation = layer == 0 ? gpt.first_activation : "Gelu",
                                    .causal = true,
                                    .name = "block_" + std::to_string(layer)});
  }
  const Tensor logits = asg::nn::linear(x, 65, {.name = "head"});
  graph.set_output("loss", asg::loss::cross_entropy(logits, labels));
  return asg::train::make_step(graph, "loss", asg::optim::Optimizer::adamw(1e-3, 0.01)).graph;
}

// A narrow GPT of so many layers: about 860 nodes each.
Graph gpt(int layers) { return training_of({.layers = layers}); }

// x → exp → neg → exp → …
Graph chain(int nodes) {
  Graph graph("chain");
  Tensor value = graph.input("x", {asg::DType::f32, {8, 64}});
  for (int made = 1; made < nodes; ++made) value = made % 2 == 0 ? exp(value) : -value;
  graph.set_output("y", value);
  return graph;
}

struct Row {
  std::size_t nodes = 0;
  std::vector<std::pair<std::string, double>> stages;  // with their seconds; the last is all of them
};

Row measure_once(const Graph& graph) {
  asg::CpuBackend backend(1);
  Row row{.nodes = graph.node_count()};
  // Processor time: what an otherwise idle machine takes, whatever else runs on this one.
  const std::clock_t begin = std::clock();
  const auto executable = backend.compile(graph);
  const auto explanation = executable->explain({});  // all lengths are known, so it is compiled now
  const double all = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  for (const asg::PassReport& pass : explanation->passes) row.stages.emplace_back(pass.name, pass.seconds);
  for (const asg::StageTime& stage : explanation->stages) row.stages.emplace_back(stage.name, stage.seconds);
  row.stages.emplace_back("all", all);
  return row;
}

// The middle one of several, for each stage.
Row measure(const Graph& graph) {
  const int times = graph.node_count() >= 100'000 ? 3 : 9;
  std::vector<Row> rows;
  for (int time = 0; time < times; ++time) rows.push_back(measure_once(graph));
  Row result = rows.front();
  for (std::size_t stage = 0; stage < result.stages.size(); ++stage) {
    std::vector<double> seconds;
    for (const Row& row : rows) seconds.push_back(row.stages[stage].second);
    std::nth_element(seconds.begin(), seconds.begin() + times / 2, seconds.end());
    result.stages[stage].second = seconds[static_cast<std::size_t>(times / 2)];
  }
  return result;
}

void print(const char* shape, const std::vector<Row>& rows) {
  std::printf("%-16s", shape);
  for (const Row& row : rows) std::printf(" %9zu", row.nodes);
  std::printf(" nodes   per 10x\n");
  for (std::size_t stage = 0; stage < rows.front().stages.size(); ++stage) {
    std::printf("  %-14s", rows.front().stages[stage].first.c_str());
    for (const Row& row : rows) std::printf(" %9.4f", row.stages[stage].second);
    const Row& last = rows.back();
    const Row& before = rows[rows.size() - 2];
    const double nodes = static_cast<double>(last.nodes) / static_cast<double>(before.nodes);
    std::printf(" s     %8.1f\n", last.stages[stage].second / before.stages[stage].second * 10 / nodes);
  }
}

// The model of workload d: from nothing to a step that is ready, and once more with another activation.
void measure_edit() {
  asg::CpuBackend backend;
  const auto seconds_with = [&](const char* activation) {
    const std::clock_t begin = std::clock();
    const Graph step =
        training_of({.layers = 6, .width = 384, .heads = 6, .batch = 8, .length = 256, .first_activation = activation});
    static_cast<void>(backend.compile(step)->explain({}));
    return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  };
  const double cold = seconds_with("Gelu");
  const double edited = seconds_with("Relu");
  std::printf(
      "GPT of 6 layers of 384, training, gradient and updates included: cold %.4f s, another activation %.4f s\n", cold,
      edited);
  std::printf("%s: at most %.1f s and %.1f s\n\n", cold <= kMostCold && edited <= kMostEdited ? "kept" : "NOT KEPT",
              kMostCold, kMostEdited);
}

bool is_kept(const std::vector<Row>& rows) {
  const double nodes = static_cast<double>(rows.back().nodes);
  if (rows.back().stages.back().second * static_cast<double>(kNodesForThat) / nodes > kMostSeconds) return false;
  for (std::size_t k = 1; k < rows.size(); ++k) {
    if (rows[k - 1].nodes < kNodesForThat) continue;
    const double times = rows[k].stages.back().second / rows[k - 1].stages.back().second;
    if (times * 10 * static_cast<double>(rows[k - 1].nodes) / static_cast<double>(rows[k].nodes) > kMostGrowth)
      return false;
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  const auto measured = [](const char* shape, const std::function<Graph(int)>& make, std::vector<int> sizes) {
    std::vector<Row> rows;
    for (const int size : sizes) rows.push_back(measure(make(size)));
    print(shape, rows);
    std::printf("%s: at most %.0f s for %zu nodes, from there on %.0fx for 10x the nodes\n\n",
                is_kept(rows) ? "kept" : "NOT KEPT", kMostSeconds, kNodesForThat, kMostGrowth);
  };
  if (argc >= 4) {
    std::vector<int> sizes;
    for (int k = 2; k < argc; ++k) sizes.push_back(std::atoi(argv[k]));
    const std::string shape = argv[1];
    measured(argv[1], shape == "chain" ? chain : gpt, sizes);
    return 0;
  }
  measure_edit();
  measured("GPT, training", gpt, {12, 120, 1'200});
  measured("chain", chain, {1'500, 15'000, 150'000, 1'500'000});
  return 0;
}
