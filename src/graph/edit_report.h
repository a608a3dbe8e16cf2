#pragma once

#include "asg/graph/edit.h"

namespace asg {

// What differs between two versions of a graph. No problems are looked for.
EditReport report_between(const Graph& before, const Graph& after);

}  // namespace asg
