#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace asg {

// A number with its thousands apart: "11,689,512".
std::string grouped(std::int64_t number, std::string_view separator = ",");

}  // namespace asg
