#include "asg/backend/interpreter.h"

#include "asg/compile/reference.h"
#include "backend/lowered_run.h"

namespace asg {

Capabilities Interpreter::capabilities() const {
  Capabilities can;
  can.supports_op = [](const OpCard& op) { return static_cast<bool>(op.kernel); };
  can.features = {"every op that has a reference kernel"};
  return can;
}

DeviceArray Interpreter::constant(const Array& value) { return host_array(name(), value); }

DeviceArrays Interpreter::compute(const OpCard& op, const Attrs& attrs, StreamKey stream,
                                  std::span<const Array* const> inputs) {
  const RunGraph run_graph = [this](const Graph& graph, std::span<const Array> values) {
    return run_subgraph(*this, graph, values);
  };
  DeviceArrays outputs;
  for (Array& output : run_reference(op, attrs, stream, inputs, run_graph)) {
    outputs.push_back(host_array(name(), std::move(output)));
  }
  return outputs;
}

DeviceArrays Interpreter::run_primitive(const PrimitiveCall& call) {
  std::vector<Array> integers;
  integers.reserve(call.operands.size());
  std::vector<const Array*> inputs;
  for (const PrimitiveCall::Operand& operand : call.operands) {
    if (operand.integers) {
      inputs.push_back(&integers.emplace_back(Array::ints(*operand.integers)));
    } else {
      inputs.push_back(operand.array ? &array_of(operand.array) : nullptr);
    }
  }
  return compute(*call.op, call.attrs, 0, inputs);
}

DeviceArrays Interpreter::run_op(const Node& node, std::span<const DeviceArray> inputs) {
  if (!node.op->kernel) return run_lowered(*this, node, inputs);
  std::vector<const Array*> arrays;
  for (const DeviceArray& input : inputs) arrays.push_back(input ? &array_of(input) : nullptr);
  return compute(*node.op, node.attrs, node.stream, arrays);
}

}  // namespace asg
