#pragma once

#include <cstdint>

namespace asg::cpu {

// Who computes products, convolutions and pools: code of this library, which is always there, or oneDNN, where the
// build has it (ASG_ONEDNN).
enum class Library { builtin, onednn };

bool has_onednn();
// How many convolutions and products were prepared by oneDNN since the program began. Those of the same sizes are
// prepared once, for all programs.
std::int64_t onednn_primitives_made();
// oneDNN where the build has it.
Library default_library();

}  // namespace asg::cpu
