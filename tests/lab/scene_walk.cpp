#include "lab/scene_walk.h"

#include <algorithm>
#include <unordered_map>

#include <gtest/gtest.h>

#include "asg/graph/card.h"

namespace asg::lab::test {
namespace {

// Which item of each level every leaf stands in, as opening the scopes showed it.
class Standing {
 public:
  using Items = std::unordered_map<std::string, std::string>;  // leaf → item

  explicit Standing(const SheetWalk& walk) {
    std::unordered_map<std::string, std::string> around;  // item → scope
    for (const Level& level : walk.levels) {
      for (const Item& item : level.items) around.emplace(item.path, level.scope);
    }
    const std::string& whole = walk.levels.front().scope;
    for (const auto& [leaf, id] : walk.nodes) {
      std::string item = leaf;
      for (auto scope = around.find(item); scope != around.end(); scope = around.find(item)) {
        levels_[scope->second].emplace(leaf, item);
        if (scope->second == whole) break;
        item = scope->second;
      }
    }
  }

  const Items& in(const std::string& scope) { return levels_[scope]; }

 private:
  std::unordered_map<std::string, Items> levels_;  // by scope
};

// "" where the leaf stands outside.
std::string item_for(const Standing::Items& items, const std::string& leaf) {
  const auto found = items.find(leaf);
  return found == items.end() ? "" : found->second;
}

using ByValue = std::map<std::string, std::set<std::string>>;  // value → items

struct Flows {
  std::map<std::pair<std::string, std::string>, std::set<std::string>> between;  // items → values
  ByValue entering, leaving;
  ByValue far, still;                                                         // that enter, and are portals
  std::map<std::string, std::pair<std::string, std::set<std::string>>> held;  // still values of an item, and its users
};

std::string folder_at(const std::string& path) { return path.substr(0, path.find('/')); }

// Inside a pass, what another pass made or reads is no line.
bool is_far(const Level& level, const std::string& path) {
  const bool has_roles = level.view != View::model && level.view != View::expanded;
  return has_roles && !level.scope.empty() && folder_at(path) != folder_at(level.scope);
}

bool is_still(const Level& level, const Node& node, bool is_body) {
  if (is_body || level.view == View::model || (level.view != View::expanded && level.scope.empty())) return false;
  return node.op->name == "Variable" || node.op->name == "Constant";
}

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
Flows flows_of_graph(const SheetWalk& walk, const Wiring& wiring, const Standing::Items& items, const Level& level,
                     bool is_body) {
  const Graph& graph = *walk.graph;
  Flows flows;
  for (const auto& [path, item] : items) {
    const NodeId id = walk.nodes.at(path);
    for (const Value input : graph.node(id).inputs) {
      if (!input) continue;
      const auto producer = wiring.paths.find(input.node);
      if (producer == wiring.paths.end()) {  // an inlet of the body
        EXPECT_TRUE(is_body);
        flows.entering["inlet " + graph.node(input.node).label()].insert(item);
        continue;
      }
      const std::string maker = item_for(items, producer->second);
      const bool still = is_still(level, graph.node(input.node), is_body);
      if (maker.empty()) {
        ByValue& kind = is_far(level, producer->second) ? flows.far : still ? flows.still : flows.entering;
        kind[wiring.name(input)].insert(item);
      } else if (maker != item && still && maker != producer->second) {
        flows.held[wiring.name(input)].first = maker;
        flows.held[wiring.name(input)].second.insert(item);
      } else if (maker != item) {
        flows.between[{maker, item}].insert(wiring.name(input));
      }
    }
    const auto users = wiring.users.find(id);
    if (users == wiring.users.end()) continue;
    for (const auto& [value, user] : users->second) {
      const std::string& reader = wiring.paths.at(user);
      if (!item_for(items, reader).empty() || is_far(level, reader)) continue;
      if (!is_still(level, graph.node(id), is_body)) flows.leaving[wiring.name(value)].insert(item);
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

// How many values a portal stands for: "weight +2" for three.
std::size_t values_of(const Portal& portal) {
  const std::size_t plus = portal.name.rfind(" +");
  return plus == std::string::npos ? 1 : 1 + std::stoul(portal.name.substr(plus + 2));
}

bool leads_to(const Portal& portal, const std::set<std::string>& items) {
  return std::all_of(items.begin(), items.end(), [&](const std::string& item) {
    return std::find(portal.to.begin(), portal.to.end(), item) != portal.to.end();
  });
}

bool is_of_pass(const Portal& portal) { return portal.name.find(": ") != std::string::npos && !portal.from; }

// What another pass made and what other layers hold: each value has a portal that leads to all of its users, and the
// portals stand for no more values than there are.
void expect_same_portals(const Level& level, const Flows& flows) {
  std::size_t far = 0, still = 0, held = 0;
  for (const Portal& portal : level.portals) {
    if (is_of_pass(portal)) {
      far += values_of(portal);
    } else if (!portal.from) {
      still += values_of(portal);
    } else {
      held += values_of(portal);
    }
  }
  const auto any = [&](const auto& fits) { return std::any_of(level.portals.begin(), level.portals.end(), fits); };
  for (const auto& [value, items] : flows.far) {
    const std::string folder = folder_at(value) + ": ";
    EXPECT_TRUE(any([&, &users = items](const Portal& portal) {
      return is_of_pass(portal) && portal.name.starts_with(folder) && leads_to(portal, users);
    })) << level.scope
        << " " << value;
  }
  for (const auto& [value, items] : flows.still) {
    EXPECT_TRUE(any([&users = items](const Portal& portal) {
      return !portal.from && !is_of_pass(portal) && leads_to(portal, users);
    })) << level.scope
        << " " << value;
  }
  for (const auto& [value, ends] : flows.held) {
    EXPECT_TRUE(any([&users = ends](const Portal& portal) {
      return portal.from == users.first && leads_to(portal, users.second);
    })) << level.scope
        << " " << value;
  }
  EXPECT_EQ(far, flows.far.size()) << level.scope;
  EXPECT_GE(still, flows.still.size()) << level.scope;  // others have many users
  EXPECT_GE(held, flows.held.size()) << level.scope;
}

std::size_t portals_between(const Level& level, const Flows& flows, const std::string& from, const std::string& to) {
  std::size_t count = 0;
  for (const Portal& portal : level.portals) {
    if (flows.held.contains(portal.value)) continue;
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
    EXPECT_EQ(lines + portals_between(level, flows, ends.first, ends.second), values.size())
        << level.scope << ": " << ends.first << " → " << ends.second;
  }
}

void expect_same_crossings(const Level& level, const Flows& flows, bool is_body) {
  std::multiset<std::set<std::string>> entering, drawn;
  for (const auto& [value, items] : flows.entering) entering.insert(items);
  for (const Crossing& inlet : level.inlets) drawn.insert({inlet.items.begin(), inlet.items.end()});
  for (const Portal& portal : level.portals) {
    const bool is_special = !flows.far.empty() || !flows.still.empty() || !flows.held.empty();
    EXPECT_TRUE(is_special || portal.to.size() > kMostLines) << portal.name;
    if (!portal.from && !is_of_pass(portal) && !flows.still.contains(portal.value))
      drawn.insert({portal.to.begin(), portal.to.end()});
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
  Standing standing(walk);
  for (const Level& level : walk.levels) {
    const Flows flows = flows_of_graph(walk, wiring, standing.in(level.scope), level, is_body);
    expect_same_edges(level, flows);
    expect_same_crossings(level, flows, is_body);
    expect_same_portals(level, flows);
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
