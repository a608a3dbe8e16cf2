#pragma once

#include <vector>

#include "asg/compile/program.h"

namespace asg {

// What a variable holds after a step: all of a buffer, dense.
struct NewValue {
  VarId variable;
  int buffer = -1;
  Sizes sizes = {};
};

// Lets a program change its variables: where nobody needs the old value any more, the step that computes the new one
// writes it over the old one, a fused kernel or a call of which the device says that it can; else it is copied there at
// the end.
//   expects:    the last order of the steps; no variable is written yet
//   guarantees: all reads see the old values. With a flag all_finite what changes variables commits.
//   example:    w ← w − 0.1 · g → the kernel of the difference writes into w
//               cache ← ScatterND(cache, place, row) → the call writes the row, and others read the cache after it
void commit_updates(Program& program, const std::vector<NewValue>& values, const CallRules& device, bool in_place);

// A buffer that gets the value of a variable before anything changes it.
int add_snapshot(Program& program, const Sizes& sizes, int variable);

}  // namespace asg
