#pragma once

#include "asg/compile/program.h"

namespace asg {

// Lets calls end with the kernel that reads their result first, which then works on each part of the result while that
// is still in the cache.
//   expects:    steps in an order in which they can run; no variable is written yet
//   guarantees: the same values. An epilogue walks the first output of its call in the order in which that lies in
//               memory, and stands where the kernel stood; the device has agreed to it.
//   example:    c = MatMul(a, b) and y = relu(c + bias) → MatMul with the epilogue y, one step
void join_epilogues(Program& program, const CallRules& device);

}  // namespace asg
