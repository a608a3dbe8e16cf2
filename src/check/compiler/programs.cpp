#include <algorithm>

#include "asg/autograd/products.h"
#include "asg/check/compiler_check.h"
#include "check/compiler/grower.h"

namespace asg {
namespace {

std::vector<Value> float_targets(const Graph& graph) {
  std::vector<Value> targets;
  for (const NodeId id : graph.inputs()) {
    if (is_float(graph.type({id, 0}).dtype)) targets.push_back({id, 0});
  }
  for (const VarId id : graph.variable_ids()) {
    const NodeId reader = graph.reader_of(id);
    if (reader && is_float(graph.variable(id).type.dtype)) targets.push_back({reader, 0});
  }
  return targets;
}

// Outputs that can be differentiated.
std::vector<Output> float_outputs(const Graph& graph) {
  std::vector<Output> outputs;
  for (const Output& output : graph.outputs()) {
    if (is_float(graph.type(output.value).dtype)) outputs.push_back(output);
  }
  return outputs;
}

// Half of them as sums of squares, whose gradient depends on the value, half with a weight for each element.
Value sum_of_outputs(Graph& graph, Dice& dice) {
  Value loss;
  for (const Output& output : float_outputs(graph)) {
    const Tensor value = graph.tensor(output.value);
    const Sizes sizes = value.shape().sizes();
    const double scale = 1.0 / static_cast<double>(std::max<std::int64_t>(1, element_count(sizes)));
    const Tensor weights = graph.constant(dice.numbers(sizes, 0.5, 1.5).cast(value.dtype()));
    const Tensor term = reduce_sum(dice.one_in(2) ? square(value) * scale : value * weights, {}, {.keepdims = false});
    const Tensor same = cast(term, DType::f32);
    loss = loss ? (graph.tensor(loss) + same).value() : same.value();
  }
  return loss;
}

// Some keep the outputs of the graph beside the gradients.
void keep_outputs(Graph& graph, const std::string& prefix, bool all) {
  if (all) return;
  std::vector<Output> kept;
  for (const Output& output : graph.outputs()) {
    if (output.name.starts_with(prefix) || output.name == kAllFinite) kept.push_back(output);
  }
  graph.set_outputs(std::move(kept));
}

void add_cotangents(GraphCase& made, Dice& dice) {
  for (const NodeId id : made.graph.inputs()) {
    const std::string name = made.graph.node(id).path();
    if (made.values.contains(name)) continue;
    const TensorType& type = made.graph.type({id, 0});
    made.values[name] = dice.numbers(type.shape.sizes(), -1, 1).cast(type.dtype);
  }
}

}  // namespace

GraphCase make_compiler_case(std::uint64_t seed, std::uint64_t number) { return CaseGrower(seed, number).grow(); }

std::vector<ProgramCase> programs_of(const GraphCase& made) {
  std::vector<ProgramCase> programs = {{"forward", made}};
  // Drawn by what the graph is, so that a program is the same wherever it is made.
  Dice dice(made.graph.node_count(), combine(StreamKey{12}, made.values.size()));
  const std::vector<Value> targets = float_targets(made.graph);
  try {
    GraphCase gradient = made;
    if (const Value loss = sum_of_outputs(gradient.graph, dice)) {
      gradient.graph = differentiate(gradient.graph, loss, targets, Mode::train).graph;
      keep_outputs(gradient.graph, "gradient:", dice.one_in(2));
      programs.push_back({"gradient", std::move(gradient)});
    }
    for (const Output& output : float_outputs(made.graph)) {
      GraphCase product = made;
      product.graph = vjp(made.graph, std::vector{output.value}, {}, targets, Mode::train).graph;
      keep_outputs(product.graph, "vjp:", dice.one_in(2));
      add_cotangents(product, dice);
      programs.push_back({"vjp of " + output.name, std::move(product)});
    }
  } catch (const UserError& error) {
    if (error.code() != ErrorCode::no_gradient) throw;
  }
  return programs;
}

}  // namespace asg
