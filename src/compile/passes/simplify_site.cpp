#include "compile/passes/simplify_site.h"

#include <algorithm>

#include "asg/graph/registry.h"

namespace asg::passes {
namespace {

bool has_zero(const Sizes& sizes) { return std::find(sizes.begin(), sizes.end(), 0) != sizes.end(); }

}  // namespace

const Node* Site::made_by(std::size_t index, std::string_view op) const {
  if (!has(index)) return nullptr;
  const Node& node_before = producer(index);
  return node_before.op->name == op ? &node_before : nullptr;
}

std::optional<std::vector<std::int64_t>> Site::integers(std::size_t index) const {
  const auto& known = graph().info(in(index)).known;
  if (known == nullptr) return std::nullopt;
  std::vector<std::int64_t> numbers;
  for (const Dim& number : *known) {
    if (!number.is_known()) return std::nullopt;
    numbers.push_back(number.value());
  }
  return numbers;
}

Rewritten Site::replace(std::string_view op, std::vector<Value> inputs, Attrs attrs) {
  return Rewrite{{}, &Registry::global().get(op), std::move(inputs), std::move(attrs)};
}

Rewritten Site::replace_inputs(std::vector<Value> inputs) const {
  return Rewrite{{}, node.op, std::move(inputs), node.attrs};
}

Rewritten Site::broadcast(Value value) const {
  if (graph().type(value) == type()) return forward(value);
  if (!type().shape.is_known() || graph().type(value).dtype != type().dtype) return std::nullopt;
  return replace("Expand", {value, constant(Array::ints(type().shape.sizes()))});
}

Rewritten Site::reshape(Value value) const {
  if (graph().type(value) == type()) return forward(value);
  if (!type().shape.is_known()) return std::nullopt;
  const Sizes sizes = type().shape.sizes();
  Attrs attrs;
  if (has_zero(sizes)) attrs.set("allowzero", true);
  return replace("Reshape", {value, constant(Array::ints(sizes))}, std::move(attrs));
}

Value Site::make(const OpCard& op, std::vector<Value> inputs, Attrs attrs) const {
  made_.push_back(rewriter_.add(node, op, std::move(inputs), std::move(attrs)));
  return {made_.back(), 0};
}

}  // namespace asg::passes
