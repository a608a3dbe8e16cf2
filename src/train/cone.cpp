#include "asg/train/cone.h"

#include <cstring>

#include "asg/core/error.h"
#include "asg/core/sha256.h"
#include "asg/graph/card.h"
#include "asg/graph/json.h"
#include "asg/graph/part.h"
#include "asg/graph/walk.h"

namespace asg::train {
namespace {

std::string_view bytes_of_array(const Array& dense) {
  return {reinterpret_cast<const char*>(dense.raw()), static_cast<std::size_t>(dense.bytes())};
}

bool same_numbers(const Array& a, const Array& b) {
  return a.dtype() == b.dtype() && a.sizes() == b.sizes() && bytes_of_array(a) == bytes_of_array(b);
}

// What an attribute is, in full: its own text leaves out the numbers of tensors and the insides of graphs.
std::string signature_of(const Attr& attr) {
  if (attr.kind() == AttrKind::tensor) {
    const Array dense = attr.as_tensor().copy();
    return dense.type_string() + sha256(bytes_of_array(dense));
  }
  if (attr.kind() == AttrKind::graph) return attr.as_graph() == nullptr ? "" : to_json(*attr.as_graph());
  return attr.to_string();
}

std::int64_t bytes_of_values(const Cache& cache) {
  std::int64_t bytes = 0;
  for (const auto& [key, value] : cache) {
    if (value) bytes += element_count(value.sizes()) * bytes_of(value.dtype());
  }
  return bytes;
}

// The loss and what it depends on.
Graph graph_of_loss(const Trainer& trainer) {
  const Graph graph = make_inference(trainer.model().graph()).graph;
  const Output* loss = graph.find_output(trainer.options().loss);
  internal_check(loss != nullptr, "a model in training has its loss");
  return part_for(graph, {*loss});
}

}  // namespace

void Cone::forget() {
  leaves_.clear();
  classes_.clear();
  values_.clear();
}

Cone::Class Cone::class_of_leaf(const std::string& key, Array value) {
  Array dense = value.is_dense() ? std::move(value) : value.copy();
  const auto found = leaves_.find(key);
  if (found != leaves_.end() && same_numbers(found->second.value, dense)) return found->second.name;
  leaves_[key] = {std::move(dense), ++last_class_};
  return last_class_;
}

Cone::Class Cone::class_of(const Node& node, const std::vector<Class>& classes) {
  std::string signature = node.op->name + '\n' + std::to_string(node.stream);
  for (const Value input : node.inputs) {
    signature += '\n';
    if (input) signature += std::to_string(classes[input.node.number]) + ':' + std::to_string(input.port);
  }
  for (const auto& [name, attr] : node.attrs)
    signature.append("\n").append(name).append("=").append(signature_of(attr));
  for (const OutputInfo& output : node.outputs) signature += '\n' + output.type.to_string();
  const auto [entry, is_new] = classes_.try_emplace(std::move(signature), last_class_ + 1);
  if (is_new) ++last_class_;
  return entry->second;
}

Cone::Result Cone::evaluate(Trainer& trainer) {
  const std::span<const Array> batch = trainer.last_batch();
  const Graph graph = graph_of_loss(trainer);
  const Graph& step = trainer.step_graph().graph;
  std::map<std::string, Array> inputs;
  for (std::size_t k = 0; k < batch.size(); ++k) inputs[step.node(step.inputs()[k]).name] = batch[k];

  std::vector<Class> classes(graph.next_node_id().number, 0);
  Cache cache;
  Result result;
  for (const NodeId id : topological_order(graph)) {
    const Node& node = graph.node(id);
    if (node.op->name == "Variable") {
      const Variable& variable = graph.variable(node.bindings.front().variable);
      Array value = trainer.read(variable.name);
      cache[{graph.id(), {id, 0}}] = trainer.backend().upload(value);
      classes[id.number] = class_of_leaf("variable " + std::to_string(variable.id.number), std::move(value));
      continue;
    }
    if (node.op->name == "Input") {
      const Array& given = inputs.at(node.name);
      cache[{graph.id(), {id, 0}}] = trainer.backend().upload(given);
      classes[id.number] = class_of_leaf("input " + node.name, given);
      continue;
    }
    classes[id.number] = class_of(node, classes);
    bool is_kept = true;
    for (std::uint32_t port = 0; port < node.outputs.size(); ++port) {
      const auto found = values_.find({classes[id.number], port});
      is_kept = is_kept && found != values_.end();
      if (found != values_.end()) cache[{graph.id(), {id, port}}] = found->second;
    }
    ++(is_kept ? result.kept : result.computed);
  }

  CachedRun run = trainer.backend().run(graph, std::move(cache));
  result.loss = trainer.backend().download(run.outputs.front()).get(0);
  values_.clear();
  if (bytes_of_values(run.cache) > most_bytes_) return result;
  for (auto& [key, value] : run.cache) {
    if (classes[key.value.node.number] != 0)
      values_[{classes[key.value.node.number], key.value.port}] = std::move(value);
  }
  return result;
}

}  // namespace asg::train
