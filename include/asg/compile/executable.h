#pragma once

#include <map>
#include <memory>
#include <string>

#include "asg/compile/specialise.h"
#include "asg/core/array.h"
#include "asg/graph/graph.h"

namespace asg {

struct Explanation;
struct Profile;

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

  // ---- What it can say of itself (asg/compile/explain.h, profile.h); null from devices that run graphs as they are.
  // How inputs of these sizes are computed; compiled now where they are new. Inputs without symbols may be left out.
  // Needs no values. Throws what `symbol_lengths` throws.
  virtual std::shared_ptr<const Explanation> explain(const SizesByName& /*input_sizes*/) { return nullptr; }
  // Whether each step of the runs that follow is timed. Switching it on begins a new profile.
  virtual void set_profiling(bool /*on*/) {}
  // What has been measured, for the sizes that ran last.
  virtual std::shared_ptr<const Profile> profile() const { return nullptr; }
};

}  // namespace asg
