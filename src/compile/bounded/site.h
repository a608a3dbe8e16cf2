#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "compile/bounded/stored.h"
#include "compile/passes/rewriter.h"

namespace asg::bounded {

// Why a graph cannot be held at its bounds; whoever catches it names the node.
struct Refusal {
  std::string reason;  // "picks along seq"
};

// The lengths that the graph is told while it runs: an input of its own for each.
class LengthInputs {
 public:
  explicit LengthInputs(passes::Rewriter& rewriter) : rewriter_(rewriter) {}

  Value of(const Dim& length);  // an i64 scalar
  std::vector<Dim> take() { return std::move(lengths_); }

 private:
  passes::Rewriter& rewriter_;
  std::vector<Dim> lengths_;
  std::vector<Value> values_;
};

// A node as a rule sees it: at the bounds, with the lengths that its values have below them. A rule says how the
// outputs lie and changes inputs where places beyond the lengths would be mixed with others. Throws Refusal.
class Site {
 public:
  Site(const Graph& given, const Node& node, std::vector<StoredShape> shapes, passes::Rewriter& rewriter,
       LengthInputs& lengths);

  const Node& node() const { return node_; }
  const Graph& graph() const { return rewriter_.graph(); }
  AttrReader attributes() const { return {*node_.op, node_.attrs}; }
  bool has(std::size_t input) const { return input < inputs_.size() && inputs_[input]; }
  Value in(std::size_t input) const { return inputs_[input]; }
  const StoredShape& stored(std::size_t input) const { return shapes_[input]; }
  int rank(std::size_t input) const { return static_cast<int>(shapes_[input].size()); }
  const TensorType& type(std::size_t input) const { return graph().type(inputs_[input]); }
  // Lengths of the given graph, with symbols.
  const Shape& lengths(std::size_t output = 0) const {
    return given_.type({node_.id, static_cast<std::uint32_t>(output)}).shape;
  }
  Shape bounds(std::size_t output = 0) const { return node_.outputs[output].type.shape; }
  StoredAxis plain(int axis, std::size_t output = 0) const;  // of an output
  // Contents of an integer input as the given graph knows them; refuses where it does not.
  std::vector<Dim> contents(std::size_t input) const;

  // ---- What a rule does.
  void lay_out(StoredShape shape, std::size_t output = 0) { outputs_[output] = std::move(shape); }
  // From now on the input has `fill`, a scalar of its type, beyond the lengths of these axes.
  void mask(std::size_t input, std::span<const int> axes, Value fill);
  void mask(std::size_t input, std::span<const int> axes, double fill);
  void mask_all(std::size_t input, double fill);  // axes
  void set(std::size_t input, Value value);
  void replace(std::string_view op, std::vector<Value> inputs, Attrs attrs = {});  // the node itself

  Value length(const Dim& length) { return lengths_.of(length); }
  Value number(DType dtype, double value);
  Value constant(Array value) { return rewriter_.add_constant(node_, std::move(value)); }
  Value make(std::string_view op, std::vector<Value> inputs, Attrs attrs = {});
  // What an integer input holds, from the lengths of the run.
  Value from_lengths(const OutputInfo& info, const std::vector<Dim>& contents);
  // True where an axis of this rank holds numbers of the value: [n, 1, …].
  Value places(const StoredAxis& axis, int trailing);

  std::vector<StoredShape> finish();  // how the outputs lie; an unset one has no bounded axis

 private:
  const Graph& given_;
  Node node_;
  std::vector<StoredShape> shapes_;  // of the inputs
  passes::Rewriter& rewriter_;
  LengthInputs& lengths_;
  std::vector<Value> inputs_;
  std::vector<StoredShape> outputs_;
  bool replaced_ = false;
};

// How an op goes on with axes that are stored at their bounds.
struct Rule {
  void (*apply)(Site& site);
  std::vector<std::size_t> sizes = {};  // inputs that say sizes: they stay at the bounds
};
const Rule* rule_for(const OpCard& op);  // null where there is none

// The families that rules.cpp lists.
using Rules = std::map<std::string_view, Rule>;
void add_moving_rules(Rules& rules);  // Reshape, Slice, Concat, Gather …
void add_mixing_rules(Rules& rules);  // reductions, products, convolutions, attention

}  // namespace asg::bounded
