#include "support/run_op.h"

#include "asg/backend/interpreter.h"
#include "asg/compile/reference.h"
#include "asg/graph/body.h"
#include "asg/graph/expand.h"
#include "asg/graph/infer.h"

namespace asg::test {
namespace {

constexpr StreamKey kStream = 11;

std::vector<const Array*> pointers_to(const Inputs& inputs) {
  std::vector<const Array*> pointers;
  for (const auto& input : inputs) pointers.push_back(input ? &*input : nullptr);
  return pointers;
}

// A subgraph is typed by what it gets.
std::vector<Array> run_subgraph(const Graph& graph, std::span<const Array> inputs) {
  std::vector<OutputInfo> types;
  for (const Array& input : inputs) types.push_back({{input.dtype(), Shape::of(input.sizes())}, nullptr});
  return run_graph(retype(graph, types), inputs);
}

// A graph of this op alone: integer inputs of rank 0 and 1 are constants, so that inference knows their contents.
struct OneOp {
  Graph graph{"one_op"};
  std::vector<Array> inputs;
};

OneOp one_op(const OpCard& op, const Attrs& attrs, const Inputs& inputs) {
  OneOp made;
  NodeSpec spec;
  spec.op = &op;
  spec.attrs = attrs;
  spec.stream = kStream;
  for (const auto& input : inputs) {
    if (!input) {
      spec.inputs.emplace_back();
    } else if (is_integer(input->dtype()) && input->rank() <= 1) {
      spec.inputs.push_back(made.graph.constant(*input).value());
    } else {
      const std::string name = "in_" + std::to_string(made.inputs.size());
      spec.inputs.push_back(made.graph.input(name, {input->dtype(), Shape::of(input->sizes())}).value());
      made.inputs.push_back(*input);
    }
  }
  const std::vector<Tensor> outputs = made.graph.add_outputs(std::move(spec));
  for (std::size_t port = 0; port < outputs.size(); ++port) {
    made.graph.set_output("out_" + std::to_string(port), outputs[port]);
  }
  return made;
}

}  // namespace

Inputs sample_inputs(const OpCard& op, const std::string& sample, std::span<const SampleInput> inputs) {
  Inputs values;
  for (std::size_t index = 0; index < inputs.size(); ++index) {
    if (inputs[index].absent) {
      values.emplace_back();
    } else {
      values.emplace_back(sample_value(inputs[index], op.name, sample, index));
    }
  }
  return values;
}

std::vector<Array> run_graph(const Graph& graph, std::span<const Array> inputs) {
  const Graph plain = expand(graph, Mode::eval).graph;
  NamedArrays values;
  for (std::size_t index = 0; index < inputs.size(); ++index) {
    values[plain.node(plain.inputs()[index]).name] = inputs[index];
  }
  for (VarId id : plain.variable_ids()) {
    const Variable& variable = plain.variable(id);
    values[variable.name] = initial_value(variable, kSeed);
  }
  Interpreter interpreter;
  const NamedArrays results = interpreter.download_all(interpreter.execute(plain, interpreter.upload_all(values)));
  std::vector<Array> outputs;
  for (const Output& output : plain.outputs()) outputs.push_back(results.at(output.name));
  return outputs;
}

std::vector<Array> run_op(const OpCard& op, const Attrs& attrs, const Inputs& inputs) {
  if (op.kernel) return run_reference(op, attrs, kStream, pointers_to(inputs), run_subgraph);
  const OneOp made = one_op(op, checked_attributes(op, attrs), inputs);
  return run_graph(made.graph, made.inputs);
}

std::vector<Array> run_body(const OpCard& op, const Attrs& attrs, const Inputs& inputs) {
  const OneOp made = one_op(op, checked_attributes(op, attrs), inputs);
  const Expansion body = expand(made.graph, Mode::eval, [&](const Node& node) { return node.op == &op; });
  return run_graph(body.graph, made.inputs);
}

std::vector<TensorType> output_types(const OpCard& op, const Attrs& attrs, const Inputs& inputs) {
  return infer_concrete(op, checked_attributes(op, attrs), nullptr, pointers_to(inputs));
}

}  // namespace asg::test
