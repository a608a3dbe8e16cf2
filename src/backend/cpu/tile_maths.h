#pragma once

#include <cstddef>

#include "asg/graph/scalar_op.h"

namespace asg::cpu {

// Whether the op is one of exp, log, tanh, erf, sigmoid, sin, cos, atan: a loop of its own.
bool is_elementary(ScalarOp op);

// to[k] = op(from[k]). `to` may be `from`.
void apply_elementary(ScalarOp op, const float* from, float* to, std::size_t count);
void apply_elementary(ScalarOp op, const double* from, double* to, std::size_t count);

// to[k] = base[k * base_step] ^ exponent[k * exponent_step]; a step is 0 or 1. `to` may be either.
void apply_pow(const float* base, std::size_t base_step, const float* exponent, std::size_t exponent_step, float* to,
               std::size_t count);
void apply_pow(const double* base, std::size_t base_step, const double* exponent, std::size_t exponent_step, double* to,
               std::size_t count);

}  // namespace asg::cpu
