#pragma once

#include <memory>
#include <string>

#include "asg/compile/capabilities.h"
#include "asg/compile/executable.h"
#include "asg/compile/pass.h"
#include "asg/graph/contexts.h"

namespace asg {

struct CompileOptions {
  Mode mode = Mode::train;  // for graphs that still hold layers
  PassOptions passes = {};  // for devices that want passes, see Capabilities
  // Whether products of f32 may round their operands to bf16, with sums in f32, where the device is faster so: half the
  // bits for twice the speed. Without such a device it changes nothing.
  bool bf16 = false;
};

// A device as the compiler sees it. Backends implement it, so the compiler never knows a backend.
class Target {
 public:
  virtual ~Target() = default;
  virtual std::string name() const = 0;
  virtual Capabilities capabilities() const = 0;
  // An executable of a graph that `compile` has fitted to the capabilities.
  virtual std::unique_ptr<Executable> make_executable(Graph graph) const = 0;
};

// Makes a graph ready to run on a device: layers are expanded, ops that the device lacks are lowered, the graph passes
// run where it wants them, regions that it claims are collapsed into carriers. Throws not_implemented where an op
// cannot be run there, bad_command where a pass that does not exist is to be switched off.
std::unique_ptr<Executable> compile(const Graph& graph, const Target& target, const CompileOptions& options = {});

}  // namespace asg
