#pragma once

#include <string>

#include "asg/compile/gpu_plan.h"

// Sums over the rows: each thread adds up some rows, each block what its threads have, a last phase what the blocks
// left in the workspace, always in the same order.
namespace asg::cuda {

std::string index_number(const GpuPlan& plan, std::int64_t number);  // "768", "768LL"

// Of a phase `rows`: whether threads keep a sum for each of their columns, and the text for it.
bool sums_in_registers(const GpuPlan& plan);
std::string sum_declarations(const GpuPlan& plan, const std::string& indent);
std::string sum_step(const GpuPlan& plan, const KernelStore& store, const std::string& guard);  // a line
std::string sum_ends(const GpuPlan& plan, const std::string& indent);

// The bodies of the phases `columns` and `finish`.
std::string columns_text(const GpuPlan& plan);
std::string finish_text(const GpuPlan& plan);

}  // namespace asg::cuda
