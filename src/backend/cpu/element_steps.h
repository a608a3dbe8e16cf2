#pragma once

#include "backend/cpu/prepared.h"

namespace asg::cpu {

// GatherElements, ScatterElements and GatherGrad as whole calls.
bool is_element_op(const OpCard& op);

// Whether input number `input` of such an op is taken with these strides: what a scatter writes into may be one element
// that stands everywhere.
bool element_op_takes(const Node& node, std::size_t input, const Sizes& strides);

// The step of such an op; null of other ops, of types that calls do not know, and where there is nothing to compute.
std::unique_ptr<PreparedStep> prepare_elements(const Step& step, const Program& program);

}  // namespace asg::cpu
