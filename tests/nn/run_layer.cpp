#include "nn/run_layer.h"

#include <cmath>

#include "asg/backend/interpreter.h"
#include "asg/graph/expand.h"

namespace asg::test {

LayerRun run_layer(const Graph& graph, Mode mode, NamedArrays values) {
  constexpr std::uint64_t kDrawSeed = 5;
  Graph plain = expand(graph, mode).graph;
  // Updates are given back as outputs, so that they can be looked at.
  const std::vector<Update> updates(plain.updates().begin(), plain.updates().end());
  const std::size_t results = plain.outputs().size();
  for (const Update& update : updates) {
    plain.set_output("new " + plain.variable(update.variable).name, plain.tensor(update.value));
  }
  plain.set_updates({});
  LayerRun run;
  for (VarId id : plain.variable_ids()) {
    const Variable& variable = plain.variable(id);
    if (!values.contains(variable.name)) values[variable.name] = initial_value(variable, kDrawSeed);
    run.variables[variable.name] = values.at(variable.name);
  }
  Interpreter interpreter;
  const NamedArrays computed = interpreter.download_all(interpreter.execute(plain, interpreter.upload_all(values)));
  for (std::size_t at = 0; at < results; ++at) run.outputs.push_back(computed.at(plain.outputs()[at].name));
  for (const Update& update : updates) {
    const std::string& name = plain.variable(update.variable).name;
    run.variables[name] = computed.at("new " + name);
  }
  return run;
}

Array output_of(const Graph& graph, Mode mode, NamedArrays values) {
  return run_layer(graph, mode, std::move(values)).outputs.front();
}

Graph one_layer(std::string_view op, const char* type, const Attrs& attrs) {
  Graph graph;
  const Tensor x = graph.input("x", TensorType::parse(type));
  graph.set_output("y", add_op(op, {x}, attrs));
  return graph;
}

Array counted(const Sizes& sizes) {
  Array array(DType::f64, sizes);
  for (std::int64_t at = 0; at < array.count(); ++at) array.set(at, std::sin(static_cast<double>(at) + 1));
  return array;
}

}  // namespace asg::test
