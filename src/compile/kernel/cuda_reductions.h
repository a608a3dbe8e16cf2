#pragma once

#include <string>
#include <vector>

#include "asg/compile/gpu_plan.h"

// Reductions of what the threads of a row have, as text. All follow a fixed order.
namespace asg::cuda {

std::string part_name(int number);  // "part3": what a thread has of a reduction, in registers

// Device functions that exchange values in a warp: one for each kind of the reductions.
std::string warp_functions(const Kernel& kernel, const std::vector<int>& reductions);

// Declarations of the shared memory that a block needs for them.
std::string shared_declarations(const GpuPlan& plan, const std::vector<int>& reductions, const std::string& indent);

// "float part3 = 0.0f;" for each.
std::string part_declarations(const Kernel& kernel, const std::vector<int>& reductions, const std::string& indent);

// What a pass adds for each element: "part3 = …;", a line each.
std::string part_steps(const Kernel& kernel, const std::vector<int>& reductions);

// Reduces the parts of all threads of each row; afterwards every thread of the row has the result in its part.
std::string exchange(const GpuPlan& plan, const std::vector<int>& reductions, const std::string& indent);

// "const float v3 = part3;", rounded to the dtype.
std::string result_declarations(const Kernel& kernel, const std::vector<int>& reductions, const std::string& indent);

}  // namespace asg::cuda
