#pragma once

#include <deque>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "asg/graph/graph.h"
#include "compile/fusion/value_numbers.h"

// How the values of a graph lie in memory, before there are buffers. View ops (Reshape, Transpose, Slice, Expand …)
// compute nothing: their result is that of a root, walked by other strides.
namespace asg::fusion {

struct Layout {
  Value root;  // a value that is computed; it lies dense, unless RootStrides says otherwise
  std::int64_t offset = 0;
  Sizes sizes = {};
  Sizes strides = {};  // in elements; 0 repeats

  bool is_dense() const;  // row-major without gaps
  // The elements of the root in order, only in another shape or repeated along axes. Such a value may be used in the
  // kernel that computes its root.
  bool keeps_order(std::int64_t root_count) const;
  Sizes sizes_without_repeats() const;  // 1 where the stride is 0
};

// The same elements in another shape, where strides can say it.
std::optional<Layout> reshaped(const Layout& layout, const Sizes& sizes);

// The contents of an integer value that is known while compiling.
std::optional<Sizes> integers_of(const Graph& graph, Value value);

// Strides of computed values that lie in memory in another order of axes, without gaps.
using RootStrides = std::map<Value, Sizes>;

class Layouts {
 public:
  // `order` is topological; all shapes are concrete.
  Layouts(const Graph& graph, std::span<const NodeId> order, const RootStrides& root_strides = {});
  Layouts(Layouts&&) = default;  // no copies: what is copied by nodes is known by its address

  const ValueNumbers& numbers() const { return numbers_; }
  const Layout& of(Value value) const { return layouts_[numbers_.of(value)]; }
  std::int64_t count_of(Value value) const { return element_count(of(value).sizes); }  // of elements
  // Whether the node computes nothing.
  bool is_view(NodeId node) const { return views_[node.number]; }
  // From now on the value is computed, as a dense copy. Views that were made of it before still walk its old root.
  void make_dense(Value value);
  // What such a node copies; null of all other nodes.
  const Layout* copied_by(NodeId node) const { return copied_by_[node.number]; }
  // What a node reads at an input: where it copies, the layout that it copies.
  const Layout& input_of(const Node& node, std::size_t input) const;

 private:
  void place(const Node& node, const RootStrides& root_strides);
  std::optional<Layout> viewed(const Node& node, std::uint32_t port) const;
  void set(Value value, Layout layout);

  const Graph& graph_;
  ValueNumbers numbers_;
  std::vector<Layout> layouts_;  // by the number of the value
  std::vector<bool> views_;
  std::deque<Layout> copied_;             // what nodes copy that have one output only
  std::vector<const Layout*> copied_by_;  // by node
};

}  // namespace asg::fusion
