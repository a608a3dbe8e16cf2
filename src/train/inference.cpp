#include <algorithm>

#include "asg/graph/part.h"
#include "asg/graph/walk.h"
#include "asg/train/trainer.h"

namespace asg::train {
namespace {

// Names of the inputs of the model that have a value, in its order.
std::vector<std::string> given_inputs(const Graph& model, const NamedArrays& batch) {
  std::vector<std::string> result;
  for (const NodeId id : model.inputs()) {
    std::string name = model.node(id).path();
    if (batch.contains(name)) result.push_back(std::move(name));
  }
  return result;
}

std::vector<NodeId> absent_inputs(const Graph& graph, std::span<const std::string> given) {
  std::vector<NodeId> result;
  for (const NodeId id : graph.inputs()) {
    if (std::find(given.begin(), given.end(), graph.node(id).path()) == given.end()) result.push_back(id);
  }
  return result;
}

// The outputs that need none of these inputs.
std::vector<Output> outputs_without(const Graph& graph, std::span<const NodeId> absent) {
  const std::vector<NodeId> touched = descendants(graph, absent);
  std::vector<Output> result;
  for (const Output& output : graph.outputs()) {
    if (!std::binary_search(touched.begin(), touched.end(), output.value.node)) result.push_back(output);
  }
  return result;
}

[[noreturn]] void fail_without_outputs(const Graph& graph, std::span<const NodeId> absent) {
  std::string names;
  for (const NodeId id : absent) {
    names += (names.empty() ? "'" : ", '") + graph.node(id).path() + "' of type " + graph.type({id, 0}).to_string();
  }
  fail(ErrorCode::missing_value, "no value for " + names + ", which every output needs",
       "values for the inputs of one output at least", "give them under these names");
}

}  // namespace

Graph make_inference_graph(const Graph& model, std::span<const std::string> given) {
  Graph graph = make_inference(model).graph;
  const std::vector<NodeId> absent = absent_inputs(graph, given);
  if (absent.empty()) return graph;
  std::vector<Output> outputs = outputs_without(graph, absent);
  if (outputs.empty()) fail_without_outputs(graph, absent);
  return part_for(graph, std::move(outputs));
}

Trainer::Inference Trainer::make_inference_from(const Graph& graph, Executable& training) const {
  const CompileOptions options = {.mode = Mode::eval, .bf16 = options_.bf16};
  return {{backend_->compile(graph, options), training}};
}

Trainer::Inference& Trainer::inference_from(const NamedArrays& batch) {
  std::vector<std::string> given = given_inputs(model_.graph(), batch);
  const auto known = inferences_.find(given);
  if (known != inferences_.end()) return known->second;
  Inference made = make_inference_from(make_inference_graph(model_.graph(), given), *built_.executable);
  return inferences_.emplace(std::move(given), std::move(made)).first->second;
}

NamedArrays Trainer::infer(const NamedArrays& batch) {
  Inference& inference = inference_from(batch);
  if (!inference.is_fresh) inference.outputs.bring();
  inference.is_fresh = true;
  try {
    return inference.outputs->run(batch).outputs;
  } catch (const UserError& error) {
    throw error_of_run(inference.outputs->graph(), batch, error);
  }
}

void Trainer::values_changed() {
  for (auto& [given, inference] : inferences_) inference.is_fresh = false;
}

}  // namespace asg::train
