#pragma once

#include <memory>

#include "backend/cpu/library/matmul.h"

namespace asg::cpu {

// Whether the processor multiplies bf16 by instructions of its own, and the build has oneDNN, which uses them.
bool has_bf16();

// A product of f32 whose operands are rounded to bf16 first; sums are kept in f32. Null where it cannot be computed so.
std::unique_ptr<const ProductPlan> onednn_bf16_product(const MatmulSpec& spec, const MatmulSplit& split);

}  // namespace asg::cpu
