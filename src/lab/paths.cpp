#include <algorithm>

#include "asg/core/error.h"
#include "asg/graph/card.h"
#include "graph/edit_places.h"
#include "lab/scene_data.h"

namespace asg::lab {
namespace {

// The place of a path within one sheet.
Place place_in_sheet(Frame& frame, const std::string& path) {
  const Sheet& sheet = *frame.sheet;
  if (const auto leaf = sheet.leaf_at.find(path); leaf != sheet.leaf_at.end()) return {&frame, leaf->second, -1};
  if (path.empty()) return {};
  if (const auto scope = sheet.scope_at.find(path); scope != sheet.scope_at.end()) return {&frame, -1, scope->second};
  if (!path.ends_with('/')) return {};
  const auto scope = sheet.scope_at.find(path.substr(0, path.size() - 1));
  return scope == sheet.scope_at.end() || scope->second == 0 ? Place{} : Place{&frame, -1, scope->second};
}

// The leaf that the longest beginning of `path` names, without the last part; its length in `end`. -1: there is none.
int longest_layer(const Sheet& sheet, const std::string& path, std::size_t& end) {
  for (const std::size_t length : beginnings_of(path, sheet.longest_leaf)) {
    const auto found = sheet.leaf_at.find(path.substr(0, length));
    if (length == path.size() || found == sheet.leaf_at.end()) continue;
    end = length;
    return found->second;
  }
  return -1;
}

// The nearest name that exists above an unknown path, with what stands there.
std::string hint_for(const SceneData& data, std::string_view path) {
  std::vector<std::string> names;
  const Place above = find_place(data, parent_path(path));
  Frame* frame = data.root.get();
  int scope = 0;
  if (above && above.scope >= 0) {
    frame = above.frame;
    scope = above.scope;
  } else if (above && opens(above.frame->sheet->leaves[static_cast<std::size_t>(above.leaf)])) {
    frame = &frame_inside(data, *above.frame, above.leaf);
  }
  const Sheet& sheet = *frame->sheet;
  for (const Scope::Child& child : sheet.scopes[static_cast<std::size_t>(scope)].children) {
    names.push_back(child.is_scope ? scope_path(*frame, child.index) : leaf_path(*frame, child.index));
  }
  const std::string nearest = nearest_name(path, names);
  return nearest.empty() ? "" : "did you mean '" + nearest + "'?";
}

}  // namespace

std::string leaf_path(const Frame& frame, int leaf) {
  return frame.prefix + frame.sheet->leaves[static_cast<std::size_t>(leaf)].path;
}

std::string scope_path(const Frame& frame, int scope) {
  const std::string& path = frame.sheet->scopes[static_cast<std::size_t>(scope)].path;
  if (scope == 0) return frame.prefix.empty() ? "" : frame.prefix.substr(0, frame.prefix.size() - 1);
  return frame.prefix + path + (frame.sheet->leaf_at.contains(path) ? "/" : "");
}

// The longest beginning that names a node wins, as in edits; what follows is looked up inside.
Place find_place(const SceneData& data, std::string_view path) {
  Frame* frame = data.root.get();
  std::string rest(path);
  if (rest.empty()) return {frame, -1, 0};
  for (;;) {
    if (const Place whole = place_in_sheet(*frame, rest)) return whole;
    check_path_length(rest);
    std::size_t end = 0;
    const int layer = longest_layer(*frame->sheet, rest, end);
    if (layer < 0 || !opens(frame->sheet->leaves[static_cast<std::size_t>(layer)])) return {};
    frame = &frame_inside(data, *frame, layer);
    rest = rest.substr(end + 1);
  }
}

Place place_at(const SceneData& data, std::string_view path) {
  if (const Place place = find_place(data, path)) return place;
  fail(ErrorCode::unknown_scope, "the path '" + std::string(path) + "'",
       "the path of an item of the view '" + std::string(name_of(data.view)) + "'", hint_for(data, path));
}

int scope_of(const Sheet& sheet, int leaf) {
  const auto holds = [&](const Scope::Child& child) {
    if (!child.is_scope) return false;
    const Scope& scope = sheet.scopes[static_cast<std::size_t>(child.index)];
    return scope.first <= leaf && leaf < scope.last;
  };
  for (int around = 0;;) {
    const std::vector<Scope::Child>& children = sheet.scopes[static_cast<std::size_t>(around)].children;
    const auto next = std::find_if(children.begin(), children.end(), holds);
    if (next == children.end()) return around;
    around = next->index;
  }
}

std::vector<std::string> scopes_around(Place place) {
  std::vector<std::string> scopes;
  for (;;) {
    const Sheet& sheet = *place.frame->sheet;
    int around =
        place.leaf >= 0 ? scope_of(sheet, place.leaf) : sheet.scopes[static_cast<std::size_t>(place.scope)].parent;
    for (; around > 0; around = sheet.scopes[static_cast<std::size_t>(around)].parent) {
      scopes.push_back(scope_path(*place.frame, around));
    }
    if (place.frame->outer == nullptr) break;
    place = {place.frame->outer, place.frame->caller, -1};
    scopes.push_back(leaf_path(*place.frame, place.leaf));
  }
  std::reverse(scopes.begin(), scopes.end());
  return scopes;
}

std::string value_name(const Frame& frame, const Source& source) {
  if (source.leaf >= 0) return leaf_path(frame, source.leaf) + ":" + std::to_string(source.port);
  if (source.inlet < 0 || frame.outer == nullptr) return "";
  int given = 0;
  for (const Source& input : frame.outer->sheet->leaves[static_cast<std::size_t>(frame.caller)].inputs) {
    if (!input.absent() && given++ == source.inlet) return value_name(*frame.outer, input);
  }
  return "";
}

std::string value_type(const Frame& frame, const Source& source) {
  if (source.inlet >= 0) return frame.sheet->inlets[static_cast<std::size_t>(source.inlet)].type;
  if (source.leaf < 0) return "";
  const Leaf& leaf = frame.sheet->leaves[static_cast<std::size_t>(source.leaf)];
  if (leaf.graph != nullptr) return leaf.graph->type({leaf.node, source.port}).to_string();
  return source.port < leaf.outputs.size() ? leaf.outputs[source.port].type : "";
}

std::string short_name(const Frame& frame, const Source& source) {
  if (source.inlet >= 0) return frame.sheet->inlets[static_cast<std::size_t>(source.inlet)].name;
  return source.leaf < 0 ? "" : frame.sheet->leaves[static_cast<std::size_t>(source.leaf)].name;
}

std::vector<Item::Output> outputs_of(const Leaf& leaf) {
  if (leaf.graph == nullptr) return leaf.outputs;
  const Node& node = leaf.get();
  const std::vector<Port>& ports = node.op->outputs;
  std::vector<Item::Output> outputs;
  for (std::size_t port = 0; port < node.outputs.size(); ++port) {
    std::string name;
    if (!ports.empty()) name = ports[std::min(port, ports.size() - 1)].name;
    if (port >= ports.size()) name += "_" + std::to_string(port);
    outputs.push_back({std::move(name), node.outputs[port].type.to_string()});
  }
  return outputs;
}

}  // namespace asg::lab
