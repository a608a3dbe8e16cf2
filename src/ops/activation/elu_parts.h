#pragma once

#include "asg/graph/card.h"

// What Elu, Celu and Selu have in common: straight above zero, an exponential bend towards a floor below it.
namespace asg::ops {

// y = slope * x above zero, floor * (exp(x / width) - 1) below.
struct Bend {
  double slope = 1;
  double floor = 1;
  double width = 1;
};

// The card of an activation of this form; `read` takes its three numbers from the attributes.
OpCard bent_activation(OpCard own, Bend (*read)(const AttrReader& attributes));

}  // namespace asg::ops
