#include "grad/mistakes.h"

#include "asg/autograd/gradients.h"
#include "asg/backend/interpreter.h"
#include "asg/graph/graph.h"
#include "asg/ops/ops.h"
#include "support/compare.h"

namespace asg::test {
namespace {

Array gradient_of(const Mistake& row) {
  Graph graph;
  std::vector<Tensor> inputs;
  NamedArrays values;
  for (const Array& input : row.inputs) {
    const std::string name = "input_" + std::to_string(inputs.size());
    if (!is_float(input.dtype())) {
      inputs.push_back(graph.constant(input));
      continue;
    }
    inputs.push_back(graph.input(name, {input.dtype(), Shape::of(input.sizes())}));
    values[name] = input;
  }
  const Tensor y = add_op(row.op, inputs, row.attrs);
  EXPECT_EQ(y.shape(), Shape::of(row.weights.sizes()));
  const Tensor loss = add_op("ReduceSum", {y * graph.constant(row.weights)}, {{"keepdims", false}});
  graph.set_output("loss", loss);
  const Differentiated joint =
      differentiate(graph, loss.value(), std::vector<Value>{inputs[row.by].value()}, Mode::train);
  EXPECT_TRUE(joint.warnings.empty()) << joint.warnings.front();
  Interpreter interpreter;
  return interpreter.download_all(interpreter.execute(joint.graph, interpreter.upload_all(values))).at("gradient:0");
}

TEST_P(Mistakes, IsNotRepeated) { EXPECT_TRUE(near(gradient_of(GetParam()), GetParam().gradient, 1e-12)); }

}  // namespace
}  // namespace asg::test
