#pragma once

#include <cstdint>
#include <string_view>

#include "asg/core/array.h"

namespace asg::bench {

// Numbers that depend on a name and on their place alone, and that tools/bench/numbers.py makes too, bit by bit: so all
// contenders begin with the same weights and see the same batch.
Array uniform(std::string_view name, Sizes sizes, float limit);        // f32 in [-limit, limit)
Array whole(std::string_view name, Sizes sizes, std::uint32_t below);  // i64 in [0, below)

}  // namespace asg::bench
