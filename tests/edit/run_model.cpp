#include "edit/run_model.h"

#include "asg/backend/cpu.h"
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

// Expanded, with its updates as outputs.
Graph plain_form(const Graph& graph, Mode mode) {
  Graph plain = expand(graph, mode).graph;
  for (const Update& update : plain.updates()) {
    plain.set_output("update " + plain.variable(update.variable).name, plain.tensor(update.value));
  }
  return plain;
}

}  // namespace

std::vector<Array> run_model(const Graph& graph, Mode mode) {
  const Graph plain = plain_form(graph, mode);
  std::vector<Array> inputs;
  for (const NodeId id : plain.inputs()) inputs.push_back(input_value(plain.node(id)));
  return run_graph(plain, inputs);
}

std::vector<Array> run_model_on_cpu(const Graph& graph, Mode mode) {
  Graph plain = plain_form(graph, mode);
  plain.set_updates({});
  CpuBackend cpu(1);
  const auto executable = cpu.compile(plain, {.mode = mode});
  for (const VarId id : executable->graph().variable_ids()) {
    executable->write(id, initial_value(executable->graph().variable(id), kSeed));
  }
  NamedArrays inputs;
  for (const NodeId id : plain.inputs()) inputs[plain.node(id).name] = input_value(plain.node(id));
  const NamedArrays results = executable->run(inputs).outputs;
  std::vector<Array> outputs;
  for (const Output& output : plain.outputs()) outputs.push_back(results.at(output.name));
  return outputs;
}

Graph with_random_values(Graph graph) {
  for (const VarId id : graph.variable_ids()) {
    Variable variable = graph.variable(id);
    if (!is_float(variable.type.dtype) || !variable.type.shape.is_known()) continue;
    const bool positive = variable.name.ends_with("variance");
    const SampleInput range = in(variable.type.shape.sizes(), positive ? 0.5 : -0.7, 1.2);
    variable.init =
        Initializer::given(sample_value(range, "with_random_values", variable.name, 0).cast(variable.type.dtype));
    graph.put(std::move(variable));
  }
  return graph;
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
