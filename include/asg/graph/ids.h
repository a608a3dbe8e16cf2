#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <string>

namespace asg {

// A number that only means something together with its tag. 0 means "none". Ids are handed out in
// rising order and never used twice, so they stay valid names through edits.
template <class Tag>
struct Id {
  std::uint32_t number = 0;

  explicit operator bool() const { return number != 0; }
  friend auto operator<=>(const Id&, const Id&) = default;
};

using NodeId = Id<struct NodeTag>;
using VarId = Id<struct VarTag>;
using GraphId = Id<struct GraphTag>;

// One output of a node. Without a node it is an absent optional input.
struct Value {
  NodeId node;
  std::uint32_t port = 0;

  explicit operator bool() const { return static_cast<bool>(node); }
  friend auto operator<=>(const Value&, const Value&) = default;
};

std::string to_string(Value value);  // "%12", or "%12:1" for a later port, "-" when absent

}  // namespace asg

template <class Tag>
struct std::hash<asg::Id<Tag>> {
  std::size_t operator()(asg::Id<Tag> id) const { return id.number; }
};

template <>
struct std::hash<asg::Value> {
  std::size_t operator()(asg::Value value) const {
    return static_cast<std::size_t>((std::uint64_t{value.node.number} << 32 | value.port) * 0x9E3779B97F4A7C15u >> 16);
  }
};
