#pragma once

#include "backend/cpu/prepared.h"

namespace asg::cpu {

// ScatterND that writes a few slices, such as the newest rows of a cache, where its input and its result may be the
// same memory: then only these slices are touched.
bool is_slice_scatter(const OpCard& op);
bool scatters_in_place(const Node& node);

// The step of such an op; null of other ops, and where it reduces or has many slices.
std::unique_ptr<PreparedStep> prepare_slice_scatter(const Step& step, const Program& program);

}  // namespace asg::cpu
