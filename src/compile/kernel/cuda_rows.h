#pragma once

#include <string>

#include "asg/compile/kernel.h"

// Kernels of which a block of threads computes a row.
namespace asg::cuda {

// A device function for each reduction that the kernel makes: the values of all threads of a block by a tree.
std::string block_reductions_text(const Kernel& kernel, unsigned block);

// The body of the kernel: a pass over the row for each reduction that waits for another one, and one for the stores.
std::string rows_text(const Kernel& kernel, unsigned block);

// A sum over rows, of sum_type, as a value of the dtype.
std::string finished_sum(DType dtype, const std::string& sum);

}  // namespace asg::cuda
