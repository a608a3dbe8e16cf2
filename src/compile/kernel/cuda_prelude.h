#pragma once

#include <string>
#include <string_view>

namespace asg::cuda {

// The headers and device functions that a body of CUDA C++ calls, functions before their users; "" of none.
std::string prelude_for(std::string_view body);

}  // namespace asg::cuda
