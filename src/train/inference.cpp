#include <algorithm>

#include "asg/graph/part.h"
#include "asg/graph/walk.h"
#include "asg/train/trainer.h"

namespace asg::train {
namespace {

// Inputs of the graph that have a value, in the order of the graph.
std::vector<NodeId> given_inputs(const Graph& graph, const NamedArrays& batch) {
  std::vector<NodeId> result;
  for (const NodeId id : graph.inputs()) {
    if (batch.contains(graph.node(id).path())) result.push_back(id);
  }
  return result;
}

// The outputs that need no other inputs.
std::vector<Output> outputs_from(const Graph& graph, std::span<const NodeId> given) {
  std::vector<NodeId> absent;
  for (const NodeId id : graph.inputs()) {
    if (std::find(given.begin(), given.end(), id) == given.end()) absent.push_back(id);
  }
  const std::vector<NodeId> touched = descendants(graph, absent);
  std::vector<Output> result;
  for (const Output& output : graph.outputs()) {
    if (!std::binary_search(touched.begin(), touched.end(), output.value.node)) result.push_back(output);
  }
  return result;
}

[[noreturn]] void fail_without_outputs(const Graph& graph, std::span<const NodeId> given) {
  std::string absent;
  for (const NodeId id : graph.inputs()) {
    if (std::find(given.begin(), given.end(), id) != given.end()) continue;
    absent += (absent.empty() ? "'" : ", '") + graph.node(id).path() + "' of type " + graph.type({id, 0}).to_string();
  }
  fail(ErrorCode::missing_value, "no value for " + absent + ", which every output needs",
       "values for the inputs of one output at least", "give them under these names");
}

}  // namespace

Companion Trainer::compile_inference(const Graph& graph, Executable& training) const {
  return {backend_->compile(graph, {.mode = Mode::eval, .bf16 = options_.bf16}), training};
}

NamedArrays Trainer::infer(const NamedArrays& batch) {
  const Graph& graph = inference_graph();
  const std::vector<NodeId> given = given_inputs(graph, batch);
  if (given.size() < graph.inputs().size()) {
    if (!last_part_ || last_part_->given != given) {
      std::vector<Output> outputs = outputs_from(graph, given);
      if (outputs.empty()) fail_without_outputs(graph, given);
      last_part_ = {given, compile_inference(part_for(graph, std::move(outputs)), *built_.executable)};
    }
    last_part_->outputs.bring();
    return last_part_->outputs->run(batch).outputs;
  }
  if (!inference_is_fresh_) built_.inference->bring();
  inference_is_fresh_ = true;
  return (*built_.inference)->run(batch).outputs;
}

}  // namespace asg::train
