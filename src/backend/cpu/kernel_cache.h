#pragma once

#include <cstdint>
#include <memory>

#include "backend/cpu/tile_plan.h"

namespace asg::cpu {

// A kernel and how it is computed.
struct PreparedKernel {
  explicit PreparedKernel(const Kernel& given);  // one that tiles support

  Kernel kernel;  // with merged axes
  TilePlan plan;
};

// What is prepared of a kernel, made once for all kernels of the same structure: those of
// repeated blocks, and those of a model before and after an edit. From any thread.
std::shared_ptr<const PreparedKernel> prepared_kernel(const Kernel& kernel);

// How many were made since the program began.
std::int64_t kernels_prepared();

}  // namespace asg::cpu
