#pragma once

#include "asg/graph/graph.h"

namespace asg::decode {

bool has_length(const Dim& dim, const std::string& length);
bool has_length(const TensorType& type, const std::string& length);
// The axis that is the length, where exactly one is and no other size depends on it; else −1.
int only_length_axis(const TensorType& type, const std::string& length);

// Whether an op that is not elementwise leaves the positions of its inputs apart, so that what it gives at a position
// comes from that position alone. It must be known to: an op that is not in the list of axes_of_ops.cpp does not.
//   expects: each input that comes from the tokens has exactly one axis that is `length`, and so has each output.
//            `from_tokens` says of the inputs, by their place, which do.
bool keeps_positions_apart(const Graph& graph, const Node& node, const std::vector<bool>& from_tokens,
                           const std::string& length);

// Whether input `place` of the op is about sizes, so that a number which tells the length may stand there.
bool takes_lengths(const Node& node, std::size_t place);

}  // namespace asg::decode
