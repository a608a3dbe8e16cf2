#pragma once

#include "backend/cpu/prepared.h"

namespace asg::cpu {

// Ops that are computed as a whole, by oneDNN or by our own vector code.
bool is_library_op(const OpCard& op);

// Whether the library cannot compute this node, of such an op, because of its types, and no reference kernel can.
bool lacks_types_of(const Node& node);

// Whether input number `input` of such an op is taken with these strides.
bool takes_strides(const Node& node, std::size_t input, const Sizes& sizes, const Sizes& strides);

// The order of axes in which an output of such an op lies in memory, outermost first; empty: as they are counted.
std::vector<int> output_order(const Node& node, std::uint32_t port);

// Whether such an op can end with this kernel.
bool takes_epilogue(const Program& program, const Step& call, const Kernel& epilogue);

// Whether such an op can change its first input where it lies.
bool changes_in_place(const Node& node);

// The step of such an op; null where the library does not know its types.
std::unique_ptr<PreparedStep> prepare_library(const Step& step, const Program& program, const Means& means);

}  // namespace asg::cpu
