#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "asg/core/array.h"
#include "asg/graph/card.h"
#include "asg/graph/graph.h"

// Runs ops and graphs on host arrays with the interpreter: what the tests of the cards stand on.
namespace asg::test {

inline constexpr std::uint64_t kSeed = 7;  // of the initial values of variables

using Inputs = std::vector<std::optional<Array>>;  // nullopt: an absent optional input

// The inputs of a sample, as its card gives them.
Inputs sample_inputs(const OpCard& op, const std::string& sample, std::span<const SampleInput> inputs);

// Checks attributes and types, then computes: by the reference kernel where there is one, else through the body.
// Inputs are widened to the compute type, outputs rounded once. Throws UserError.
std::vector<Array> run_op(const OpCard& op, const Attrs& attrs, const Inputs& inputs);
// The same through the body, even where there is a kernel. Layers run in eval mode; variables have their initial
// values.
std::vector<Array> run_body(const OpCard& op, const Attrs& attrs, const Inputs& inputs);
// Outputs in the order of the graph; inputs in the order of its inputs. Layers and variables as above.
std::vector<Array> run_graph(const Graph& graph, std::span<const Array> inputs);

// The types that inference gives for the outputs, for arrays of these sizes and contents.
std::vector<TensorType> output_types(const OpCard& op, const Attrs& attrs, const Inputs& inputs);

}  // namespace asg::test
