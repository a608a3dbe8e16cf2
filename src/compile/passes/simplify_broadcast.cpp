// Rules of choices, and of elementwise ops whose operands are repeated for nothing.
#include <algorithm>
#include <array>

#include "compile/passes/effects.h"
#include "compile/passes/simplify_site.h"

namespace asg::passes {
namespace {

// ---- Choices

Rewritten where_always(const Site& site) {
  const auto condition = site.uniform(0);
  if (!condition) return std::nullopt;
  return site.broadcast(site.in(condition->get(0) != 0 ? 1 : 2));
}

Rewritten where_no_choice(const Site& site) {
  return site.in(1) == site.in(2) ? site.broadcast(site.in(1)) : std::nullopt;
}

Rewritten where_not(const Site& site) {
  const Node* negated = site.made_by(0, "Not");
  return negated != nullptr ? site.replace_inputs({negated->inputs[0], site.in(2), site.in(1)}) : std::nullopt;
}

// ---- Operands

// The shape to which all broadcast; nothing where they do not.
std::optional<Shape> common_shape(const Graph& graph, const std::vector<Value>& values) {
  std::vector<Dim> dims;
  for (const Value value : values) {
    if (!value) continue;
    const Shape& shape = graph.type(value).shape;
    const auto rank = static_cast<std::size_t>(shape.rank());
    if (dims.size() < rank) dims.insert(dims.begin(), rank - dims.size(), Dim(1));
    for (std::size_t axis = 0; axis < rank; ++axis) {
      Dim& dim = dims[dims.size() - rank + axis];
      const Dim& own = shape[static_cast<int>(axis)];
      if (own == dim || own == Dim(1)) continue;
      if (dim != Dim(1)) return std::nullopt;
      dim = own;
    }
  }
  return Shape(std::move(dims));
}

bool makes_output_shape(const Site& site, const std::vector<Value>& inputs) {
  const auto shape = common_shape(site.graph(), inputs);
  return shape && *shape == site.type().shape;
}

bool is_one_element(const TensorType& type) {
  return std::all_of(type.shape.begin(), type.shape.end(), [](const Dim& dim) { return dim == Dim(1); });
}

// An operand of one number beside one of the full shape.
Rewritten scalar_operand(const Site& site) {
  if (site.node.inputs.size() < 2) return std::nullopt;
  for (std::size_t index = 0; index < site.node.inputs.size(); ++index) {
    if (!site.has(index) || is_one_element(site.type(index))) continue;
    std::vector<Value> inputs = site.node.inputs;
    inputs[index] = {};
    if (!makes_output_shape(site, inputs)) continue;
    if (const auto number = site.uniform(index)) {
      inputs[index] = site.constant(*number);
      return site.replace_inputs(std::move(inputs));
    }
  }
  return std::nullopt;
}

// An operand that the op itself would repeat as well.
Rewritten needless_expand(const Site& site) {
  for (std::size_t index = 0; index < site.node.inputs.size(); ++index) {
    const Node* expand = site.made_by(index, "Expand");
    if (expand == nullptr) continue;
    std::vector<Value> inputs = site.node.inputs;
    inputs[index] = expand->inputs[0];
    if (makes_output_shape(site, inputs)) return site.replace_inputs(std::move(inputs));
  }
  return std::nullopt;
}

// All operands are repeated: compute first, repeat then.
Rewritten expand_last(const Site& site) {
  if (!site.type().shape.is_known()) return std::nullopt;
  std::vector<Value> inputs = site.node.inputs;
  bool found = false;
  for (std::size_t index = 0; index < inputs.size(); ++index) {
    const Node* expand = site.made_by(index, "Expand");
    if (expand == nullptr) continue;
    inputs[index] = expand->inputs[0];
    found = true;
  }
  if (!found) return std::nullopt;
  const auto small = common_shape(site.graph(), inputs);
  if (!small || *small == site.type().shape || !can_broadcast_to(*small, site.type().shape)) return std::nullopt;
  return site.broadcast(site.make(*site.node.op, std::move(inputs), site.node.attrs));
}

}  // namespace

std::span<const Rule> choice_rules() {
  static const std::array kRules = {
      Rule{"where_always", "a choice that is the same everywhere", {"Where"}, where_always},
      Rule{"where_no_choice", "a choice between x and x", {"Where"}, where_no_choice},
      Rule{"where_not", "a choice by the opposite", {"Where"}, where_not},
  };
  return kRules;
}

std::span<const Rule> broadcast_rules() {
  static const std::array kRules = {
      Rule{"scalar_operand", "one number for an operand that repeats it", {}, scalar_operand},
      Rule{"needless_expand", "an operand that is repeated anyway", {}, needless_expand},
      Rule{"expand_last", "computed before it is repeated", {}, expand_last},
  };
  return kRules;
}

}  // namespace asg::passes
