#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "asg/graph/graph.h"

namespace asg::lab {

// Where the nodes of a derived graph come from, as paths of the model.
class Origins {
 public:
  explicit Origins(const Graph& model);

  // "block_0/attention/query_projection/MatMul#3"; "" where it is not known.
  std::string path(const Node& node) const;
  Role role(const Node& node) const;
  // The layer in whose scope a node of a gradient, an update or a fused step stands, below its role.
  std::string layer_scope(const Node& node) const;
  // The check that all gradients are finite comes from the loss as a whole; each of its nodes is shown with the layer
  // whose gradient it looks at. To be called with the graph before layer_scope is asked of its nodes.
  void sort_check(const Graph& derived);

 private:
  bool checks(const Node& node) const;

  const Graph& model_;
  std::vector<std::string> paths_;    // of the nodes of the model
  std::vector<bool> computes_loss_;   // layers of losses
  std::vector<std::string> checked_;  // of the nodes of the check, by number: the layer
};

// Gives every leaf a path of its own, which is no scope of others.
class UniquePaths {
 public:
  void add(std::string path) { paths_.push_back(std::move(path)); }
  // Takes the wanted path, or one below or beside it; `label` tells them apart. In the order of `add`.
  std::string take(std::size_t number, const std::string& label);
  void gather_scopes();

 private:
  std::vector<std::string> paths_;
  std::unordered_set<std::string> scopes_;
  std::unordered_set<std::string> taken_;
};

std::string_view folder_of(Role role);  // "forward", "gradient", "update": losses stand in "forward"

}  // namespace asg::lab
