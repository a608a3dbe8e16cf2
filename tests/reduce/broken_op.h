#pragma once

#include "asg/graph/card.h"

namespace asg::test {

// y = x³ with a gradient that forgets a factor: what the reducer is tried on. Registered once; only this program knows
// it.
const OpCard& broken_op();

}  // namespace asg::test
