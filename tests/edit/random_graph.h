#pragma once

#include "asg/graph/graph.h"
#include "edit/dice.h"

namespace asg::test {

// A model of a dozen or two nodes: plain ops, layers (some nested), scopes, shared variables, reads of variables,
// constants that decide shapes, an If with captures, updates.
Graph random_graph(Dice& dice);

}  // namespace asg::test
