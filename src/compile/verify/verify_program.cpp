#include "asg/compile/verify_program.h"

#include "asg/graph/card.h"
#include "compile/verify/problems.h"

namespace asg {

std::string_view name_of(ProgramRule rule) {
  switch (rule) {
    case ProgramRule::bounds:
      return "bounds";
    case ProgramRule::kernel:
      return "kernel";
    case ProgramRule::operands:
      return "operands";
    case ProgramRule::epilogue:
      return "epilogue";
    case ProgramRule::defined:
      return "defined";
    case ProgramRule::current:
      return "current";
    case ProgramRule::overwrite:
      return "overwrite";
    case ProgramRule::single_writer:
      return "single_writer";
    case ProgramRule::complete:
      return "complete";
    case ProgramRule::commit:
      return "commit";
    case ProgramRule::final_values:
      return "final_values";
    case ProgramRule::memory:
      break;
  }
  return "memory";
}

namespace verify {

std::string name_of_step(const Program& program, std::size_t step) {
  const Step& named = program.steps[step];
  std::string kind = "copy";
  if (named.kind == Step::Kind::fused) kind = "fused";
  if (named.kind == Step::Kind::call) kind = named.node != nullptr ? named.node->op->name : "call";
  return "step " + std::to_string(step) + " (" + kind + ")";
}

std::string name_of_buffer(const Program& program, int buffer) {
  std::string text = "buffer " + std::to_string(buffer);
  if (buffer < 0 || static_cast<std::size_t>(buffer) >= program.buffers.size()) return text;
  const std::string& name = program.buffers[static_cast<std::size_t>(buffer)].name;
  return name.empty() ? text : text + " '" + name + "'";
}

}  // namespace verify

std::vector<ProgramProblem> problems_of(const Program& program, const CallRules& device, std::int64_t arena_bytes) {
  verify::Problems problems;
  verify::check_steps(program, device, problems);
  verify::check_memory(program, arena_bytes, problems);
  // Values can only be followed through steps that make sense.
  if (problems.none()) verify::check_flow(program, device, arena_bytes >= 0, problems);
  return problems.take();
}

void verify_program(std::string_view pass, const Program& program, const CallRules& device, std::int64_t arena_bytes) {
  const std::vector<ProgramProblem> problems = problems_of(program, device, arena_bytes);
  if (problems.empty()) return;
  fail_internal("after the pass '" + std::string(pass) + "' the program breaks the rule '" +
                std::string(name_of(problems.front().rule)) + "': " + problems.front().words);
}

}  // namespace asg
