#pragma once

#include <cstdint>
#include <string_view>

namespace asg::train {

// The cyclic redundancy check by Castagnoli's polynomial, reflected (RFC 3720).
std::uint32_t crc32c(std::string_view bytes);

}  // namespace asg::train
