// Changes of nodes inside layers, level by level from the inside out.
#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "asg/graph/infer.h"
#include "node_change.h"

namespace asg {
namespace {

// The attribute of the layer that decides `inner` ("" for the op) of a node of its body; "" when none does.
std::string governing_attribute(const BodyLevel& level, const std::string& inner) {
  const std::string label = level.body.graph.node(level.node).path();
  const auto found = std::find_if(level.body.governed.begin(), level.body.governed.end(),
                                  [&](const auto& entry) { return entry.label == label && entry.inner == inner; });
  return found == level.body.governed.end() ? "" : found->attribute;
}

// The same change as one of the configuration of the layer around it; nothing where its attributes cannot say it.
std::optional<Configuration> as_configuration(const BodyLevel& level, const Node& layer, const NodeChange& change) {
  Configuration outer;
  if (const auto* replacement = std::get_if<Replacement>(&change)) {
    const std::string attribute = governing_attribute(level, "");
    if (attribute.empty() || !replacement->attrs.empty()) return std::nullopt;
    outer.attrs.set(attribute, replacement->op->name);
  } else if (const auto* configuration = std::get_if<Configuration>(&change)) {
    for (const auto& [name, value] : configuration->attrs) {
      const std::string attribute = governing_attribute(level, name);
      if (attribute.empty()) return std::nullopt;
      outer.attrs.set(attribute, value);
    }
  } else {
    return std::nullopt;
  }
  try {
    Attrs attrs = layer.attrs;
    for (const auto& [name, value] : outer.attrs) attrs.set(name, value);
    static_cast<void>(checked_attributes(*layer.op, std::move(attrs)));
  } catch (const UserError&) {
    return std::nullopt;  // the attribute does not take this value, so it must be an override
  }
  return outer;
}

// One stored body serves both modes, so it can stand only for a layer that is the same in both.
void check_same_in_both_modes(const Graph& around, const Node& layer, const std::string& path) {
  if (make_body(around, layer, Mode::train).graph == make_body(around, layer, Mode::eval).graph) return;
  fail(ErrorCode::edit_refused, "an edit inside " + path + ", whose body differs between training and evaluation",
       "a layer that is the same in both", "change its configuration, or replace the whole layer");
}

[[noreturn]] void rethrow_below(const UserError& error, const std::string& path) {
  ErrorDetail detail = error.detail();
  detail.node = detail.node.empty() ? path : path + "/" + detail.node;
  throw UserError(std::move(detail));
}

}  // namespace

void change_at(WorkingGraph& model, const NodePlace& place, NodeChange change) {
  if (place.inside.empty()) return change_node(model, place.node, change);
  const Graph& graph = model.settled();
  std::vector<BodyLevel> levels = levels_of(graph, place);
  std::vector<std::string> paths = {graph.node(place.node).path()};  // of the layers around each level
  for (const BodyLevel& level : levels) paths.push_back(paths.back() + "/" + level.body.graph.node(level.node).path());

  for (std::size_t depth = levels.size(); depth-- > 0;) {
    BodyLevel& level = levels[depth];
    const Graph& around = depth == 0 ? graph : levels[depth - 1].body.graph;
    const Node& layer = around.node(depth == 0 ? place.node : levels[depth - 1].node);
    if (auto configuration = as_configuration(level, layer, change)) {
      change = *std::move(configuration);
      continue;
    }
    check_same_in_both_modes(around, layer, paths[depth]);
    try {
      WorkingGraph body(level.body.graph);
      change_node(body, level.node, change);
      change = NewBody{std::make_shared<const Graph>(std::move(body).finish())};
    } catch (const UserError& error) {
      rethrow_below(error, paths[depth]);
    }
  }
  change_node(model, place.node, change);
}

}  // namespace asg
