#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "asg/compile/gpu_plan.h"

namespace asg {

// A function of a rendered kernel, and how it is to be launched.
struct CudaLaunch {
  std::string function;
  std::int64_t grid = 1;          // blocks
  int block = 1;                  // threads of each
  std::int64_t shared_bytes = 0;  // dynamic shared memory of each

  friend bool operator==(const CudaLaunch&, const CudaLaunch&) = default;
};

struct CudaKernel {
  std::string text;
  std::vector<CudaLaunch> launches;  // one after the other
  std::int64_t workspace_bytes = 0;
};

// CUDA C++ source of the plan of a kernel: a whole translation unit for NVRTC or nvcc that includes nothing, with
//   extern "C" __global__ void <name>(<pointers in the order of the arguments>, unsigned char* workspace,
//                                     unsigned int* failed)
// for the first phase, <name>_1 for the next, … . They set *failed to 1 where the reference throws computation_error.
// Arrays begin at multiples of 16 bytes, the workspace at one of 256. Needs no CUDA to be rendered.
//
// The same inputs always give the same bits. Multiplication and addition are never contracted; do not compile with
// --use_fast_math.
CudaKernel render_cuda(const GpuPlan& plan, std::string_view name);

}  // namespace asg
