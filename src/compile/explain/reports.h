#pragma once

#include "asg/compile/bounded.h"
#include "asg/compile/lower.h"
#include "asg/compile/pass.h"
#include "asg/compile/specialise.h"

namespace asg {

// What stands before the passes, told in their form.
PassReport report_of_lowering(const Graph& before, const Lowered& lowered, double seconds);
PassReport report_of_specialising(const Graph& graph, const SymbolLengthsByName& lengths, double seconds);
PassReport report_of_bounds(const Graph& graph, const std::variant<BoundedGraph, NotBounded>& held, double seconds);

}  // namespace asg
