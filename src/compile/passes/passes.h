#pragma once

#include "asg/compile/pass.h"

namespace asg::passes {

PassResult fold_constants(const Graph& graph);
PassResult simplify(const Graph& graph);
PassResult merge_common(const Graph& graph);
PassResult remove_dead(const Graph& graph);

}  // namespace asg::passes
