#pragma once

#include "asg/compile/pass.h"

namespace asg::passes {

PassResult fold_constants(Graph graph);
PassResult simplify(Graph graph);
PassResult merge_common(Graph graph);
PassResult remove_dead(Graph graph);

}  // namespace asg::passes
