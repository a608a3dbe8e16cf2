#pragma once

#include "asg/compile/program.h"

namespace asg {

// Puts the steps into an order that needs little memory at once: among those that can run, the one after which least is
// alive. Kept only where its peak is below that of the given order, which follows the graph and so keeps what belongs
// together close in time. A program whose updates always commit stays as it is: they change variables in place only
// where they come last.
//   expects:    steps in an order in which they can run; each buffer is written by one step; no variable is written yet
//   guarantees: steps in an order in which they can run, those that commit last; the same program gives the same order
//   example:    a = big(x), b = big(y), s = sum(a), t = sum(b) → a, s, b, t: one big buffer alive instead of two
void schedule(Program& program);

}  // namespace asg
