#include <algorithm>

#include "asg/graph/edit.h"
#include "asg/graph/infer.h"
#include "asg/graph/registry.h"
#include "lab/describe_parts.h"
#include "lab/titles.h"

namespace asg::lab {
namespace {

// Activations that treat every element for itself, in the order in which people look for them.
constexpr std::string_view kActivations[] = {
    "Relu",      "Gelu",        "Silu", "Sigmoid", "Tanh",     "LeakyRelu",       "Elu",    "Softplus", "Mish",
    "HardSwish", "HardSigmoid", "Selu", "Celu",    "Softsign", "ThresholdedRelu", "Shrink", "Identity"};

bool is_activation(const OpCard& op) {
  return std::find(std::begin(kActivations), std::end(kActivations), op.name) != std::end(kActivations);
}

// Other families in which one op can stand for another.
bool exchanges(Category category) {
  constexpr Category kFamilies[] = {Category::arithmetic, Category::comparison, Category::logic,
                                    Category::reduction,  Category::pooling,    Category::normalization};
  return std::find(std::begin(kFamilies), std::end(kFamilies), category) != std::end(kFamilies);
}

std::vector<const OpCard*> family_of(const OpCard& op) {
  std::vector<const OpCard*> family;
  if (is_activation(op)) {
    for (const std::string_view name : kActivations) {
      if (const OpCard* other = Registry::global().find(name); other != nullptr && other != &op)
        family.push_back(other);
    }
  } else if (exchanges(op.category)) {
    for (const OpCard* other : Registry::global().all()) {
      if (other != &op && !other->traits.gradient_only && other->category == op.category) family.push_back(other);
    }
  }
  return family;
}

// Why nothing can take the place of an op of this kind, whatever its types are; else empty.
Sentence why_never(const OpCard& op) {
  if (op.traits.leaf) {
    return {"It holds a value and computes nothing that another op could compute instead.",
            "Хранит значение и ничего не вычисляет, заменять нечего."};
  }
  if (op.composite && !exchanges(op.category) && !is_activation(op)) {
    return {"A layer changes by its settings and by what is inside it, not by another layer in its place.",
            "Слой меняют через его настройки и через то, что внутри, а не заменой на другой слой."};
  }
  if (op.category == Category::activation && !is_activation(op)) {
    return {op.name + " is no plain activation: it works along an axis or takes further inputs.",
            op.name + " — не простая активация: она работает вдоль оси или берёт другие входы."};
  }
  if (!is_activation(op) && !exchanges(op.category)) {
    return {"No other op does what " + op.name +
                " does. Activations, arithmetic, comparisons, logic, reductions, "
                "pooling and norms can be replaced.",
            "Нет другой операции, которая делает то же, что " + op.name +
                ". Заменять можно активации, арифметику, "
                "сравнения, логику, редукции, пулинг и нормализации."};
  }
  return {};
}

// Whether inference gives the same types, which is cheap and leaves few candidates for dry runs.
bool gives_same_types(const OpCard& op, const Graph& graph, const Node& node) {
  std::vector<const OutputInfo*> infos;
  for (const Value input : node.inputs) infos.push_back(input ? &graph.info(input) : nullptr);
  try {
    const Inferred inferred = infer(op, checked_attributes(op, {}), nullptr, infos, [] { return Dim::symbol("?r"); });
    return std::equal(inferred.outputs.begin(), inferred.outputs.end(), node.outputs.begin(), node.outputs.end(),
                      [](const OutputInfo& a, const OutputInfo& b) { return a.type == b.type; });
  } catch (const UserError&) {
    return false;
  }
}

// The node of the model alone, with inputs of the same types. An edit that keeps its types concerns nothing else, so
// the dry run can be made here, whatever the size of the model.
Graph alone(const Graph& model, const Node& node) {
  Graph graph(model.name());
  graph.reserve_ids(model.next_node_id(), model.next_variable_id());
  Node copy = node;
  for (Value& input : copy.inputs) {
    if (!input) continue;
    const OutputInfo& info = model.info(input);
    input = graph.input(graph.free_name("", "given"), info.type).value();
    Node given = graph.node(input.node);
    given.outputs.front() = info;
    graph.put(std::move(given));
  }
  for (const Binding& binding : node.bindings) {
    if (!graph.has(binding.variable)) graph.put(model.variable(binding.variable));
  }
  graph.put(std::move(copy));
  std::vector<Output> outputs;
  for (std::uint32_t port = 0; port < node.outputs.size(); ++port) {
    outputs.push_back({"out_" + std::to_string(port), {node.id, port}});
  }
  graph.set_outputs(std::move(outputs));
  return graph;
}

const Node& node_of_model(const SceneData& data, const Place& place) {
  int leaf = place.leaf;
  const Frame* frame = place.frame;
  for (; frame->outer != nullptr; frame = frame->outer) leaf = frame->caller;
  return data.model->node(frame->sheet->leaves[static_cast<std::size_t>(leaf)].node);
}

bool inside_control_flow(const Place& place) {
  for (const Frame* frame = place.frame; frame->outer != nullptr; frame = frame->outer) {
    if (!frame->sheet->of_layer) return true;
  }
  return false;
}

}  // namespace

void find_replacements(const SceneData& data, const Place& place, Description& description) {
  const Leaf& leaf = place.frame->sheet->leaves[static_cast<std::size_t>(place.leaf)];
  const Node& node = leaf.get();
  if (data.view != View::model) {
    const std::string at = description.item.origins.empty() ? "" : " " + description.item.origins.front();
    description.why_not = {
        "This view follows from the model. Change the model instead:" + (at.empty() ? " there" : at) + ".",
        "Этот вид следует из модели. Меняйте модель:" + (at.empty() ? " там" : at) + "."};
    return;
  }
  if (inside_control_flow(place)) {
    description.why_not = {"It stands inside control flow, which is edited as a whole.",
                           "Находится внутри управляющей операции, которая меняется целиком."};
    return;
  }
  description.why_not = why_never(*node.op);
  if (!description.why_not.empty()) return;
  if (const std::vector<const OpCard*> family = family_of(*node.op); !family.empty()) {
    const Graph around = alone(*data.model, node_of_model(data, place));
    for (const OpCard* other : family) {
      if (!gives_same_types(*other, *leaf.graph, node)) continue;
      const edits::ReplaceOp replace{.at = {description.item.path}, .op = other->name};
      if (!check(around, {{replace}}).report.ok()) continue;
      description.replacements.push_back({other->name, title_of_op(other->name)});
    }
  }
  if (!description.replacements.empty()) return;
  const std::string type = node.outputs.empty() ? "" : node.outputs.front().type.to_string();
  description.why_not = {"No other op of its kind takes these inputs and gives " + type + ".",
                         "Нет другой операции этого рода, которая принимает эти входы и даёт " + type + "."};
}

}  // namespace asg::lab
