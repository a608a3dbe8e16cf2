#pragma once

#include "asg/graph/card.h"
#include "ops/loss/loss_reduction.h"
#include "ops/support/samples.h"

// What losses that compare two tensors of one shape, element by element, have in common.
namespace asg::loss {

// prediction and target.
std::vector<Port> pair_ports(Words prediction, Words target);

// Refuses two inputs of different shapes. Broadcasting would give a number too, but hardly ever the one that is meant.
void check_equal_shapes(const BodyContext& ctx, int first, int second);

// Rank 3 and 2, one and no elements, under every reduction; numbers from the two ranges.
std::vector<Sample> pair_samples(ops::Range prediction, ops::Range target, const Attrs& attrs = {});
// One exact case of rank 1 with reduction none; forward only.
Sample exact_pair(std::string name, std::vector<double> prediction, std::vector<double> target,
                  std::vector<double> expected, Attrs attrs = {});
// A target that would have to be broadcast.
BadSample refuse_other_shape();

}  // namespace asg::loss
