#pragma once

#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "compile/passes/rewriter.h"
#include "compile/passes/value_facts.h"

// What the rules of the pass `simplify` are made of.
namespace asg::passes {

// What a rule makes of a node: another value that stands for its output, or another op in its place.
struct Rewrite {
  Value forward = {};
  const OpCard* op = nullptr;
  std::vector<Value> inputs = {};
  Attrs attrs = {};
};
using Rewritten = std::optional<Rewrite>;

// A node as a rule sees it. A rule looks at the node and at what stands before it, never at who uses it: so one walk
// from inputs to outputs finds all there is to find.
class Site {
 public:
  Site(Rewriter& rewriter, ValueFacts& facts, const Node& at, std::vector<NodeId>& made)
      : node(at), rewriter_(rewriter), facts_(facts), made_(made) {}

  const Node& node;

  const Graph& graph() const { return rewriter_.graph(); }
  bool has(std::size_t index) const { return index < node.inputs.size() && node.inputs[index]; }
  Value in(std::size_t index) const { return node.inputs[index]; }
  const TensorType& type(std::size_t index) const { return graph().type(node.inputs[index]); }
  const TensorType& type() const { return node.outputs.front().type; }
  // The node that makes an input, where it is of this op; else null.
  const Node* made_by(std::size_t index, std::string_view op) const;
  const Node& producer(std::size_t index) const { return graph().node(node.inputs[index].node); }
  AttrReader attributes() const { return {*node.op, node.attrs}; }
  // The contents of an integer input, where all are known.
  std::optional<std::vector<std::int64_t>> integers(std::size_t index) const;

  std::optional<Array> uniform(std::size_t index) const { return facts_.uniform(graph(), in(index)); }
  bool is_number(std::size_t index, double number) const { return facts_.is_number(graph(), in(index), number); }
  bool is_at_least_zero(std::size_t index) const { return facts_.is_at_least_zero(graph(), in(index)); }

  // ---- What may stand for the node.
  static Rewritten forward(Value value) { return Rewrite{.forward = value}; }
  static Rewritten replace(std::string_view op, std::vector<Value> inputs, Attrs attrs = {});
  Rewritten replace_inputs(std::vector<Value> inputs) const;
  // The value, expanded to the shape of the output where it has another one.
  Rewritten broadcast(Value value) const;
  // The value with its elements in the same order and in the shape of the output.
  Rewritten reshape(Value value) const;

  // New nodes before this one.
  Value constant(Array value) const { return rewriter_.add_constant(node, std::move(value)); }
  Value make(const OpCard& op, std::vector<Value> inputs, Attrs attrs) const;

 private:
  Rewriter& rewriter_;
  ValueFacts& facts_;
  std::vector<NodeId>& made_;  // new nodes that rules should look at too
};

struct Rule {
  std::string_view name;
  std::string_view words;             // "x + 0 is x"
  std::vector<std::string_view> ops;  // those it looks at; empty: every elementwise op
  Rewritten (*apply)(const Site& site) = nullptr;
};

// The rules, by what they are about; applied in this order.
std::span<const Rule> arithmetic_rules();
std::span<const Rule> shape_rules();
std::span<const Rule> choice_rules();
std::span<const Rule> broadcast_rules();

}  // namespace asg::passes
