#pragma once

#include "backend/cpu/prepared.h"

namespace asg::cpu {

// Ops that bring elements to other places: Concat, Pad with a constant, SliceGrad.
bool is_moving_op(const OpCard& op);

// Whether input number `input` of such an op is taken with any strides.
bool moving_takes_strides(const Node& node, std::size_t input);

// The step of such an op; null where it is not one of them, or has types or a mode that only its reference kernel
// knows.
std::unique_ptr<PreparedStep> prepare_moving(const Step& step, const Program& program);

}  // namespace asg::cpu
