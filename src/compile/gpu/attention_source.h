#pragma once

#include <string_view>

// CUDA C++ of attention, behind definitions of the macros that it names.
namespace asg::gpu {

extern const std::string_view kAttentionTools;
extern const std::string_view kAttentionForward;
extern const std::string_view kAttentionBackward;

}  // namespace asg::gpu
