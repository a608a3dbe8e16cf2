#pragma once

#include "asg/compile/program.h"

namespace asg {

// Whether the step may write `output` into the memory of `input`: it is one kernel without reductions, which reads
// every element of the input right where it writes the output.
bool may_write_over(const Step& step, int input, int output);

}  // namespace asg
