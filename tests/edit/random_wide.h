#pragma once

#include <vector>

#include "asg/graph/edit.h"
#include "edit/dice.h"

namespace asg::test {

// A small model of what people widen: convolutions, pools, norms, residual sums, concatenations, splits and dense
// layers, or transformer blocks; in f64, with random numbers in its variables. Layers are named layer_1, layer_2 …
Graph random_wide_model(Dice& dice);

// One to three commands that widen, narrow or otherwise change its layers.
std::vector<Command> random_wide_edit(Dice& dice, const Graph& model);

}  // namespace asg::test
