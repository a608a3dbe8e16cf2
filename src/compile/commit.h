#pragma once

#include "asg/compile/program.h"

namespace asg {

// Lets a program change its variables: where nobody needs the old value any more, the step that computes the new one
// writes it over the old one, a fused kernel or a call of which the device says that it can; else it is copied there at
// the end.
//   expects:    the last order of the steps; no variable is written yet
//   guarantees: all reads see the old values. With a flag all_finite what changes variables commits.
//   example:    w ← w − 0.1 · g → the kernel of the difference writes into w
//               cache ← ScatterND(cache, place, row) → the call writes the row, and others read the cache after it
void commit_updates(Program& program, const CallRules& device, bool in_place);

// A buffer that gets all of a variable before anything changes it.
int add_snapshot(Program& program, int variable);

}  // namespace asg
