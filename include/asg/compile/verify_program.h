#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "asg/compile/program.h"

namespace asg {

// A rule of programs that one breaks.
enum class ProgramRule : std::uint8_t {
  bounds,         // views and kernel arguments stay inside their buffers and have their dtype
  kernel,         // kernels keep their own rules (check_kernel), and their arguments are the views of the step
  operands,       // a call gets the operands that its node has, dense or with strides that the device takes
  epilogue,       // a kernel that ends a call visits the call's result element by element, and the device takes it
  defined,        // what is read has been written
  current,        // what is read has not been overwritten since
  overwrite,      // a step does not store over what it still reads, nor two values into one place
  single_writer,  // a value is computed once
  complete,       // a value is written whole
  commit,         // steps that commit come last, write variables that are updated, and nothing else depends on them
  final_values,   // at the end each variable holds its new value, or the old one without an update, and results theirs
  memory          // buffers that share memory fit into it; temporaries have aligned places inside the arena
};
std::string_view name_of(ProgramRule rule);

struct ProgramProblem {
  ProgramRule rule = ProgramRule::bounds;
  std::string words;  // with numbers of steps, buffers and values
};

// Follows every value through the memory of the program, step by step, in the order of accesses that devices promise,
// and checks the rules above. Shared memory counts as soon as a pass lets buffers share it, places in the arena once
// they are planned (`arena_bytes`, -1 before).
//   expects:    a program of make_program, or one that a pass has changed
//   guarantees: a program without problems reads only what its graph computes, wherever passes have put it
std::vector<ProgramProblem> problems_of(const Program& program, const CallRules& device = {},
                                        std::int64_t arena_bytes = -1);

// Throws InternalError with the first problem, naming the pass.
void verify_program(std::string_view pass, const Program& program, const CallRules& device = {},
                    std::int64_t arena_bytes = -1);

}  // namespace asg
