#pragma once

#include <cstdint>
#include <string>

#include "asg/compile/explain.h"
#include "asg/compile/specialise.h"

namespace asg::app {

// The index space of a step's kernel, "[rows 12 | row 64]", or the sizes of what a call reads, "8×64 8×64".
std::string space_text(const Step& step);

// What the first of two kernels writes and the second reads.
std::int64_t bytes_between(const Program& program, const UnfusedPair& pair);

// Everything that `asg explain` prints, and the lifetimes.
std::string explanation_json(const Explanation& explanation, const SymbolLengthsByName& lengths);

}  // namespace asg::app
