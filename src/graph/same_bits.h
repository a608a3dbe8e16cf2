#pragma once

#include <bit>
#include <cstdint>

namespace asg {

// NaN equals itself and -0.0 is not 0.0: what was saved and read back is equal, and nothing else.
inline bool same_bits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

}  // namespace asg
