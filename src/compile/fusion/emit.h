#pragma once

#include "asg/compile/kernel.h"
#include "compile/fusion/units.h"

namespace asg::fusion {

struct Emitted {
  Kernel kernel;
  std::vector<Value> arguments;  // the root value that each argument of the kernel reads or writes
};

// The kernel of a fused unit. `stored` are the values that lie in memory; those of `recomputed` do not, and whoever
// reads one computes it again.
Emitted emit_kernel(const Graph& graph, const Layouts& layouts, const Units& units, int unit, const ValueSet& stored,
                    const ValueSet& recomputed);

}  // namespace asg::fusion
