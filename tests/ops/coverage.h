#pragma once

#include <string>
#include <vector>

#include "asg/graph/card.h"

namespace asg::test {

// What the samples of an op do not reach, in words: values and pairs of values of attributes, broadcasting, rank 3,
// axes that are all different. A combination that the op refuses counts when a bad sample shows the refusal.
std::vector<std::string> uncovered(const OpCard& op);

}  // namespace asg::test
