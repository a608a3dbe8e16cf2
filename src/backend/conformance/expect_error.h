#pragma once

#include <functional>
#include <string>
#include <vector>

#include "backend/conformance/suite.h"

namespace asg::conformance {

// One mistake and what must be said of it.
struct Mistake {
  std::string name;
  std::string surface;
  std::vector<ErrorCode> codes;  // any of them
  bool names_node = true;        // by its path
  std::function<void(Backend&)> make;
};

// Tries them one after the other. A UserError with one of the codes, which says what is needed or how to mend it,
// passes.
void check_mistakes(Checks& checks, const std::string& group, const std::vector<Mistake>& mistakes);

// A graph of one node that no builder would make: `op` on inputs x0, x1 … of f32[2, 2], with the declared number of
// outputs. Absent inputs are those that `present` says are not there.
struct OddGraph {
  std::string op = "Add";
  std::vector<bool> present = {true, true};
  Attrs attrs = {};
  std::size_t outputs = 1;

  Graph make() const;
};
// Executes it with values for all its inputs.
void execute_odd(Backend& backend, const OddGraph& odd);

}  // namespace asg::conformance
