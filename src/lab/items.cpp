#include <algorithm>

#include "asg/graph/card.h"
#include "lab/scene_data.h"

namespace asg::lab {
namespace {

constexpr std::size_t kMostOrigins = 16;

// Parameters below some leaves, each once.
struct ParameterCount {
  std::vector<VarId> variables;

  void add(const SceneData& data, const Frame& frame, const Leaf& leaf) {
    if (leaf.graph == nullptr) return;
    for (const Binding& binding : leaf.get().bindings) {
      const VarId id = model_variable(frame, binding.variable);
      if (frame.outer == nullptr && leaf.graph->variable(id).kind != VarKind::parameter) continue;
      if (!data.model->has(id) || data.model->variable(id).kind != VarKind::parameter) continue;
      variables.push_back(id);
    }
  }
  void finish(const SceneData& data, Item& item) {
    std::sort(variables.begin(), variables.end());
    variables.erase(std::unique(variables.begin(), variables.end()), variables.end());
    bool trains = variables.empty();
    for (const VarId id : variables) {
      const Variable& variable = data.model->variable(id);
      item.parameters += variable.type.shape.element_count().known().value_or(0);
      trains = trains || variable.trainable;
    }
    if (!trains) item.flags.emplace_back("frozen");
  }
};

bool gives_output(const Frame& frame, int first, int last) {
  if (frame.outer != nullptr) return false;
  const std::vector<Sheet::Outlet>& outlets = frame.sheet->outlets;
  return std::any_of(outlets.begin(), outlets.end(), [&](const Sheet::Outlet& outlet) {
    return outlet.value.leaf >= first && outlet.value.leaf < last;
  });
}

void add_costs(const SceneData& data, int step, Item& item) {
  const auto number = static_cast<std::size_t>(step);
  const StepCost cost = cost_of(data.explanation->program, data.explanation->program.steps[number]);
  item.flops = cost.flops;
  item.bytes = static_cast<double>(cost.bytes());
  if (number < data.step_seconds.size()) item.seconds = data.step_seconds[number];
}

// A fused step may hold ops of several roles: the folder tells whose work it mostly is.
Role role_of_scope(const SceneData& data, const Frame& frame, const Scope& scope) {
  if (scope.first == scope.last) return Role::forward;
  const Role first = frame.sheet->leaves[static_cast<std::size_t>(scope.first)].role;
  if (frame.outer != nullptr || data.view == View::model || data.view == View::expanded) return first;
  const std::string_view folder = std::string_view(scope.path).substr(0, scope.path.find('/'));
  for (const Role role : {Role::gradient, Role::update}) {
    if (folder == name_of(role)) return role;
  }
  return first == Role::loss ? first : Role::forward;
}

// Where all leaves stand together in the model, or the few places that they come from.
std::vector<std::string> origins_between(const Sheet& sheet, int first, int last) {
  std::string shared;
  bool any = false;
  std::vector<std::string> places;
  for (int leaf = first; leaf < last; ++leaf) {
    const std::string& origin = sheet.leaves[static_cast<std::size_t>(leaf)].origin;
    if (origin.empty()) continue;
    if (!any) shared = origin;
    any = true;
    while (!shared.empty() && origin != shared && !origin.starts_with(shared + "/")) {
      shared = std::string(parent_path(shared));
    }
    if (shared.empty()) break;
  }
  if (!shared.empty()) return {shared};
  for (int leaf = first; leaf < last && places.size() < kMostOrigins; ++leaf) {
    const std::string& origin = sheet.leaves[static_cast<std::size_t>(leaf)].origin;
    std::string top = origin.substr(0, origin.find('/'));
    if (!top.empty() && std::find(places.begin(), places.end(), top) == places.end()) places.push_back(std::move(top));
  }
  return places;
}

// Of a step or a buffer every place, as its ops are few.
std::vector<std::string> origins_each(const Sheet& sheet, int first, int last) {
  std::vector<std::string> places;
  for (int leaf = first; leaf < last && places.size() < kMostOrigins; ++leaf) {
    const Leaf& each = sheet.leaves[static_cast<std::size_t>(leaf)];
    const auto add = [&](const std::string& origin) {
      const bool is_new = std::find(places.begin(), places.end(), origin) == places.end();
      if (!origin.empty() && is_new && places.size() < kMostOrigins) places.push_back(origin);
    };
    add(each.origin);
    for (const std::string& origin : each.more_origins) add(origin);
  }
  return places;
}

}  // namespace

std::vector<std::string> origins_of(const SceneData& data, const Place& place) {
  // What stands inside control flow comes from where that stands.
  if (data.view != View::model && place.frame->outer != nullptr) {
    return origins_of(data, {place.frame->outer, place.frame->caller, -1});
  }
  if (data.view == View::model) {
    return {place.leaf >= 0 ? leaf_path(*place.frame, place.leaf) : scope_path(*place.frame, place.scope)};
  }
  const Sheet& sheet = *place.frame->sheet;
  if (place.leaf >= 0) return origins_each(sheet, place.leaf, place.leaf + 1);
  const Scope& scope = sheet.scopes[static_cast<std::size_t>(place.scope)];
  if (scope.step >= 0) return origins_each(sheet, scope.first, scope.last);
  // Most scopes are called as the layer that they come from.
  std::string layer(without_role(data.view, scope.path));
  if (!layer.empty() && has_origin(data, layer)) return {std::move(layer)};
  return origins_between(sheet, scope.first, scope.last);
}

Item item_of_leaf(const SceneData& data, Frame& frame, int index) {
  Sheet& sheet = *frame.sheet;
  const Leaf& leaf = sheet.leaves[static_cast<std::size_t>(index)];
  Item item;
  item.path = leaf_path(frame, index);
  item.name = leaf.name;
  item.opens = opens(leaf);
  item.nodes = nodes_of_leaf(data, sheet, index);
  item.outputs = outputs_of(leaf);
  item.role = leaf.role;
  if (data.view != View::model) item.origins = origins_of(data, {&frame, index, -1});
  if (gives_output(frame, index, index + 1)) item.flags.emplace_back("output");
  if (leaf.graph == nullptr) {
    item.op = leaf.op;
    item.category = leaf.category;
    if (leaf.buffer >= 0) {
      const Buffer& buffer = data.explanation->program.buffers[static_cast<std::size_t>(leaf.buffer)];
      item.bytes = static_cast<double>(buffer.bytes());
    }
  } else {
    const Node& node = leaf.get();
    item.op = node.op->name;
    item.category = name_of(node.op->category);
    if (item.op == "Input") item.flags.emplace_back("input");
    if (item.op == "Constant") item.flags.emplace_back("constant");
    ParameterCount parameters;
    parameters.add(data, frame, leaf);
    if (item.op == "Variable" && !parameters.variables.empty()) item.flags.emplace_back("parameter");
    parameters.finish(data, item);
    if (data.explanation == nullptr) item.flops = flops_between(data, sheet, index, index + 1);
  }
  if (data.view == View::optimised && leaf.step >= 0) {
    const Step& step = data.explanation->program.steps[static_cast<std::size_t>(leaf.step)];
    if (step.nodes.size() <= 1) add_costs(data, leaf.step, item);
  }
  return item;
}

Item item_of_scope(const SceneData& data, Frame& frame, int index) {
  Sheet& sheet = *frame.sheet;
  const Scope& scope = sheet.scopes[static_cast<std::size_t>(index)];
  Item item;
  item.path = scope_path(frame, index);
  item.name = scope.name;
  item.opens = true;
  item.nodes = nodes_between(data, sheet, scope.first, scope.last);
  item.role = role_of_scope(data, frame, scope);
  if (data.view != View::model) item.origins = origins_of(data, {&frame, -1, index});
  if (gives_output(frame, scope.first, scope.last)) item.flags.emplace_back("output");
  ParameterCount parameters;
  for (int leaf = scope.first; leaf < scope.last; ++leaf) {
    parameters.add(data, frame, sheet.leaves[static_cast<std::size_t>(leaf)]);
  }
  parameters.finish(data, item);
  if (data.explanation == nullptr) item.flops = flops_between(data, sheet, scope.first, scope.last);
  if (data.view != View::model && frame.outer == nullptr && scope.step < 0) {
    ScopeKind kind = kind_of_scope(data, scope);
    item.op = std::move(kind.op);
    item.category = std::move(kind.category);
  }
  if (scope.step >= 0) {
    const Program& program = data.explanation->program;
    const Step& step = program.steps[static_cast<std::size_t>(scope.step)];
    item.op = title_of(program, step);
    const Node& node = step.node != nullptr ? *step.node : program.graph.node(step.nodes.back());
    item.category = name_of(node.op->category);
    item.role = role_of(program, step);
    add_costs(data, scope.step, item);
  }
  return item;
}

}  // namespace asg::lab
