#pragma once

#include <string>
#include <vector>

#include "asg/graph/card.h"

// What the recurrent layers have in common: several of one op on top of each other, in one direction or both.
namespace asg::nn {

struct Recurrent {
  std::string op;      // the plain op
  std::int64_t gates;  // blocks of rows of its weights
  bool cell = false;   // a second state
  Attrs attrs = {};    // of the op, the same in every layer
};
void recurrent_body(BodyContext& ctx, const Recurrent& kind);

std::vector<Port> recurrent_layer_inputs(bool cell);
std::vector<Port> recurrent_layer_outputs(bool cell);
// hidden, layers, bidirectional, bias, dropout.
std::vector<AttrSpec> recurrent_layer_attributes();
// Every two settings meet, also with those of `more`; then first states and lengths.
std::vector<Sample> recurrent_layer_samples(bool cell, const std::string& name = {},
                                            const std::vector<Attr>& values = {});
std::vector<BadSample> bad_recurrent_layers();

}  // namespace asg::nn
