// The reference kernels: numbers, sizes, dtypes and views.
#include "asg/backend/interpreter.h"
#include "ops/cards.h"
#include "support/compare.h"
#include "support/run_op.h"

namespace asg::test {
namespace {

using OpValues = OpTest;

TEST_P(OpValues, AreAsExpected) {
  for (const Sample& sample : op().samples) {
    SCOPED_TRACE("sample " + sample.name);
    const Inputs inputs = sample_inputs(op(), sample.name, sample.inputs);
    const std::vector<Array> outputs = run_op(op(), sample.attrs, inputs);
    if (sample.expected.empty()) continue;
    ASSERT_LE(sample.expected.size(), outputs.size());
    for (std::size_t port = 0; port < sample.expected.size(); ++port) {
      SCOPED_TRACE("output " + std::to_string(port));
      EXPECT_EQ(outputs[port].dtype(), sample.expected[port].dtype());
      EXPECT_TRUE(near(outputs[port], sample.expected[port], tolerance_for(op().tolerance, outputs[port].dtype())));
    }
  }
}

TEST_P(OpValues, HaveTheInferredTypes) {
  for (const Sample& sample : op().samples) {
    SCOPED_TRACE("sample " + sample.name);
    const Inputs inputs = sample_inputs(op(), sample.name, sample.inputs);
    const std::vector<TensorType> types = output_types(op(), sample.attrs, inputs);
    const std::vector<Array> outputs = run_op(op(), sample.attrs, inputs);
    ASSERT_EQ(outputs.size(), types.size());
    for (std::size_t port = 0; port < outputs.size(); ++port) {
      EXPECT_TRUE(is_of(types[port], outputs[port]))
          << "output " << port << " is " << outputs[port].type_string() << ", not " << types[port].to_string();
    }
  }
}

// A view with gaps and another order of axes, of the same elements.
Array scattered(const Array& array) {
  std::vector<int> reversed;
  for (int axis = array.rank() - 1; axis >= 0; --axis) reversed.push_back(axis);
  if (array.rank() > 1) return array.transposed(reversed).copy().transposed(reversed);
  if (array.rank() == 0) return array;
  Array wide(array.dtype(), {array.count() * 2});
  Array every_second = wide.sliced(0, 0, array.count(), 2);
  every_second.assign(array);
  return every_second;
}

TEST_P(OpValues, DoNotDependOnTheLayoutOfInputs) {
  for (const Sample& sample : op().samples) {
    SCOPED_TRACE("sample " + sample.name);
    const Inputs dense = sample_inputs(op(), sample.name, sample.inputs);
    Inputs views = dense;
    for (auto& view : views) {
      if (view && view->count() > 0) view = scattered(*view);
    }
    const std::vector<Array> expected = run_op(op(), sample.attrs, dense);
    const std::vector<Array> actual = run_op(op(), sample.attrs, views);
    ASSERT_EQ(actual.size(), expected.size());
    for (std::size_t port = 0; port < expected.size(); ++port) EXPECT_TRUE(identical(actual[port], expected[port]));
  }
}

// The same through the contract: memory that somebody else laid out, used where it lies.
TEST_P(OpValues, DoNotDependOnTheLayoutOfWrappedMemory) {
  if (op().composite || op().traits.leaf) return;
  Interpreter interpreter;
  for (const Sample& sample : op().samples) {
    SCOPED_TRACE("sample " + sample.name);
    Graph graph;
    NodeSpec spec;
    spec.op = &op();
    spec.attrs = sample.attrs;
    std::vector<Array> kept;  // the memory must outlive the handles
    NamedDeviceArrays dense;
    NamedDeviceArrays wrapped;
    for (const auto& input : sample_inputs(op(), sample.name, sample.inputs)) {
      const Port& port = op().inputs[std::min(spec.inputs.size(), op().inputs.size() - 1)];
      if (!input || input->count() == 0 || (!port.differentiable && input->rank() <= 1)) {
        spec.inputs.push_back(input ? graph.constant(*input).value() : Value{});
        continue;
      }
      const std::string name = "in_" + std::to_string(spec.inputs.size());
      spec.inputs.push_back(graph.input(name, {input->dtype(), Shape::of(input->sizes())}).value());
      Array& view = kept.emplace_back(scattered(*input));
      dense[name] = interpreter.upload(*input);
      wrapped[name] = interpreter.wrap(
          {.dtype = view.dtype(), .sizes = view.sizes(), .data = view.raw(), .strides = view.strides()});
    }
    const std::vector<Tensor> outputs = graph.add_outputs(std::move(spec));
    for (std::size_t port = 0; port < outputs.size(); ++port) {
      graph.set_output("out_" + std::to_string(port), outputs[port]);
    }
    const NamedArrays expected = interpreter.download_all(interpreter.execute(graph, dense));
    for (const auto& [name, actual] : interpreter.download_all(interpreter.execute(graph, wrapped))) {
      EXPECT_TRUE(identical(actual, expected.at(name))) << name;
    }
  }
}

ASG_FOR_ALL_OPS(OpValues);

}  // namespace
}  // namespace asg::test
