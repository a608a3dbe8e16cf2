#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "asg/compile/executable.h"

namespace asg::app {

// Values for all inputs of a model, as the command line describes them: "x=file.npy", "x=random", "x=random:N" for
// integers below N, "random" for all that are not named. `lengths` are completed: by the files, else by 1. Random
// floats are normal, random integers without a limit 0 or 1. Throws bad_command, missing_value and what reading throws.
NamedArrays make_inputs(const Graph& model, const std::vector<std::string>& given, SymbolLengthsByName& lengths,
                        std::uint64_t seed);

}  // namespace asg::app
