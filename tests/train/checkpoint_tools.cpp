#include "train/checkpoint_tools.h"

#include <algorithm>
#include <filesystem>

#include "asg/core/log.h"
#include "asg/ops/ops.h"

namespace asg::test {
namespace {

Array filled(std::int64_t elements, std::int64_t value) {
  Array array(DType::f32, {elements});
  for (float& element : array.mutable_data<float>()) element = static_cast<float>(value);
  return array;
}

bool holds(const Array& array, std::int64_t value) {
  const auto elements = array.data<float>();
  return std::all_of(elements.begin(), elements.end(), [&](float each) { return each == static_cast<float>(value); });
}

}  // namespace

train::CheckpointData checkpoint_of(std::int64_t step, std::int64_t elements, std::map<std::string, double> metrics) {
  Graph graph("one_weight");
  const Tensor weight = graph.parameter("weight", {DType::f32, {elements}}, Initializer::zeros());
  graph.set_output("weight", weight);
  const VarId id = graph.find_variable("weight");
  train::CheckpointData data;
  data.model = Model(std::move(graph));
  data.state.variables.emplace(id, filled(elements, step));
  data.state.optimizer.emplace(optim::StateKey{id, "mean"}, filled(elements, step));
  data.state.steps = step;
  data.state.committed = step;
  data.state.learning_rate = 0.1;
  data.extras = R"({"position":)" + std::to_string(step) + "}";
  data.metrics = std::move(metrics);
  return data;
}

bool is_whole(const train::CheckpointData& data) {
  const std::int64_t step = data.state.steps;
  return data.state.variables.size() == 1 && data.state.optimizer.size() == 1 && data.state.committed == step &&
         holds(data.state.variables.begin()->second, step) && holds(data.state.optimizer.begin()->second, step) &&
         data.extras == R"({"position":)" + std::to_string(step) + "}";
}

std::set<std::string> names_in(const std::string& folder) {
  std::set<std::string> result;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) result.insert(entry.path().filename().string());
  return result;
}

Warnings::Warnings() {
  set_log_sink([this](LogLevel level, std::string_view message) {
    const std::lock_guard lock(mutex_);
    if (level == LogLevel::warning) texts.emplace_back(message);
  });
}

Warnings::~Warnings() { set_log_sink(nullptr); }

}  // namespace asg::test
