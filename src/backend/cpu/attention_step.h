#pragma once

#include "backend/cpu/prepared.h"

namespace asg::cpu {

// Attention or its gradient.
bool is_attention(const OpCard& op);

// Whether input number `input` of such a node is taken with these strides.
bool attention_takes(const Node& node, std::size_t input, const Sizes& sizes, const Sizes& strides);

// The step of such a node of f32.
std::unique_ptr<PreparedStep> prepare_attention(const Step& step, const Program& program);

}  // namespace asg::cpu
