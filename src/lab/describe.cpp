#include "asg/lab/describe.h"

#include <algorithm>

#include "lab/describe_parts.h"

namespace asg::lab {
namespace {

constexpr std::int64_t kMostLiteralValues = 4096;

std::string input_name(const OpCard& op, std::size_t index) {
  if (op.inputs.empty()) return "";
  const std::size_t last = op.inputs.size() - 1;
  std::string name(op.inputs[std::min(index, last)].name);
  if (op.inputs[last].kind == PortKind::variadic && index >= last) name += "_" + std::to_string(index - last);
  return name;
}

std::string without_port(std::string value) {
  if (const std::size_t colon = value.rfind(':'); colon != std::string::npos) value.resize(colon);
  return value;
}

// Who uses a value: leaves beside it, and, where a layer hands it out, those that use the layer's output.
void add_users(const Frame& frame, const Source& value, std::vector<std::string>& users) {
  const Sheet& sheet = *frame.sheet;
  const auto first = static_cast<std::size_t>(sheet.first_use[static_cast<std::size_t>(value.leaf)]);
  const auto last = static_cast<std::size_t>(sheet.first_use[static_cast<std::size_t>(value.leaf) + 1]);
  for (std::size_t use = first; use < last; ++use) {
    if (sheet.uses[use].port != value.port) continue;
    std::string path = leaf_path(frame, sheet.uses[use].leaf);
    if (std::find(users.begin(), users.end(), path) == users.end()) users.push_back(std::move(path));
  }
  if (frame.outer == nullptr || !sheet.of_layer) return;
  for (std::size_t port = 0; port < sheet.outlets.size(); ++port) {
    if (sheet.outlets[port].value == value) {
      add_users(*frame.outer, {.leaf = frame.caller, .port = static_cast<std::uint32_t>(port)}, users);
    }
  }
}

std::string output_of_model(const Frame& frame, const Source& value) {
  if (frame.outer != nullptr) return "";
  for (const Sheet::Outlet& outlet : frame.sheet->outlets) {
    if (outlet.value == value) return outlet.name;
  }
  return "";
}

void add_ends(const Place& place, const Leaf& leaf, Description& description) {
  for (std::size_t index = 0; index < leaf.inputs.size(); ++index) {
    const Source& input = leaf.inputs[index];
    if (input.absent()) continue;
    std::string value = value_name(*place.frame, input);
    description.inputs.push_back({leaf.graph != nullptr ? input_name(*leaf.get().op, index) : "", without_port(value),
                                  value, value_type(*place.frame, input)});
  }
  std::uint32_t port = 0;
  for (const Item::Output& output : outputs_of(leaf)) {
    const Source value = {.leaf = place.leaf, .port = port++};
    Description::Output described{output.name, value_name(*place.frame, value), output.type};
    add_users(*place.frame, value, described.to);
    described.output_as = output_of_model(*place.frame, value);
    description.outputs.push_back(std::move(described));
  }
}

// The ends of a scope are what crosses its border.
void add_crossings(const SceneData& data, const Place& place, Description& description) {
  const Level level = level_of_scope(data, *place.frame, place.scope);
  for (const Crossing& inlet : level.inlets) {
    description.inputs.push_back({inlet.name, without_port(inlet.value), inlet.value, inlet.type});
  }
  for (const Portal& portal : level.portals) {
    if (!portal.from)
      description.inputs.push_back({portal.name, without_port(portal.value), portal.value, portal.type});
  }
  for (const Crossing& outlet : level.outlets) {
    description.outputs.push_back({outlet.name, outlet.value, outlet.type});
  }
}

// Of the step and of the program also those that no model has: moments, counters.
Sentence role_in(const SceneData& data, const Roles& roles, const Graph& graph, VarId id) {
  if (data.model->has(id) && data.model->variable(id).name == graph.variable(id).name) return roles.of(id);
  const std::string& name = graph.variable(id).name;
  if (graph.variable(id).kind == VarKind::optimizer) {
    return {"state of the optimiser: " + name, "состояние оптимизатора: " + name};
  }
  return {"state '" + name + "'", "состояние «" + name + "»"};
}

void add_variables(const SceneData& data, const Place& place, const Leaf& leaf, Description& description) {
  if (leaf.get().bindings.empty()) return;
  if (data.roles == nullptr) data.roles = std::make_unique<Roles>(*data.model);
  const Roles& roles = *data.roles;
  const bool of_model = place.frame->outer != nullptr || data.view == View::model;
  const Graph& graph = of_model ? *data.model : *leaf.graph;
  for (const Binding& binding : leaf.get().bindings) {
    const VarId id = model_variable(*place.frame, binding.variable);
    if (!graph.has(id)) continue;
    const Variable& variable = graph.variable(id);
    description.variables.push_back({variable.name, variable.type.to_string(), variable.kind,
                                     variable.kind == VarKind::parameter && variable.trainable,
                                     variable.type.shape.element_count().known().value_or(0),
                                     role_in(data, roles, graph, id)});
  }
  if (leaf.get().op->name == "Variable" && !description.variables.empty()) {
    description.role = description.variables.front().role;
  }
}

void add_literal(const Node& node, Description& description) {
  const Attr* value = node.op->name == "Constant" ? node.attrs.find("value") : nullptr;
  if (value == nullptr) return;
  const Array& array = value->as_tensor();
  Description::Literal literal{.type = array.type_string(), .elided = array.count() > kMostLiteralValues};
  const std::int64_t count = std::min(array.count(), kMostLiteralValues);
  for (std::int64_t k = 0; k < count; ++k) literal.values.push_back(array.get(k));
  description.literal = std::move(literal);
}

void describe_node(const SceneData& data, const Place& place, const Leaf& leaf, Description& description) {
  const Node& node = leaf.get();
  describe_op(*node.op, description);
  add_variables(data, place, leaf, description);
  add_literal(node, description);
  description.attributes = attributes_of(*leaf.graph, node);
  // What cards build inside layers was called in our own sources, which tells the user nothing.
  if (place.frame->outer == nullptr && data.view == View::model && node.where.known()) {
    const std::string where = node.where.to_string();
    description.where = std::string(last_part(where));
  }
  find_replacements(data, place, description);
}

void add_repeats(const SceneData& data, const Place& place, Item& item) {
  if (!item.opens) return;
  const Sheet& sheet = *place.frame->sheet;
  int around = 0;
  if (place.scope > 0) {
    around = sheet.scopes[static_cast<std::size_t>(place.scope)].parent;
  } else if (place.leaf >= 0) {
    around = scope_of(sheet, place.leaf);
  } else {
    return;
  }
  for (const Item& each : level_of_scope(data, *place.frame, around).items) {
    if (each.path == item.path) item.repeats = each.repeats;
  }
}

}  // namespace

Description describe(const Scene& scene, std::string_view path) {
  const SceneData& data = scene.data();
  const std::lock_guard lock(data.mutex);
  const Place place = place_at(data, path);
  Description description;
  description.view = data.view;
  if (place.scope >= 0) {
    description.item = item_of_scope(data, *place.frame, place.scope);
    const Scope& scope = place.frame->sheet->scopes[static_cast<std::size_t>(place.scope)];
    if (scope.step >= 0) {
      describe_step(data, scope.step, description);
    } else {
      describe_scope(data, place, description);
    }
    add_crossings(data, place, description);
  } else {
    description.item = item_of_leaf(data, *place.frame, place.leaf);
    const Leaf& leaf = place.frame->sheet->leaves[static_cast<std::size_t>(place.leaf)];
    if (leaf.graph != nullptr) {
      describe_node(data, place, leaf, description);
    } else if (leaf.buffer >= 0) {
      describe_buffer(data, leaf.buffer, description);
    } else {
      describe_step(data, leaf.step, description);
    }
    add_ends(place, leaf, description);
  }
  if (description.replacements.empty() && description.why_not.empty()) {
    description.why_not = {"Only an op can be replaced by another.", "Заменить другой можно только операцию."};
  }
  add_repeats(data, place, description.item);
  description.scopes = scopes_around(place);
  return description;
}

}  // namespace asg::lab
