#pragma once

#include <vector>

#include "asg/compile/program.h"

namespace asg {

// What steps read and write, and in which order: the one description that the passes over programs, the memory plan and
// the verifier share. The order is a promise of every device:
//
//   1. The op of a call reads its operands and writes its results in any order. A copy counts as such an op.
//   2. A kernel visits its points in any order, in parallel. At each point it loads all inputs of that point and adds
//   to
//      the sums over leading axes before it stores anything there. A kernel with reductions treats a row as one point
//      where inputs and stores that are the same along the row are concerned.
//   3. Sums over leading axes are stored after the last point.
//
// An epilogue visits a point only after the call has finished that element of its result; the call may still read its
// operands then, for other elements.
enum class AccessOrder : std::uint8_t {
  point,    // each element once, at its point
  anytime,  // until the last point is done: lookups and broadcasts, and all that the op of a call does
  last      // after the last point
};

// The order in which a kernel reads or writes the array behind an argument.
AccessOrder access_order(const Kernel& kernel, std::size_t argument);

// Whether the kernel has read each element of input `read` for the last time when it stores the element of output
// `written` at the same place.
bool may_overwrite(const Kernel& kernel, std::size_t read, std::size_t written);

// One view of a step, and who uses it how.
struct Access {
  const View* view = nullptr;
  bool writes = false;
  int argument = -1;  // of the step's kernel; -1: the op of a call, or a copy
};

// All accesses in the order above: what the op reads, what it writes, what the kernel reads, what it writes. The result
// of a call with an epilogue is written by the op and read by the kernel. An argument of the kernel that none of the
// step's views belongs to has no view.
std::vector<Access> accesses_of(const Step& step);

// Whether the step may write `output` into the memory of `input`: every access to the input at an element comes before
// the output is written there. The input may be the result of the call whose epilogue the kernel is.
bool may_write_over(const Step& step, int input, int output);

// Calls visit(view, writes) for each view that is there.
template <class Visit>
void for_each_view(const Step& step, Visit visit) {
  for (const View& view : step.inputs) {
    if (view) visit(view, false);
  }
  for (const View& view : step.outputs) {
    if (view) visit(view, true);
  }
}

}  // namespace asg
