#pragma once

#include "asg/compile/program.h"

namespace asg {

// Whether the step may write `output` into the memory of `input`: its kernel reads every element of the input right
// where it writes the output, and nothing else of the step reads it. The input may be the result of the call whose
// epilogue the kernel is.
bool may_write_over(const Step& step, int input, int output);

// Lets temporaries take over the memory of others that die in the step which writes them.
//   expects:    the last order of the steps
//   guarantees: a buffer that shares is written while the other is read for the last time, element by element
//   example:    h = a + b (last use of a), y = exp(h) → h lies where a lay, and y there too
void share_memory(Program& program);

}  // namespace asg
