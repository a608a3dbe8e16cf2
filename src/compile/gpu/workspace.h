#pragma once

#include <cstdint>
#include <vector>

#include "asg/compile/gpu_plan.h"

// What phases leave for later phases: partial sums of stores, and partial reductions of divided rows.
namespace asg::gpu {

// Partial numbers in the workspace: `parts` rows of `length` elements.
struct Partial {
  int number = -1;  // of the store, or of the reduction
  std::int64_t offset = 0;
  std::int64_t parts = 1;
  std::int64_t length = 1;
  std::int64_t element_bytes = 8;
};

// In the order of stores or instructions; nothing where the plan has no workspace.
std::vector<Partial> partials_of(const GpuPlan& plan);

// The partial numbers of a store or reduction.
Partial partial_of(const GpuPlan& plan, int number);

std::int64_t workspace_bytes_of(const GpuPlan& plan);

}  // namespace asg::gpu
