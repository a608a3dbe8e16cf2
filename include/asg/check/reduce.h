#pragma once

#include <functional>
#include <string>

#include "asg/check/compiler_check.h"
#include "asg/check/random_graph.h"

namespace asg {

// Whether a case still shows the fault that is being hunted.
using StillFails = std::function<bool(const GraphCase&)>;

// The fault that check_case finds in this case: candidates must fail in the same way, by an error that is thrown or by
// numbers that differ.
StillFails fails_like(const GraphCase& made);

// Shrinks a failing case while it keeps failing, by delta debugging: a single node, then parts of the graph cut off or
// replaced by constants, nodes left out, axes shortened, numbers rounded. A candidate that is no valid graph is passed
// over. Deterministic; ends when no single step makes the case smaller.
GraphCase reduce_case(GraphCase failing, const StillFails& still_fails);

// The same for a program that is run as it is, whatever its outputs and updates are: those go as well that the fault
// does not need.
GraphCase reduce_program(GraphCase failing, const StillFails& still_fails);

// The case as a GoogleTest in C++, with ordinary builders, to be copied into a test file.
std::string case_as_test(const GraphCase& made, const std::string& suite, const std::string& name);
// The same for a program, which is checked in this way.
std::string program_as_test(const GraphCase& made, const CompileWay& way, const std::string& suite,
                            const std::string& name);

}  // namespace asg
