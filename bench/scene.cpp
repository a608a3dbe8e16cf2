// How long people wait when they look at a large model: GPT-2 of 124 million parameters with its training step. Prints
// for each view the time to index it, the slowest of its levels, a search and the slowest description on the way down.
//   demanded: at most 150 ms to index, 10 ms for any level
#include <cstdio>
#include <ctime>
#include <string>
#include <vector>

#include "asg/asg.h"
#include "asg/lab/describe.h"
#include "asg/lab/scene_json.h"

namespace {

using namespace asg;  // NOLINT
// Processor time, which is what an idle machine would need: a level takes so little that others would be measured.
double milliseconds_since(std::clock_t start) {
  return static_cast<double>(std::clock() - start) / (CLOCKS_PER_SEC / 1000.0);
}

struct Slowest {
  double milliseconds = 0;
  std::string path;
  void note(double took, const std::string& at) {
    if (took > milliseconds) *this = {took, at};
  }
};

// Opens everything, blocks of a chain included. The first time that a level is asked for counts, with its JSON.
void open_all(const lab::Scene& scene, Slowest& level_time, std::size_t& levels, std::size_t& bytes) {
  std::vector<std::string> open = {""};
  while (!open.empty()) {
    const std::string scope = open.back();
    open.pop_back();
    const auto start = std::clock();
    const lab::Level level = scene.level(scope);
    bytes += lab::level_json(level, {}).size();
    level_time.note(milliseconds_since(start), scope);
    ++levels;
    for (const lab::Item& item : level.items) {
      if (item.opens) open.push_back(item.path);
    }
  }
}

template <class Make>
void measure(const char* name, const Make& make, const char* described) {
  const auto start = std::clock();
  const lab::Scene scene = make();
  const double indexed = milliseconds_since(start);
  Slowest level_time;
  std::size_t levels = 0;
  std::size_t bytes = 0;
  open_all(scene, level_time, levels, bytes);
  const auto search = std::clock();
  const std::size_t found = scene.find("matmul", 50).entries.size();
  const double searched = milliseconds_since(search);
  const auto description = std::clock();
  const std::size_t text = lab::described_json(lab::describe(scene, described), {}).size();
  const double told = milliseconds_since(description);
  std::printf("%-10s indexed in %7.2f ms; slowest of %5zu levels %6.2f ms ('%s'), %zu kB in all\n", name, indexed,
              levels, level_time.milliseconds, level_time.path.c_str(), bytes / 1000);
  std::printf("%-10s a search %6.2f ms (%zu shown); '%s' described in %6.2f ms (%zu bytes)\n", "", searched, found,
              described, told, text);
  std::fflush(stdout);
}

}  // namespace

int main() {
  const Graph model = zoo::build("gpt2", {{"batch", 1}, {"length", 64}});
  const train::StepGraph step = train::make_step(model, "loss", optim::optimizer_named("adamw"));
  std::printf("GPT-2: %zu nodes of the model, %zu of the training step\n", model.node_count(), step.graph.node_count());
  measure("model", [&] { return lab::Scene::of_model(model); }, "block_5/feed_forward/activation");
  measure("expanded", [&] { return lab::Scene::of_expanded(model); }, "block_5/feed_forward/activation");
  measure("gradient", [&] { return lab::Scene::of_step(model, step); }, "forward/block_5/feed_forward/activation");
  return 0;
}
