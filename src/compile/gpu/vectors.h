#pragma once

#include <cstdint>
#include <vector>

#include "asg/compile/gpu_plan.h"

// How wide the vectors of a kernel can be, and which arguments are dense along them.
namespace asg::gpu {

struct Vectors {
  int width = 1;
  bool shifted = false;
  std::vector<GpuPlan::Access> access;
};

// Vectors along the axes from `first` on, whose points are numbered together. `may_shift`: where rows do not begin at
// multiples of the width, vectors may begin before them.
Vectors vectors_along(const Kernel& kernel, std::size_t first, bool may_shift, const GpuLimits& limits);

// Whether the last vector may be incomplete (or the first, of shifted ones).
bool is_ragged(const GpuPlan& plan);

// The first axis of those along which the vectors of a plan lie.
std::size_t first_vector_axis(const GpuPlan& plan);

// An argument whose rows begin where all shifted vectors begin.
int shifted_argument(const GpuPlan& plan);

}  // namespace asg::gpu
