#pragma once

#include "asg/compile/program.h"

namespace asg {

// Whether the step may write `output` into the memory of `input`: its kernel reads every element of the input right
// where it writes the output, and nothing else of the step reads it. The input may be the result of the call whose
// epilogue the kernel is.
bool may_write_over(const Step& step, int input, int output);

}  // namespace asg
