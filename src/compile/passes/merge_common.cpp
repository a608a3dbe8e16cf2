// Common subexpressions.
//   expects:    a graph that validates
//   guarantees: the same function, bit for bit; no two nodes that are left have the same op, attributes, inputs (those
//               of commutative ops in any order), random stream and subgraphs. The first of equal nodes stays. Random
//               ops are functions of seed, step and stream, so they are merged like all others. Inputs and variables
//               are not merged, nor is what has effects, nor what has a length that only data decide: such lengths are
//               named after their node.
//   example:    a = Exp(x), b = Exp(x), y = Add(a, b) → a = Exp(x), y = Add(a, a)
#include <algorithm>
#include <bit>
#include <cstring>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include "asg/core/random.h"
#include "compile/passes/effects.h"
#include "compile/passes/passes.h"
#include "compile/passes/rewriter.h"
#include "compile/passes/tally.h"

namespace asg::passes {
namespace {

// ---- Hashes: equal things have equal ones. They choose a place in a table and nothing else.

std::uint64_t hash_of(const Array& array) {
  constexpr std::size_t kMostCompared = 512;  // enough to tell most apart
  std::uint64_t hash = combine(static_cast<std::uint64_t>(array.dtype()), static_cast<std::uint64_t>(array.count()));
  for (const std::int64_t size : array.sizes()) hash = combine(hash, static_cast<std::uint64_t>(size));
  if (!array.is_dense() || array.count() == 0) return hash;
  const auto bytes = std::min(kMostCompared, static_cast<std::size_t>(array.bytes()));
  return combine(hash, std::string_view(reinterpret_cast<const char*>(array.raw()), bytes));
}

std::uint64_t hash_of(const Attr& attr) {
  const auto start = static_cast<std::uint64_t>(attr.kind());
  switch (attr.kind()) {
    case AttrKind::integer:
      return combine(start, static_cast<std::uint64_t>(attr.as_integer()));
    case AttrKind::real: {
      std::uint64_t bits = 0;
      const double number = attr.as_real();
      std::memcpy(&bits, &number, sizeof(bits));
      return combine(start, bits);
    }
    case AttrKind::boolean:
      return combine(start, static_cast<std::uint64_t>(attr.as_boolean()));
    case AttrKind::text:
      return combine(start, attr.as_text());
    case AttrKind::dtype:
      return combine(start, static_cast<std::uint64_t>(attr.as_dtype()));
    case AttrKind::tensor:
      return combine(start, hash_of(attr.as_tensor()));
    case AttrKind::integers: {
      std::uint64_t hash = start;
      for (const std::int64_t number : attr.as_integers()) hash = combine(hash, static_cast<std::uint64_t>(number));
      return hash;
    }
    case AttrKind::graph:
      return combine(start, attr.as_graph() != nullptr ? attr.as_graph()->node_count() : 0);
    default:
      return start;  // rare: equality tells them apart
  }
}

// ---- Equality

// The first two inputs of a commutative op count in rising order.
bool is_swapped(const Node& node) {
  return node.op->traits.commutative && node.inputs.size() >= 2 && node.inputs[1] < node.inputs[0];
}

Value ordered_input(const Node& node, bool swapped, std::size_t index) {
  return node.inputs[swapped && index < 2 ? 1 - index : index];
}

bool has_same_inputs(const Node& a, const Node& b) {
  if (a.inputs.size() != b.inputs.size()) return false;
  const bool swapped_a = is_swapped(a);
  const bool swapped_b = is_swapped(b);
  for (std::size_t index = 0; index < a.inputs.size(); ++index) {
    if (ordered_input(a, swapped_a, index) != ordered_input(b, swapped_b, index)) return false;
  }
  return true;
}

std::uint64_t hash_of(const Node& node) {
  std::uint64_t hash = combine(node.stream, std::hash<const OpCard*>()(node.op));
  const bool swapped = is_swapped(node);
  for (std::size_t index = 0; index < node.inputs.size(); ++index) {
    const Value input = ordered_input(node, swapped, index);
    hash = combine(hash, std::uint64_t{input.node.number} << 32 | input.port);
  }
  for (const auto& [name, attr] : node.attrs) hash = combine(hash, hash_of(attr));
  return hash;
}

bool is_same(const Node& a, const Node& b) {
  return a.op == b.op && a.stream == b.stream && has_same_inputs(a, b) && a.attrs == b.attrs && a.outputs == b.outputs;
}

bool is_mergeable(const Node& node) {
  const OpCard& op = *node.op;
  if (op.traits.leaf && op.name != "Constant" && op.name != "External") return false;
  return !op.composite && !has_effect(op);
}

class Merger {
 public:
  explicit Merger(Graph graph)
      : rewriter_(std::move(graph)), table_(std::bit_ceil(2 * rewriter_.graph().node_count() + 1)) {}

  PassResult run() {
    for (const NodeId id : rewriter_.order()) {
      rewriter_.refresh(id);
      if (is_mergeable(rewriter_.node(id))) visit(rewriter_.node(id));
    }
    return rewriter_.finish(tally_.lines());
  }

 private:
  struct Entry {
    std::uint64_t hash = 0;
    NodeId node = {};
  };

  void visit(const Node& node) {
    const std::uint64_t hash = hash_of(node);
    std::size_t at = hash % table_.size();
    for (; table_[at].node; at = (at + 1) % table_.size()) {
      if (table_[at].hash != hash) continue;
      const Node& other = rewriter_.node(table_[at].node);
      if (!is_same(node, other)) continue;
      tally_.add(node.op->name, node);
      const auto ports = static_cast<std::uint32_t>(node.outputs.size());
      for (std::uint32_t port = 0; port < ports; ++port) rewriter_.forward({node.id, port}, {other.id, port});
      return;
    }
    table_[at] = {hash, node.id};
  }

  Rewriter rewriter_;
  Tally tally_;
  std::vector<Entry> table_;  // at least half of it is free, so that whoever walks it from a place comes to an end
};

}  // namespace

PassResult merge_common(Graph graph) { return Merger(std::move(graph)).run(); }

}  // namespace asg::passes
