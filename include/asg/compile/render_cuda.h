#pragma once

#include <string>
#include <string_view>

#include "asg/compile/kernel.h"

namespace asg {

// How a rendered kernel is to be launched; a function of the description alone.
struct CudaLaunch {
  unsigned grid = 1;   // blocks
  unsigned block = 1;  // threads of each

  friend bool operator==(const CudaLaunch&, const CudaLaunch&) = default;
};
CudaLaunch cuda_launch(const Kernel& kernel);

// CUDA C++ source of the kernel: a whole translation unit for nvcc with
//   extern "C" __global__ void <name>(<pointers in the order of the arguments>, unsigned int* failed)
// which sets *failed to 1 where the reference throws computation_error, and with the device functions that it needs.
// Needs no CUDA to be rendered.
//
// Without reductions and sums a thread computes a point. Along rows a block computes a row: each reduction is one pass
// over it and a tree in shared memory; values of elements are computed again in each pass. Sums over the leading axes
// are made by a thread for each column, in the order of the rows; together with reductions, by one block that takes one
// row after the other. So the same inputs always give the same bits. Multiplication and addition are never contracted;
// do not compile with --use_fast_math.
std::string render_cuda(const Kernel& kernel, std::string_view name);

}  // namespace asg
