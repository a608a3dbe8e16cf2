#pragma once

#include <string>
#include <string_view>

#include "asg/compile/pass.h"

namespace asg::test {

// One pass alone, checked.
PassResult run_pass(std::string_view name, const Graph& graph);
// The same, then without what nothing needs.
Graph passed_by(std::string_view name, const Graph& graph);

// Its nodes and outputs, a line each, without inputs and types: "%3 = Mul(%1, %2)".
std::string outline(const Graph& graph);

}  // namespace asg::test
