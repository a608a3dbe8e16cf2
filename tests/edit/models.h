#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "asg/graph/edit.h"
#include "asg/graph/graph.h"
#include "asg/graph/tensor.h"

// Small models that the tests of edits change.
namespace asg::test {

// A layer or op with a name.
Tensor add_named(Graph& graph, std::string_view op, std::vector<Tensor> inputs, Attrs attrs, std::string name);

// x f32[batch,4] → fc_1 (8 units) → act (Relu) → fc_2 (3 units) = y. Nodes 1 to 4 in this order.
Graph mlp();
// x f32[batch,seq,8] → encoder/block_1 (nn.TransformerBlock, 2 heads, hidden 16, dropout 0.1) → head (3 units) = y.
Graph transformer();
// tokens i64[batch,seq] → table (6 × 4) → mix (Linear) → logits (Linear, transposed, weight of `table`) = y.
Graph tied();
// image f32[batch,2,6,6] → conv_1 (4 channels, 3×3) → norm (nn.BatchNorm) → relu → conv_2 (3 channels, 1×1)
// → mean over height and width = y.
Graph convolutional();
// x f32[4] and flag bool → two of: constant, Reshape, Split, If, Add, two outputs y and z, an update of a counter.
Graph plain();

// Applies an edit given as JSON; fails the test when it is refused.
Graph after(const Graph& graph, std::string_view edit);
EditOutcome outcome(const Graph& graph, std::string_view edit);

}  // namespace asg::test
