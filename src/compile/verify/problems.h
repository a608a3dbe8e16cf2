#pragma once

#include <string>
#include <utility>
#include <vector>

#include "asg/compile/verify_program.h"

namespace asg::verify {

// Collects what is wrong with a program; each part of the verifier adds to it.
class Problems {
 public:
  void add(ProgramRule rule, std::string words) { all_.push_back({rule, std::move(words)}); }
  bool none() const { return all_.empty(); }
  std::vector<ProgramProblem> take() { return std::move(all_); }

 private:
  std::vector<ProgramProblem> all_;
};

// "step 3 (MatMul)", "step 4 (fused)", "step 5 (copy)".
std::string name_of_step(const Program& program, std::size_t step);
// "buffer 7" with its name where it has one.
std::string name_of_buffer(const Program& program, int buffer);

// What can be seen of each step alone: bounds, kernel, operands, epilogue, complete.
void check_steps(const Program& program, const CallRules& device, Problems& problems);

// Shares and the arena.
void check_memory(const Program& program, std::int64_t arena_bytes, Problems& problems);

// The values in memory from the first step to the last: defined, current, overwrite, single_writer, commit,
// final_values. Expects steps and memory without problems.
void check_flow(const Program& program, const CallRules& device, bool is_planned, Problems& problems);

}  // namespace asg::verify
