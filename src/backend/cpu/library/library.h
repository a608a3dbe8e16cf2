#pragma once

namespace asg::cpu {

// Who computes products, convolutions and pools: code of this library, which is always there, or oneDNN, where the
// build has it (ASG_ONEDNN).
enum class Library { builtin, onednn };

bool has_onednn();
// oneDNN where the build has it.
Library default_library();

}  // namespace asg::cpu
