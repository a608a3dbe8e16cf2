#include "lab/sheet.h"

#include <algorithm>
#include <utility>

#include "asg/graph/card.h"

namespace asg::lab {

std::string_view parent_path(std::string_view path) {
  const std::size_t end = path.rfind('/');
  return end == std::string_view::npos ? std::string_view() : path.substr(0, end);
}

std::string_view last_part(std::string_view path) {
  const std::size_t end = path.rfind('/');
  return end == std::string_view::npos ? path : path.substr(end + 1);
}

std::string joined_path(std::string_view outer, std::string_view inner) {
  if (outer.empty()) return std::string(inner);
  if (inner.empty()) return std::string(outer);
  std::string path;
  path.reserve(outer.size() + 1 + inner.size());
  path += outer;
  path += '/';
  path += inner;
  return path;
}

std::string shown_name(const Graph& graph, const Node& node) {
  if (node.op->name != "Variable" || !node.name.empty() || node.bindings.empty()) return node.label();
  const std::string_view name = last_part(graph.variable(node.bindings.front().variable).name);
  const std::size_t dot = name.rfind('.');
  return std::string(dot == std::string_view::npos ? name : name.substr(dot + 1));
}

int SheetBuilder::add(Leaf leaf) {
  leaf.name = readable(std::move(leaf.name));
  leaves_.push_back(std::move(leaf));
  return static_cast<int>(leaves_.size()) - 1;
}

int SheetBuilder::scope_index(Sheet& sheet, const std::string& path) {
  if (const auto known = sheet.scope_at.find(path); known != sheet.scope_at.end()) return known->second;
  const int parent = scope_index(sheet, std::string(parent_path(path)));
  const int index = static_cast<int>(sheet.scopes.size());
  Scope scope{.path = path, .name = readable(std::string(last_part(path))), .parent = parent};
  if (const auto step = steps_.find(path); step != steps_.end()) scope.step = step->second;
  sheet.scopes.push_back(std::move(scope));
  sheet.scopes[static_cast<std::size_t>(parent)].children.push_back({true, index});
  sheet.scope_at.emplace(path, index);
  return index;
}

// Numbers the leaves by the tree, depth first. Iterative: scopes of a file may lie deep in each other.
void SheetBuilder::lay_out(Sheet& sheet) {
  std::vector<int> place(leaves_.size());
  std::vector<std::pair<int, std::size_t>> open = {{0, 0}};
  sheet.leaves.reserve(leaves_.size());
  while (!open.empty()) {
    auto& [index, next] = open.back();
    Scope& scope = sheet.scopes[static_cast<std::size_t>(index)];
    if (next == 0) scope.first = static_cast<int>(sheet.leaves.size());
    if (next == scope.children.size()) {
      scope.last = static_cast<int>(sheet.leaves.size());
      open.pop_back();
      continue;
    }
    Scope::Child& child = scope.children[next++];
    if (child.is_scope) {
      open.emplace_back(child.index, 0);
    } else {
      const auto number = static_cast<std::size_t>(child.index);
      child.index = static_cast<int>(sheet.leaves.size());
      place[number] = child.index;
      sheet.leaf_at.emplace(leaves_[number].path, child.index);
      sheet.longest_leaf = std::max(sheet.longest_leaf, leaves_[number].path.size());
      sheet.leaves.push_back(std::move(leaves_[number]));
    }
  }
  const auto move = [&](Source& source) {
    if (source.leaf >= 0) source.leaf = place[static_cast<std::size_t>(source.leaf)];
  };
  for (Leaf& leaf : sheet.leaves) {
    for (Source& input : leaf.inputs) move(input);
  }
  for (Sheet::Outlet& outlet : sheet.outlets) move(outlet.value);
}

namespace {

void index_uses(Sheet& sheet) {
  sheet.first_use.assign(sheet.leaves.size() + 1, 0);
  for (const Leaf& leaf : sheet.leaves) {
    for (const Source& input : leaf.inputs) {
      if (input.leaf >= 0) ++sheet.first_use[static_cast<std::size_t>(input.leaf) + 1];
    }
  }
  for (std::size_t k = 1; k < sheet.first_use.size(); ++k) sheet.first_use[k] += sheet.first_use[k - 1];
  sheet.uses.resize(static_cast<std::size_t>(sheet.first_use.back()));
  std::vector<int> next(sheet.first_use.begin(), sheet.first_use.end() - 1);
  for (std::size_t user = 0; user < sheet.leaves.size(); ++user) {
    for (const Source& input : sheet.leaves[user].inputs) {
      if (input.leaf < 0) continue;
      const auto at = static_cast<std::size_t>(next[static_cast<std::size_t>(input.leaf)]++);
      sheet.uses[at] = {static_cast<int>(user), input.port};
    }
  }
}

}  // namespace

std::shared_ptr<Sheet> SheetBuilder::finish(Sheet sheet) {
  sheet.scopes.push_back({.path = "", .name = ""});
  sheet.scope_at.emplace("", 0);
  for (std::size_t number = 0; number < leaves_.size(); ++number) {
    const int scope = scope_index(sheet, std::string(scope_around(leaves_[number].path)));
    sheet.scopes[static_cast<std::size_t>(scope)].children.push_back({false, static_cast<int>(number)});
  }
  sheet.title = readable(std::move(sheet.title));
  for (Sheet::Outlet& outlet : sheet.outlets) outlet.name = readable(std::move(outlet.name));
  divide_large_scopes(sheet, leaves_);
  lay_out(sheet);
  index_uses(sheet);
  sheet.insides.resize(sheet.leaves.size());
  sheet.scope_hashes.assign(sheet.scopes.size(), 0);
  return std::make_shared<Sheet>(std::move(sheet));
}

}  // namespace asg::lab
