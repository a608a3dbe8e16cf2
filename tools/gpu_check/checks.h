#pragma once

#include <string>
#include <vector>

#include "asg/compile/gpu_attention.h"
#include "cases.h"
#include "machine.h"

namespace asg::gpu_check {

class CudaMachine;

// Runs the kernels of the folder and drawn ones, each twice: the numbers must be those of the reference within the
// tolerance of the dtype (docs/numbers.md), the bits of both runs the same. Prints what is not so, and a summary.
bool check_correct(Machine& machine, const std::string& folder, int drawn, const GpuLimits& limits = {});

// The same of those cases.
bool check_cases(Machine& machine, const std::vector<Case>& cases, const GpuLimits& limits);

// The same of rows of many lengths, within several limits; of fewer ones unless `all`.
bool check_sizes(Machine& machine, bool all);

// So little of everything that small kernels take the ways of large ones.
GpuLimits small_limits();

// What check_attention renders.
std::vector<GpuAttention> attention_kinds();

// Attention and its gradient beside a straightforward computation in f64.
bool check_attention(Machine& machine);

// Prints a table of times and TFLOP/s; those of the gradient count 5 products of matrices, although two are made twice.
void check_attention_speed(CudaMachine& machine);

// Whether NVRTC compiles them, where it is.
bool check_compiles(const std::string& folder);

// Prints a table: each kernel of the folder `timed`, its time, and the time in which memory can move what it has to
// read and write.
void check_speed(CudaMachine& machine, const std::string& folder);

}  // namespace asg::gpu_check
