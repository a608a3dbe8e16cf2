#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "asg/core/source_location.h"
#include "asg/core/type.h"
#include "asg/graph/attributes.h"
#include "asg/graph/ids.h"

namespace asg {

class Graph;

// A handle to a value of a graph under construction. Cheap to copy; the graph must outlive it and stay where it is.
// Operations on handles add nodes to the graph; types are inferred and checked at once.
class Tensor {
 public:
  Tensor() = default;  // no value: an absent optional input
  Tensor(Graph& graph, Value value) : graph_(&graph), value_(value) {}

  bool valid() const { return graph_ != nullptr && static_cast<bool>(value_); }
  Graph& graph() const;  // throws missing_input when not valid
  Value value() const { return value_; }
  NodeId node() const { return value_.node; }

  const TensorType& type() const;
  const Shape& shape() const { return type().shape; }
  DType dtype() const { return type().dtype; }
  int rank() const { return type().shape.rank(); }

  // The same node under a name that people and edits can use. Throws duplicate_name.
  Tensor named(std::string name) const;

 private:
  Graph* graph_ = nullptr;
  Value value_;
};

// An operand of + - * / …: remembers the line of the expression, and lets numbers stand beside tensors.
struct Operand {
  Operand(const Tensor& operand, SourceLocation place = SourceLocation::current())  // NOLINT: implicit by design
      : tensor(operand), where(place) {}
  Operand(double operand, SourceLocation place = SourceLocation::current())  // NOLINT
      : number(operand), where(place) {}

  Tensor tensor;  // not valid when it is a number
  double number = 0;
  SourceLocation where;
};

// Operators by op name; they need no header of the op family. A number takes the dtype of the tensor beside it.
Tensor operator+(const Operand& a, const Operand& b);
Tensor operator-(const Operand& a, const Operand& b);
Tensor operator*(const Operand& a, const Operand& b);
Tensor operator/(const Operand& a, const Operand& b);
Tensor operator<(const Operand& a, const Operand& b);
Tensor operator>(const Operand& a, const Operand& b);
Tensor operator<=(const Operand& a, const Operand& b);
Tensor operator>=(const Operand& a, const Operand& b);
Tensor operator-(const Operand& a);

// An integer operand such as a shape or a list of axes: a tensor, or numbers written in place (`reshape(x, {2, -1})`).
// `{}` means absent.
struct Ints {
  Ints() = default;
  Ints(const Tensor& operand) : tensor(operand), given(operand.valid()) {}            // NOLINT: implicit by design
  Ints(std::initializer_list<std::int64_t> numbers) : list(numbers), given(true) {}   // NOLINT
  Ints(std::vector<std::int64_t> numbers) : list(std::move(numbers)), given(true) {}  // NOLINT

  // As a tensor of `graph`: the operand itself, a constant of the numbers, or no tensor when absent.
  Tensor in(Graph& graph, SourceLocation where = SourceLocation::current()) const;

  Tensor tensor;
  std::vector<std::int64_t> list;
  bool given = false;
};

// Adds a node by op name. All inputs must belong to one graph; at least one must be valid.
// For ops without inputs use Graph::add.
Tensor add_op(std::string_view op, const std::vector<Tensor>& inputs, Attrs attrs = {},
              SourceLocation where = SourceLocation::current());
std::vector<Tensor> add_op_outputs(std::string_view op, const std::vector<Tensor>& inputs, Attrs attrs = {},
                                   SourceLocation where = SourceLocation::current());

}  // namespace asg
