#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "asg/core/dim.h"
#include "asg/graph/graph.h"
#include "asg/graph/walk.h"

// Bounded dims: one program for all lengths that a symbol may have (the last batch of an epoch, a text that grows word
// by word), so that a new length compiles nothing.
namespace asg {

// A part of an axis that is stored at its bound: a place holds a number of the value where its digit is below `length`,
// and anything elsewhere.
struct StoredDigit {
  std::int64_t stored = 1;
  Dim length = 1;

  bool is_ragged() const { return !length.is_known(); }
  friend bool operator==(const StoredDigit& a, const StoredDigit& b) = default;
};

// An axis, counted by digits, the outermost first: an axis that came of merging [batch, length] has two. Empty for a
// length of 1.
using StoredAxis = std::vector<StoredDigit>;
using StoredShape = std::vector<StoredAxis>;

// A graph that computes at the bounds of its symbols, and is told the lengths while it runs.
struct BoundedGraph {
  Graph graph;  // no symbols are left; inputs of the given graph at their bounds, then one i64 scalar for each length
  Remap remap;
  std::vector<Dim> lengths;          // what the inputs that were added are given
  std::vector<StoredShape> outputs;  // how each output lies in what the graph gives
};

struct NotBounded {
  std::string reason;  // "'head/TopK#12' (TopK) picks along seq, which is bounded"
};

// The name under which it can be switched off, see PassOptions.
inline constexpr std::string_view kHoldBounds = "hold_bounds";

// Symbols of inputs and variables that have a bound, sorted.
std::vector<std::string> bounded_symbols(const Graph& graph);

// The same function for all lengths up to the bounds.
//   expects:    a graph of plain ops that validates, whose symbols all have bounds
//   guarantees: fed with inputs of any lengths (what lies beyond them does not matter, if it is finite) and with these
//               lengths, the parts of the outputs below their lengths are what the given graph computes, but for the
//               order of sums. Nodes keep their ids.
//   how:        what walks each place by itself computes beyond the lengths too, and nobody looks. What mixes places
//               (sums, products, attention) gets zeros there, or what else changes nothing.
//   example:    ReduceMean(x: [n≤8], all) → ReduceSum(Where([0 … 7] < n, x, 0)) / n
// Where an op mixes places in a way that has no such form, the reason is told, and one compiles for each length.
std::variant<BoundedGraph, NotBounded> hold_at_bounds(const Graph& graph);

}  // namespace asg
