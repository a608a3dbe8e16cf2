#pragma once

#include <functional>
#include <map>
#include <string>

#include "asg/core/array.h"

namespace asg {

// Arrays by the names of inputs, outputs or fields.
using NamedArrays = std::map<std::string, Array, std::less<>>;

}  // namespace asg
