#include "edit/run_model.h"

#include "asg/graph/expand.h"
#include "asg/graph/samples.h"
#include "support/run_op.h"

namespace asg::test {
namespace {

Array input_value(const Node& input) {
  const TensorType& type = input.outputs.front().type;
  const Sizes sizes = type.shape.substitute([](std::string_view) { return Dim(3); }).sizes();
  if (sizes.empty()) return sample_value(in(sizes, 0, 2.9), "run_model", input.name, 0).cast(type.dtype);
  // Rows of a wider input begin like those of a narrower one.
  constexpr std::int64_t kWidest = 32;
  Sizes wide = sizes;
  wide.back() = kWidest;
  const Array value = sample_value(in(wide, 0, 2.9), "run_model", input.name, 0);
  return value.sliced(value.rank() - 1, 0, sizes.back(), 1).copy().cast(type.dtype);
}

}  // namespace

std::vector<Array> run_model(const Graph& graph, Mode mode) {
  Graph plain = expand(graph, mode).graph;
  for (const Update& update : plain.updates()) {
    plain.set_output("update " + plain.variable(update.variable).name, plain.tensor(update.value));
  }
  std::vector<Array> inputs;
  for (const NodeId id : plain.inputs()) inputs.push_back(input_value(plain.node(id)));
  return run_graph(plain, inputs);
}

Graph with_values(const Graph& before, Graph after, const std::vector<ResizeRule>& rules) {
  constexpr double kJunk = 0.37;
  for (const ResizeRule& rule : rules) {
    Variable variable = after.variable(rule.variable);
    Array fresh(variable.type.dtype, rule.new_sizes);
    for (std::int64_t k = 0; k < fresh.count(); ++k) fresh.set(k, kJunk + 0.01 * static_cast<double>(k));
    const Array old = initial_value(before.variable(rule.variable), kSeed);
    variable.init = Initializer::given(resized(old, fresh, rule));
    after.put(std::move(variable));
  }
  return after;
}

}  // namespace asg::test
