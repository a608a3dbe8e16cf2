#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "asg/compile/kernel.h"

namespace asg::test {

// The arrays of all arguments after a run of the reference: `inputs` stand for the inputs in order; outputs hold as
// many elements as are addressed, zeros at first.
std::vector<Array> run_reference(const Kernel& kernel, const std::vector<Array>& inputs);
// The only output of a kernel that is given as text.
Array run_text(std::string_view text, const std::vector<Array>& inputs);

// One instruction over all elements of operands of equal length: op(operands).
Array run_op(ScalarOp op, DType dtype, const std::vector<Array>& operands);

// A sound kernel of any form, and inputs for it; the same of the same seed.
struct DrawnKernel {
  Kernel kernel;
  std::vector<Array> inputs;
};
DrawnKernel draw_kernel(std::uint32_t seed);

// The text of a kernel among those that `make gpu-check` proves.
std::string proof_text(const std::string& name);

}  // namespace asg::test
