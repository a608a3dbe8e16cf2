#pragma once

#include "asg/compile/program.h"

namespace asg {

// Lets temporaries take over the memory of others that die in the step which writes them.
//   expects:    the last order of the steps
//   guarantees: a buffer that shares is written while the other is read for the last time, element by element
//   example:    h = a + b (last use of a), y = exp(h) → h lies where a lay, and y there too
void share_memory(Program& program);

}  // namespace asg
