#pragma once

#include <string>

#include "asg/compile/gpu_plan.h"

// Kernels with values of rows.
namespace asg::cuda {

// The body of a phase `rows`: a pass over the row for each level of reductions, and one for the stores.
std::string rows_text(const GpuPlan& plan);

// The bodies of the phases of divided rows: `reduce`, `store` and `store_once`.
std::string divided_rows_text(const GpuPlan& plan, const GpuPhase& phase);

// The device functions that those call.
std::string rows_functions(const GpuPlan& plan);

}  // namespace asg::cuda
