#pragma once

#include "backend/cpu/prepared.h"

namespace asg::cpu {

// MaxPool, AveragePool and their gradients as whole calls.
bool is_pool_op(const OpCard& op);

// The step of such an op; null of other ops, of types other than f32 and f64, and where there is nothing to compute.
std::unique_ptr<PreparedStep> prepare_pool(const Step& step, const Program& program);

}  // namespace asg::cpu
