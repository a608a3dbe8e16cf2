// What stands inside a leaf: the body of a layer, the branches of control flow.
#include <algorithm>

#include "asg/graph/body.h"
#include "asg/graph/card.h"
#include "lab/scene_data.h"

namespace asg::lab {
namespace {

bool holds_graphs(const Node& node) {
  return std::any_of(node.attrs.begin(), node.attrs.end(), [](const Attrs::Entry& entry) {
    return entry.second.kind() == AttrKind::graph && entry.second.as_graph() != nullptr;
  });
}

void append_address(std::string& text, const void* address) {
  text += std::to_string(reinterpret_cast<std::uintptr_t>(address));
}

// Two layers with the same text have the same body. Graphs and tensors count by identity: the scene keeps them alive.
std::string body_key(const Graph& graph, const Node& node) {
  std::string key = node.op->name;
  for (const auto& [name, attr] : node.attrs) {
    key += '\n' + name + '=';
    if (attr.kind() == AttrKind::graph) {
      append_address(key, attr.as_graph().get());
    } else if (attr.kind() == AttrKind::tensor) {
      append_address(key, &attr.as_tensor());
    } else {
      key += attr.to_string();
    }
  }
  key += '\n';
  append_address(key, node.body.get());
  for (const Value input : node.inputs) {
    key += '\n';
    if (!input) continue;
    const OutputInfo& info = graph.info(input);
    key += info.type.to_string();
    if (info.known == nullptr) continue;
    for (const Dim& dim : *info.known) key += ' ' + dim.to_string();
  }
  return key;
}

}  // namespace

bool opens(const Leaf& leaf) {
  if (leaf.graph == nullptr) return false;
  const Node& node = leaf.get();
  return (node.op->composite && has_body(*node.op, node.body)) || holds_graphs(node);
}

std::shared_ptr<Sheet> inside_of(const SceneData& data, Sheet& sheet, int leaf) {
  std::shared_ptr<Sheet>& inside = sheet.insides[static_cast<std::size_t>(leaf)];
  if (inside != nullptr) return inside;
  const Leaf& opened = sheet.leaves[static_cast<std::size_t>(leaf)];
  const Node& node = opened.get();
  if (!node.op->composite) {
    inside = sheet_of_subgraphs(node);
    return inside;
  }
  std::shared_ptr<Sheet>& shared = data.bodies[body_key(*opened.graph, node)];
  if (shared == nullptr) {
    auto body = std::make_shared<const Graph>(make_body(*opened.graph, node, Mode::train).graph);
    shared = sheet_of_graph(std::move(body), true, node.op);
    shared->title = node.op->name.starts_with("nn.") ? node.op->name.substr(3) : node.op->name;
  }
  inside = shared;
  return inside;
}

VarId model_variable(const Frame& frame, VarId variable) {
  if (frame.outer == nullptr) return variable;
  return variable.number < frame.variables.size() ? frame.variables[variable.number] : VarId{};
}

Frame& frame_inside(const SceneData& data, Frame& frame, int leaf) {
  std::unique_ptr<Frame>& inner = frame.inner[leaf];
  if (inner != nullptr) return *inner;
  inner = std::make_unique<Frame>();
  inner->sheet = inside_of(data, *frame.sheet, leaf);
  inner->prefix = leaf_path(frame, leaf) + "/";
  inner->outer = &frame;
  inner->caller = leaf;
  const Node& node = frame.sheet->leaves[static_cast<std::size_t>(leaf)].get();
  if (!node.op->composite) return *inner;
  const Graph& body = *inner->sheet->graphs.front();
  inner->variables.resize(body.next_variable_id().number);
  for (const Binding& binding : node.bindings) {
    if (const VarId inside = body.find_variable(binding.slot)) {
      inner->variables[inside.number] = model_variable(frame, binding.variable);
    }
  }
  return *inner;
}

std::int64_t nodes_of_leaf(const SceneData& data, Sheet& sheet, int leaf) {
  if (!opens(sheet.leaves[static_cast<std::size_t>(leaf)])) return 1;
  Sheet& inside = *inside_of(data, sheet, leaf);
  if (inside.nodes < 0) inside.nodes = nodes_between(data, inside, 0, static_cast<int>(inside.leaves.size()));
  return inside.nodes;
}

std::int64_t nodes_between(const SceneData& data, Sheet& sheet, int first, int last) {
  std::int64_t count = 0;
  for (int leaf = first; leaf < last; ++leaf) count += nodes_of_leaf(data, sheet, leaf);
  return count;
}

namespace {

double flops_of_leaf(const SceneData& data, Sheet& sheet, int index) {
  const Leaf& leaf = sheet.leaves[static_cast<std::size_t>(index)];
  if (leaf.graph == nullptr || leaf.get().op->traits.leaf || leaf.get().op->traits.view) return 0;
  if (!leaf.get().op->composite || !opens(leaf)) return flops_of(*leaf.graph, leaf.get());
  Sheet& inside = *inside_of(data, sheet, index);
  return flops_between(data, inside, 0, static_cast<int>(inside.leaves.size()));
}

}  // namespace

double flops_between(const SceneData& data, Sheet& sheet, int first, int last) {
  if (sheet.flops_before.empty()) {
    sheet.flops_before.push_back(0);
    for (std::size_t leaf = 0; leaf < sheet.leaves.size(); ++leaf) {
      sheet.flops_before.push_back(sheet.flops_before.back() + flops_of_leaf(data, sheet, static_cast<int>(leaf)));
    }
  }
  return sheet.flops_before[static_cast<std::size_t>(last)] - sheet.flops_before[static_cast<std::size_t>(first)];
}

}  // namespace asg::lab
