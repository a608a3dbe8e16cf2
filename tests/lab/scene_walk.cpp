#include "lab/scene_walk.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "asg/graph/card.h"

namespace asg::lab::test {
namespace {

// The item of a level that a leaf stands in; "" where it stands outside.
std::string item_for(const std::set<std::string>& items, const std::string& leaf) {
  if (items.contains(leaf)) return leaf;
  for (std::size_t end = leaf.rfind('/'); end != std::string::npos && end > 0; end = leaf.rfind('/', end - 1)) {
    const std::string scope = leaf.substr(0, end);
    if (items.contains(scope + "/")) return scope + "/";
    if (items.contains(scope)) return scope;
  }
  return "";
}

using ByValue = std::map<std::string, std::set<std::string>>;  // value → items

struct Flows {
  std::map<std::pair<std::string, std::string>, std::set<std::string>> between;  // items → values
  ByValue entering, leaving;
};

// The graph under the paths of the walk.
struct Wiring {
  std::map<NodeId, std::string> paths;
  std::map<NodeId, std::vector<std::pair<Value, NodeId>>> users;

  explicit Wiring(const SheetWalk& walk) {
    for (const auto& [path, id] : walk.nodes) {
      paths[id] = path;
      for (const Value input : walk.graph->node(id).inputs) {
        if (input) users[input.node].emplace_back(input, id);
      }
    }
  }
  std::string name(Value value) const { return paths.at(value.node) + ":" + std::to_string(value.port); }
};

// What the graph says of a level.
Flows flows_of_graph(const SheetWalk& walk, const Wiring& wiring, const Level& level, bool is_body) {
  const Graph& graph = *walk.graph;
  std::set<std::string> items;
  for (const Item& item : level.items) items.insert(item.path);
  Flows flows;
  std::string below = level.scope;
  if (!below.empty() && !below.ends_with('/')) below += '/';
  for (auto at = walk.nodes.lower_bound(below); at != walk.nodes.end() && at->first.starts_with(below); ++at) {
    const auto& [path, id] = *at;
    const std::string item = item_for(items, path);
    if (item.empty()) continue;
    for (const Value input : graph.node(id).inputs) {
      if (!input) continue;
      const auto producer = wiring.paths.find(input.node);
      if (producer == wiring.paths.end()) {  // an inlet of the body
        EXPECT_TRUE(is_body);
        flows.entering["inlet " + graph.node(input.node).label()].insert(item);
        continue;
      }
      const std::string maker = item_for(items, producer->second);
      if (maker.empty()) {
        flows.entering[wiring.name(input)].insert(item);
      } else if (maker != item) {
        flows.between[{maker, item}].insert(wiring.name(input));
      }
    }
    const auto users = wiring.users.find(id);
    if (users == wiring.users.end()) continue;
    for (const auto& [value, user] : users->second) {
      if (item_for(items, wiring.paths.at(user)).empty()) flows.leaving[wiring.name(value)].insert(item);
    }
  }
  for (const Output& output : graph.outputs()) {
    const auto producer = wiring.paths.find(output.value.node);
    if (producer == wiring.paths.end()) continue;
    const std::string maker = item_for(items, producer->second);
    if (!maker.empty()) flows.leaving[wiring.name(output.value)].insert(maker);
  }
  return flows;
}

std::size_t portals_between(const Level& level, const std::string& from, const std::string& to) {
  std::size_t count = 0;
  for (const Portal& portal : level.portals) {
    count += portal.from == from && std::count(portal.to.begin(), portal.to.end(), to) > 0 ? 1 : 0;
  }
  return count;
}

void expect_same_edges(const Level& level, const Flows& flows) {
  std::map<std::pair<std::string, std::string>, int> drawn;
  for (const Edge& edge : level.edges) {
    EXPECT_TRUE(drawn.emplace(std::pair(edge.from, edge.to), edge.count).second) << edge.from << " → " << edge.to;
    const auto expected = flows.between.find({edge.from, edge.to});
    ASSERT_NE(expected, flows.between.end()) << level.scope << ": " << edge.from << " → " << edge.to;
    EXPECT_TRUE(expected->second.contains(edge.value)) << edge.value;
  }
  for (const auto& [ends, values] : flows.between) {
    const std::size_t lines = drawn.contains(ends) ? static_cast<std::size_t>(drawn.at(ends)) : 0;
    EXPECT_EQ(lines + portals_between(level, ends.first, ends.second), values.size())
        << level.scope << ": " << ends.first << " → " << ends.second;
  }
}

void expect_same_crossings(const Level& level, const Flows& flows, bool is_body) {
  std::multiset<std::set<std::string>> entering, drawn;
  for (const auto& [value, items] : flows.entering) entering.insert(items);
  for (const Crossing& inlet : level.inlets) drawn.insert({inlet.items.begin(), inlet.items.end()});
  for (const Portal& portal : level.portals) {
    EXPECT_GT(portal.to.size(), kMostLines);
    if (!portal.from) drawn.insert({portal.to.begin(), portal.to.end()});
  }
  EXPECT_EQ(drawn, entering) << level.scope;
  ByValue leaving;
  for (const Crossing& outlet : level.outlets) {
    if (is_body && outlet.items.empty()) continue;  // what a layer hands on as it is
    leaving[outlet.value].insert(outlet.items.begin(), outlet.items.end());
  }
  EXPECT_EQ(leaving, flows.leaving) << level.scope;
}

}  // namespace

SheetWalk walk_sheet(const Scene& scene, const std::string& scope) {
  SheetWalk walk;
  std::vector<std::string> open = {scope};
  while (!open.empty()) {
    const std::string next = open.back();
    open.pop_back();
    Level level = scene.level(next);
    for (const Item& item : level.items) {
      walk.paths.push_back(item.path);
      if (const auto at = scene.node(item.path)) {
        if (walk.graph == nullptr) walk.graph = at->graph;
        if (at->graph == walk.graph) walk.nodes.emplace(item.path, at->node);
        if (item.opens) walk.layers.push_back(item.path);
      } else if (item.opens) {
        open.push_back(item.path);
      } else {
        walk.others.push_back(item.path);
      }
    }
    walk.levels.push_back(std::move(level));
  }
  return walk;
}

void expect_faithful(const SheetWalk& walk, bool is_body) {
  if (walk.graph == nullptr) return;
  const std::size_t inlets = is_body ? walk.graph->inputs().size() : 0;
  EXPECT_EQ(walk.nodes.size() + inlets, walk.graph->node_count());
  std::set<NodeId> reached;
  for (const auto& [path, id] : walk.nodes) EXPECT_TRUE(reached.insert(id).second) << path;
  const std::set<std::string> unique(walk.paths.begin(), walk.paths.end());
  EXPECT_EQ(unique.size(), walk.paths.size());
  const Wiring wiring(walk);
  for (const Level& level : walk.levels) {
    const Flows flows = flows_of_graph(walk, wiring, level, is_body);
    expect_same_edges(level, flows);
    expect_same_crossings(level, flows, is_body);
  }
}

void expect_faithful_everywhere(const Scene& scene, const std::function<void(const Item&)>& seen) {
  std::vector<std::string> open = {""};
  std::set<std::string> paths;
  while (!open.empty()) {
    const std::string scope = open.back();
    open.pop_back();
    const SheetWalk walk = walk_sheet(scene, scope);
    const bool control_flow = !scope.empty() && !scene.node(scope)->graph->node(scene.node(scope)->node).op->composite;
    if (!control_flow) expect_faithful(walk, !scope.empty());
    for (const std::string& path : walk.paths) EXPECT_TRUE(paths.insert(path).second) << path;
    for (const Level& level : walk.levels) {
      for (const Item& item : level.items) {
        if (seen) seen(item);
      }
    }
    open.insert(open.end(), walk.layers.begin(), walk.layers.end());
    if (::testing::Test::HasFailure()) return;
  }
}

}  // namespace asg::lab::test
