#pragma once

#include <functional>
#include <string>
#include <vector>

#include "asg/core/source_location.h"
#include "asg/graph/tensor.h"

// Containers. A model is a graph, so what other frameworks keep in container objects is plain C++ here: a chain of
// calls, a loop over layers, a sum. What shall be one box for people, with one name, is a block.
namespace asg::nn {

using Module = std::function<Tensor(const Tensor&)>;

// The modules one after the other.
Tensor sequential(const Tensor& x, const std::vector<Module>& modules);
// x + module(x). Throws broadcast_mismatch where the module changes the shape beyond what broadcasting mends.
Tensor residual(const Tensor& x, const Module& module, SourceLocation where = SourceLocation::current());

// What `build` makes, as one node: a Block named `name`, with its parameters as slots, that can be folded, copied,
// edited inside and ungrouped like any other. `build` gets tensors of the block's own graph and may use no others.
using BlockBuilder = std::function<std::vector<Tensor>(const std::vector<Tensor>&)>;
std::vector<Tensor> block(std::string name, const std::vector<Tensor>& inputs, const BlockBuilder& build,
                          SourceLocation where = SourceLocation::current());
Tensor block(std::string name, const Tensor& x, const Module& build, SourceLocation where = SourceLocation::current());

}  // namespace asg::nn
