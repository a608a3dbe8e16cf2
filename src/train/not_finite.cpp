#include <cmath>

#include "asg/backend/interpreter.h"
#include "asg/graph/card.h"
#include "asg/graph/walk.h"
#include "asg/train/taps.h"

namespace asg::train {
namespace {

std::int64_t count_not_finite(const Array& array) {
  if (!is_float(array.dtype())) return 0;
  std::int64_t count = 0;
  for (std::int64_t k = 0; k < array.count(); ++k) count += std::isfinite(array.get(k)) ? 0 : 1;
  return count;
}

// The values of a run, and how many of their elements are not finite.
class Values {
 public:
  Values(const Graph& graph, const Cache& cache) : graph_(graph), cache_(cache) {}

  std::int64_t not_finite(Value value) const {
    const auto found = cache_.find({graph_.id(), value});
    return found == cache_.end() || !found->second ? 0 : count_not_finite(array_of(found->second));
  }
  std::int64_t not_finite(const Node& node) const {
    std::int64_t count = 0;
    for (std::uint32_t port = 0; port < node.outputs.size(); ++port) count += not_finite({node.id, port});
    return count;
  }

 private:
  const Graph& graph_;
  const Cache& cache_;
};

// Nodes that a result which is not finite hangs on, through values that are not finite either. A mask of infinities
// that something finite was made of is not among them.
std::vector<char> marked(const Graph& graph, const std::vector<Value>& results, const Values& values) {
  std::vector<char> marks(graph.next_node_id().number, 0);
  std::vector<NodeId> pending;
  const auto mark = [&](Value value) {
    if (!value || marks[value.node.number] != 0 || values.not_finite(value) == 0) return;
    marks[value.node.number] = 1;
    pending.push_back(value.node);
  };
  for (const Value value : results) mark(value);
  while (!pending.empty()) {
    const Node& node = graph.node(pending.back());
    pending.pop_back();
    for (const Value input : node.inputs) mark(input);
  }
  return marks;
}

// Russian is built so that no word depends on the number.
Sentence sentence_about(const Graph& graph, const Node& node, std::int64_t count) {
  const std::string number = std::to_string(count);
  const std::string elements = number + (count == 1 ? " element that is" : " elements that are") + " not finite";
  const std::string ru = "не конечные элементы, числом " + number;
  if (node.op->name == "Variable") {
    const std::string name = "'" + graph.variable(node.bindings.front().variable).name + "'";
    return {"the variable " + name + " holds " + elements, "в переменной " + name + " " + ru};
  }
  const std::string path = "'" + node.path() + "'";
  if (node.op->name == "Input") return {"the input " + path + " has " + elements, "на входе " + path + " " + ru};
  const std::string place = path + " (" + node.op->name + ")";
  return {place + " makes " + elements + " of finite numbers", place + " делает из конечных чисел " + ru};
}

Cache given_values(const Graph& graph, const Executable& training, std::span<const Array> batch, Backend& backend) {
  Cache cache;
  for (std::size_t k = 0; k < batch.size(); ++k) {
    cache[{graph.id(), {graph.inputs()[k], 0}}] = backend.upload(batch[k]);
  }
  for (const VarId id : graph.variable_ids()) {
    const NodeId reader = graph.reader_of(id);
    if (reader) cache[{graph.id(), {reader, 0}}] = backend.upload(training.read(id));
  }
  return cache;
}

}  // namespace

std::optional<NotFinite> find_not_finite(const StepGraph& step, const Executable& training,
                                         std::span<const Array> batch) {
  const Graph& graph = step.graph;
  Interpreter interpreter;
  const CachedRun run = interpreter.run(graph, given_values(graph, training, batch, interpreter));
  const Values values(graph, run.cache);
  std::vector<Value> results;
  for (const Output& output : graph.outputs()) results.push_back(output.value);
  for (const Update& update : graph.updates()) results.push_back(update.value);
  const std::vector<char> marks = marked(graph, results, values);
  for (const NodeId id : topological_order(graph)) {
    const Node& node = graph.node(id);
    if (marks[id.number] == 0 || node.op->name == "Constant") continue;
    NotFinite found{.node = id, .path = node.path(), .op = node.op->name, .count = values.not_finite(node)};
    if (node.origin != nullptr) found.model = node.origin->node;
    found.what = sentence_about(graph, node, found.count);
    return found;
  }
  return std::nullopt;
}

}  // namespace asg::train
