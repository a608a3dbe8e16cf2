#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "asg/graph/ids.h"

// How commands name what they act on: by id, or by a name that is looked up when the command is carried out, so that it
// can also name what an earlier command of the same edit made.
namespace asg {

// A node by its id or its path: "encoder/fc_1", or "encoder/Add#17" where it has no name.
struct NodeRef {
  NodeRef() = default;                                            // none
  NodeRef(NodeId node) : id(node) {}                              // NOLINT: implicit by design
  NodeRef(const char* node_path) : path(node_path) {}             // NOLINT
  NodeRef(std::string node_path) : path(std::move(node_path)) {}  // NOLINT

  explicit operator bool() const { return static_cast<bool>(id) || !path.empty(); }
  friend bool operator==(const NodeRef&, const NodeRef&) = default;

  NodeId id;
  std::string path;  // where there is no id
};

// An output of a node. Without a node it is an absent optional input.
struct ValueRef {
  ValueRef() = default;
  ValueRef(Value value) : node(value.node), port(value.port) {}                                      // NOLINT
  ValueRef(NodeRef producer, std::uint32_t output = 0) : node(std::move(producer)), port(output) {}  // NOLINT
  ValueRef(std::string node_path) : node(std::move(node_path)) {}                                    // NOLINT
  ValueRef(const char* node_path) : node(node_path) {}                                               // NOLINT

  explicit operator bool() const { return static_cast<bool>(node); }
  friend bool operator==(const ValueRef&, const ValueRef&) = default;

  NodeRef node;
  std::uint32_t port = 0;
};

// A variable by its id or its name.
struct VarRef {
  VarRef() = default;
  VarRef(VarId variable) : id(variable) {}                     // NOLINT
  VarRef(const char* variable) : name(variable) {}             // NOLINT
  VarRef(std::string variable) : name(std::move(variable)) {}  // NOLINT

  friend bool operator==(const VarRef&, const VarRef&) = default;

  VarId id;
  std::string name;  // where there is no id
};

// A node of the model, or one inside a layer's body: labels from outside in. {12} is node 12; {12, {"feed_forward",
// "activation"}} is the node "activation" of the FeedForward inside it. A path may lead inside as well:
// {"encoder/block_1/feed_forward/activation"}.
struct NodePath {
  NodeRef node;
  std::vector<std::string> inside = {};
  friend bool operator==(const NodePath&, const NodePath&) = default;
};

}  // namespace asg
