#include "asg/backend/single_op.h"

#include "asg/backend/primitives.h"
#include "asg/graph/registry.h"
#include "asg/ops/ops.h"

namespace asg {
namespace {

std::string numbered(std::string_view stem, std::size_t number) {
  return std::string(stem) + "_" + std::to_string(number);
}

class SingleOpMaker {
 public:
  void input(const DeviceArray& value) {
    if (!value) return absent();
    std::string name = numbered("input", spec_.inputs.size());
    spec_.inputs.push_back(made_.graph.input(name, {value.dtype(), Shape::of(value.sizes())}).value());
    made_.inputs[std::move(name)] = value;
  }
  void constant(Array value) { spec_.inputs.push_back(made_.graph.constant(std::move(value)).value()); }
  void absent() { spec_.inputs.emplace_back(); }

  SingleOp finish(NodeSpec node) {
    node.inputs = std::move(spec_.inputs);
    const std::vector<Tensor> outputs = made_.graph.add_outputs(std::move(node));
    made_.node = outputs.front().node();
    for (std::size_t port = 0; port < outputs.size(); ++port) {
      made_.graph.set_output(numbered("output", port), outputs[port]);
    }
    return std::move(made_);
  }

 private:
  SingleOp made_{Graph("single_op"), {}, {}};
  NodeSpec spec_;
};

// Ports of shapes, axes and the like: types follow from what they hold.
bool is_integer_operand(const OpCard& op, std::size_t index) {
  const Port& port = op.inputs[std::min(index, op.inputs.size() - 1)];
  return port.dtypes.bits == kInt64.bits;
}

}  // namespace

SingleOp single_op(Backend& backend, const Node& node, std::span<const DeviceArray> inputs) {
  SingleOpMaker maker;
  for (std::size_t index = 0; index < inputs.size(); ++index) {
    const bool hold = inputs[index] && !node.op->inputs.empty() && is_integer_operand(*node.op, index);
    if (hold && inputs[index].dtype() == DType::i64) {
      maker.constant(backend.download(inputs[index]));
    } else {
      maker.input(inputs[index]);
    }
  }
  return maker.finish({.op = node.op, .attrs = node.attrs, .body = node.body, .stream = node.stream});
}

SingleOp single_op(const PrimitiveCall& call) {
  SingleOpMaker maker;
  for (const PrimitiveCall::Operand& operand : call.operands) {
    if (operand.integers) {
      maker.constant(Array::ints(*operand.integers));
    } else {
      maker.input(operand.array);
    }
  }
  return maker.finish({.op = call.op, .attrs = call.attrs});
}

DeviceArrays run_single(Backend& backend, const SingleOp& single) {
  const NamedDeviceArrays values = backend.execute(single.graph, single.inputs);
  DeviceArrays outputs;
  for (const Output& output : single.graph.outputs()) {
    const auto value = values.find(output.name);
    if (value == values.end() || !value->second) {
      const Node& node = single.graph.node(single.node);
      fail(ErrorCode::missing_output,
           "no value for output '" + output.name + "' of op '" + node.op->name + "' from backend '" + backend.name() +
               "'",
           "a value for every output of the graph", "let execute return each output of the graph under its name");
    }
    outputs.push_back(value->second);
  }
  return outputs;
}

DeviceArrays run_single(Backend& backend, std::string_view op, std::span<const DeviceArray> inputs, Attrs attrs) {
  Node node;
  node.op = &Registry::global().get(op);
  node.attrs = std::move(attrs);
  return run_single(backend, single_op(backend, node, inputs));
}

DeviceArray run_single_output(Backend& backend, std::string_view op, std::span<const DeviceArray> inputs, Attrs attrs) {
  const DeviceArrays outputs = run_single(backend, op, inputs, std::move(attrs));
  if (outputs.size() != 1) {
    fail(ErrorCode::wrong_input_count, std::to_string(outputs.size()) + " outputs of op '" + std::string(op) + "'",
         "an op with one output", "use run_single, which gives all of them");
  }
  return outputs.front();
}

}  // namespace asg
