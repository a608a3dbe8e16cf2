#pragma once

#include "backend/cpu/library/gemm.h"

namespace asg::cpu {

// `gemm` by oneDNN, in the calling thread alone. One step of a, and the columns' step of b, must be 1. An internal
// error in a build without oneDNN.
void onednn_gemm(const GemmSizes& sizes, const MatrixView<float>& a, const MatrixView<float>& b, float* c,
                 std::int64_t c_step, bool accumulate);

}  // namespace asg::cpu
