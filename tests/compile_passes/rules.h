#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "asg/graph/graph.h"

// Rows of the table test of `simplify`.
namespace asg::test {

// A graph with the input %1 = x: f32[2, 3] and the output y that `build` makes, before and after the pass alone.
struct RuleRow {
  std::string name;  // of the rule, and what is special
  Tensor (*build)(Graph& graph, const Tensor& x);
  std::string before;
  std::string after;

  friend std::ostream& operator<<(std::ostream& out, const RuleRow& row) { return out << row.name; }
};

std::vector<RuleRow> arithmetic_rows();
std::vector<RuleRow> shape_rows();
std::vector<RuleRow> broadcast_rows();

inline Tensor number(Graph& graph, double value) { return graph.scalar(DType::f32, value); }
inline Tensor op(std::string_view name, const std::vector<Tensor>& inputs, Attrs attrs = {}) {
  return add_op(name, inputs, std::move(attrs));
}
inline Tensor ints(Graph& graph, const std::vector<std::int64_t>& numbers) {
  return graph.constant(Array::ints(numbers));
}
// The number in all places of x.
inline Tensor spread(Graph& graph, double value) { return op("Expand", {number(graph, value), ints(graph, {2, 3})}); }

}  // namespace asg::test
