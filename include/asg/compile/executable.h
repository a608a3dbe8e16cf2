#pragma once

#include <map>
#include <memory>
#include <span>
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
  // The same without a copy where the device can. Nobody may change it, and it stays as it is whatever becomes of the
  // variable: one that changes gets other memory first.
  virtual Array lend(VarId variable) { return read(variable); }
  // Throws missing_value when an input or a variable has no value.
  virtual StepResult run(const NamedArrays& inputs) = 0;

  // The same by position: inputs and outputs in the order of graph().inputs() and graph().outputs(), none left out. An
  // array among `outputs` that is dense, of the type and sizes of its result, and apart from inputs and other outputs
  // is written over, whoever else holds it; any other is replaced by a new one. So a caller that keeps its arrays runs
  // without allocating, where the device can. Returns whether updates were committed. Throws wrong_input_count too;
  // then outputs may be partly written.
  virtual bool run_into(std::span<const Array> inputs, std::span<Array> outputs);

  // Makes ready for runs on inputs of these sizes, without running: what can refuse them has done so when this returns.
  // Inputs without symbols may be left out. Needs no values. Throws what `symbol_lengths` and `specialise` throw,
  // out_of_memory where a run would take more than the machine has.
  virtual void prepare(const SizesByName& input_sizes);

  // From now on this executable holds no variables of its own but uses those of `other`, by id, and sees what it
  // writes. False, and nothing has changed, where the two cannot share: other devices, or other types.
  virtual bool share_variables(Executable& /*other*/) { return false; }
  // Gives a variable the value of one of `other`, without copying it: the two are one from then on, so only one of the
  // executables may run again. False, and nothing has changed, where that cannot be.
  virtual bool take_variable(VarId /*variable*/, Executable& /*other*/, VarId /*its_variable*/) { return false; }

  // ---- What it can say of itself (asg/compile/explain.h, profile.h); null from devices that run graphs as they are.
  // How inputs of these sizes are computed; compiled now where they are new. Inputs without symbols may be left out.
  // Needs no values. Throws what `symbol_lengths` throws.
  virtual std::shared_ptr<const Explanation> explain(const SizesByName& /*input_sizes*/) { return nullptr; }
  // Whether each step of the runs that follow is timed. Switching it on begins a new profile.
  virtual void set_profiling(bool /*on*/) {}
  // What has been measured, for the sizes that ran last.
  virtual std::shared_ptr<const Profile> profile() const { return nullptr; }

 protected:
  // Throws wrong_input_count unless there are as many as the graph has.
  void check_counts(std::span<const Array> inputs, std::span<Array> outputs) const;
};

}  // namespace asg
