#pragma once

#include "backend/cpu/prepared.h"

namespace asg::cpu {

// A Scan by its body, compiled once and run for each element: states go from run to run, elements and results are
// read and written where they lie.
//   null:    any other op; and a body that draws random numbers, whose key differs from run to run, or whose lengths
//            only data tell, or of which no element is to be walked. Reference kernels know all of these.
//   example: s' = tanh(s · w + x) → for each x one product with an epilogue
std::unique_ptr<PreparedStep> prepare_scan(const Step& step, const Program& program, const Means& means);

}  // namespace asg::cpu
