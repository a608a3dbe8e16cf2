#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "asg/compile/kernel.h"

namespace asg {

// A rule that a description breaks, and the part of it that breaks the rule.
struct KernelBreach {
  enum class Part { space, argument, instruction, store };
  Part part = Part::space;
  std::size_t number = 0;  // of the argument, instruction or store
  std::string rule;        // what is needed: "an operand that comes before it"
};

// The first one, in the order space, arguments, instructions, stores; nothing of a sound kernel.
std::optional<KernelBreach> find_breach(const Kernel& kernel);

}  // namespace asg
