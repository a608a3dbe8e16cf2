#pragma once

#include <string>

#include "asg/compile/explain.h"
#include "lab/derived_paths.h"
#include "lab/sheet.h"

namespace asg::lab {

// The node that tells best what a step is about: the op of a call, else the last of the fused ones. Null of a copy.
const Node* main_node(const Program& program, const Step& step);
// The scope in which a step stands: that of its main node's layer, below its role.
std::string scope_of_step(const Program& program, const Step& step, const Origins& origins);

}  // namespace asg::lab
