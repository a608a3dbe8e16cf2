#include "check/surgery.h"

#include <unordered_set>

#include "asg/graph/expand.h"
#include "asg/graph/walk.h"
#include "check/graph_function.h"
#include "check/problem.h"

namespace asg {
namespace {

bool is_leaf(const Node& node, std::string_view op) { return node.op->traits.leaf && node.op->name == op; }

class Surgeon {
 public:
  Surgeon(const GraphCase& old, const Surgery& surgery) : old_(old), surgery_(surgery) {}

  GraphCase run() {
    const std::vector<Output> outputs =
        surgery_.outputs.value_or(std::vector<Output>(old_.graph.outputs().begin(), old_.graph.outputs().end()));
    const std::vector<Update> updates =
        surgery_.updates.value_or(std::vector<Update>(old_.graph.updates().begin(), old_.graph.updates().end()));
    const bool new_loss = !surgery_.losses.empty();
    std::vector<Value> roots = surgery_.losses;
    if (!new_loss) {
      for (const Output& output : outputs) roots.push_back(output.value);
      for (const Update& update : updates) roots.push_back(update.value);
    }
    mark_needed(roots);
    for (NodeId id : topological_order(old_.graph)) {
      if (needed_.contains(id)) copy(old_.graph.node(id));
    }
    if (new_loss) {
      std::vector<Value> losses;
      for (Value root : roots) losses.push_back(value_of(root));
      graph().set_output("loss", weighted_sum(graph(), losses, 4));
      return std::move(new_);
    }
    for (const Output& output : outputs) graph().set_output(output.name, graph().tensor(value_of(output.value)));
    for (const Update& update : updates) set_update(update);
    return std::move(new_);
  }

 private:
  Graph& graph() { return new_.graph; }

  const Substitute* replacement(Value value) const {
    const auto found = surgery_.replaced.find(value);
    return found == surgery_.replaced.end() ? nullptr : &found->second;
  }

  void mark_needed(std::vector<Value> waiting) {
    while (!waiting.empty()) {
      Value value = waiting.back();
      waiting.pop_back();
      if (const Substitute* instead = replacement(value)) {
        if (instead->kind != Substitute::Kind::value) continue;
        value = instead->other;
      }
      if (!needed_.insert(value.node).second) continue;
      for (Value input : old_.graph.node(value.node).inputs) {
        if (input) waiting.push_back(input);
      }
    }
  }

  // The new value in place of an old one; a replacement is made when it is first asked for.
  Value value_of(Value value) {
    if (!value) return {};
    const Substitute* instead = replacement(value);
    if (instead == nullptr) return map_(value);
    if (instead->kind == Substitute::Kind::value) return map_(instead->other);
    const auto known = made_.find(value);
    if (known != made_.end()) return known->second;
    const std::string name = "v" + std::to_string(value.node.number) + "_" + std::to_string(value.port);
    const Value made = instead->kind == Substitute::Kind::input ? input(name, instead->numbers)
                                                                : graph().constant(instead->numbers).value();
    made_[value] = made;
    return made;
  }

  Value input(const std::string& name, const Array& numbers) {
    new_.values[name] = numbers;
    return graph().input(name, {numbers.dtype(), Shape::of(numbers.sizes())}).value();
  }

  // A variable that nothing reads is made for its update.
  void set_update(const Update& update) {
    Variable variable = old_.graph.variable(update.variable);
    VarId id = graph().find_variable(variable.name);
    if (!id) {
      variable.id = {};
      new_.values[variable.name] = old_.values.at(variable.name);
      id = graph().add_variable(std::move(variable));
    }
    graph().add_update(id, graph().tensor(value_of(update.value)));
  }

  void copy(const Node& node) {
    if (is_leaf(node, "Input")) {
      map_.set({node.id, 0}, input(node.path(), old_.values.at(node.path())));
      return;
    }
    if (is_leaf(node, "Variable")) {
      Variable variable = old_.graph.variable(node.bindings.front().variable);
      variable.id = {};
      new_.values[variable.name] = old_.values.at(variable.name);
      const VarId id = graph().add_variable(std::move(variable));
      map_.set({node.id, 0}, graph().read(id).value());
      return;
    }
    NodeSpec spec;
    spec.op = node.op;
    spec.attrs = node.attrs;
    spec.body = node.body;
    spec.stream = node.stream;
    for (Value value : node.inputs) spec.inputs.push_back(value_of(value));
    const NodeId id = graph().add(std::move(spec));
    const Node& added = graph().node(id);
    for (std::uint32_t port = 0; port < added.outputs.size(); ++port) map_.set({node.id, port}, {id, port});
    for (std::size_t slot = 0; slot < added.bindings.size(); ++slot) {
      const Variable& from = old_.graph.variable(node.bindings.at(slot).variable);
      new_.values[graph().variable(added.bindings[slot].variable).name] = old_.values.at(from.name);
    }
  }

  const GraphCase& old_;
  const Surgery& surgery_;
  GraphCase new_;
  Remap map_;
  std::map<Value, Value> made_;
  std::unordered_set<NodeId> needed_;
};

}  // namespace

std::optional<GraphCase> operate(const GraphCase& made, const Surgery& surgery) {
  try {
    return Surgeon(made, surgery).run();
  } catch (const UserError&) {
    return std::nullopt;
  }
}

GraphCase flattened(const GraphCase& made) {
  GraphCase flat = made;
  flat.graph = expand(made.graph, Mode::train, [](const Node& node) {
                 return node.op->gradient_kind == GradientKind::body;
               }).graph;
  flat.graph.set_updates({});
  Surgery surgery;
  for (NodeId id : flat.graph.node_ids()) {
    const Node& node = flat.graph.node(id);
    if (!is_leaf(node, "Variable")) continue;
    const Variable& variable = flat.graph.variable(node.bindings.front().variable);
    const bool moves = variable.kind == VarKind::parameter && variable.type.dtype == DType::f64;
    surgery.replaced[{id, 0}] = {moves ? Substitute::Kind::input : Substitute::Kind::constant,
                                 flat.values.at(variable.name)};
  }
  return Surgeon(flat, surgery).run();
}

std::map<Value, Array> values_of(const GraphCase& made) {
  GraphFunction program(made.graph, Mode::train);
  program(made.values);
  std::map<Value, Array> values;
  for (NodeId id : made.graph.node_ids()) {
    const Node& node = made.graph.node(id);
    for (std::uint32_t port = 0; port < node.outputs.size(); ++port) {
      const Array value = program.value({id, port});
      if (value.sizes() != Sizes{0} || value.dtype() != DType::f32) values[{id, port}] = value;
    }
  }
  return values;
}

}  // namespace asg
