#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "asg/lab/scene.h"

namespace asg::lab::test {

// Opens every scope of one sheet: the whole scene, or the inside of a layer. Layers inside are leaves here.
struct SheetWalk {
  const Graph* graph = nullptr;         // of the leaves that are nodes
  std::map<std::string, NodeId> nodes;  // leaves that are nodes, by path
  std::vector<std::string> others;      // leaves that are none: copies, buffers
  std::vector<std::string> layers;      // leaves that open
  std::vector<Level> levels;            // of all scopes, with the first
  std::vector<std::string> paths;       // of all items
};
SheetWalk walk_sheet(const Scene& scene, const std::string& scope);

// Holds every level of a sheet against the graph: each node is reached once, paths are unique, and edges, inlets,
// outlets and portals are those of the graph, lifted. Fails the running test where they differ.
void expect_faithful(const SheetWalk& walk, bool is_body);
// The same for the scene and all layers that open inside it; calls `seen` with every item.
void expect_faithful_everywhere(const Scene& scene, const std::function<void(const Item&)>& seen = {});

}  // namespace asg::lab::test
