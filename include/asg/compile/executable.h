#pragma once

#include <map>
#include <string>

#include "asg/core/array.h"
#include "asg/graph/graph.h"

namespace asg {

using NamedArrays = std::map<std::string, Array, std::less<>>;

// A step that ran.
struct StepResult {
  NamedArrays outputs;
  bool committed = true;  // false: the output "all_finite" was false, so no variable changed
};

// The name of the boolean output that decides whether updates are committed.
inline constexpr std::string_view kAllFinite = "all_finite";

// A graph made ready to run again and again on one device. It holds the variables in place; a run reads their old
// values and commits all updates together at its end.
class Executable {
 public:
  virtual ~Executable() = default;

  virtual const Graph& graph() const = 0;
  virtual void write(VarId variable, const Array& value) = 0;  // throws unknown_variable, type_mismatch, bad_shape
  virtual Array read(VarId variable) const = 0;                // throws unknown_variable, missing_value
  // Throws missing_value when an input or a variable has no value.
  virtual StepResult run(const NamedArrays& inputs) = 0;
};

}  // namespace asg
