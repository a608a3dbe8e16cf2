// Graphs whose values have several readers in one kernel: what is stored in place must not change what others read.
#include <array>
#include <functional>

#include "asg/autograd/products.h"
#include "asg/backend/cpu.h"
#include "asg/backend/interpreter.h"
#include "asg/core/random.h"
#include "asg/graph/expand.h"
#include "asg/nn/nn.h"
#include "asg/ops/ops.h"
#include "support/compare.h"

namespace asg::test {
namespace {

NamedArrays random_inputs(const Graph& graph) {
  NamedArrays inputs;
  for (const NodeId id : graph.inputs()) {
    const TensorType& type = graph.type({id, 0});
    Array values(type.dtype, type.shape.sizes());
    const RandomStream stream(id.number, 11);
    for (std::int64_t k = 0; k < values.count(); ++k) values.set(k, stream.normal(static_cast<std::uint64_t>(k)));
    inputs[graph.node(id).path()] = values;
  }
  return inputs;
}

void expect_like_interpreter(const Graph& graph) {
  const NamedArrays inputs = random_inputs(graph);
  Interpreter interpreter;
  const std::unique_ptr<Executable> expected = interpreter.compile(graph);
  CpuBackend cpu(2);
  const std::unique_ptr<Executable> compiled = cpu.compile(graph, {.passes = {.verify = true}});
  for (const VarId id : graph.variable_ids()) {
    const Array value = initial_value(graph.variable(id), 5);
    expected->write(id, value);
    compiled->write(id, value);
  }
  const StepResult want = expected->run(inputs);
  const StepResult have = compiled->run(inputs);
  for (const auto& [name, value] : want.outputs) EXPECT_TRUE(near(have.outputs.at(name), value, 1e-5)) << name;
}

// The kernel that computes S·2 sums S too.
TEST(InPlace, KeepsWhatASumOverLeadingAxesReads) {
  Graph graph("sums");
  const Tensor x = graph.input("x", {DType::f32, {4, 16}});
  const Tensor k0 = graph.input("k0", {DType::f32, {16, 24}});
  const Tensor k1 = graph.input("k1", {DType::f32, {24, 8}});
  const Tensor s = mat_mul(x, k0);
  graph.set_output("y", mat_mul(s * graph.scalar(DType::f32, 2), k1));
  graph.set_output("z", reduce_sum(s, {0}));
  expect_like_interpreter(graph);
}

struct AfterNorm {
  const char* name;
  std::function<Tensor(Graph&, const Tensor&)> apply;
};

// The gradients of scale and bias are sums over rows of a value that the gradient by the input reads as well.
TEST(InPlace, KeepsGradientsOfLayerNormBeforeOtherOps) {
  const AfterNorm rows[] = {
      {"MatMul", [](Graph& graph, const Tensor& x) { return mat_mul(x, graph.input("k", {DType::f32, {24, 8}})); }},
      {"Slice", [](Graph&, const Tensor& x) { return slice(x, Ints{1}, Ints{20}, Ints{1}); }},
      {"Pad", [](Graph&, const Tensor& x) { return pad(x, Ints{0, 1, 0, 2}); }},
      {"CumSum",
       [](Graph& graph, const Tensor& x) { return cum_sum(x, graph.constant(Array::of<std::int64_t>({}, {1}))); }},
      {"Gather",
       [](Graph& graph, const Tensor& x) {
         return gather(x, graph.constant(Array::of<std::int64_t>({3}, {2, 0, 2})), {.axis = 1});
       }},
  };
  for (const AfterNorm& row : rows) {
    SCOPED_TRACE(row.name);
    Graph graph("norm");
    const Tensor x = graph.input("x", {DType::f32, {6, 24}});
    graph.set_output("y", row.apply(graph, nn::layer_norm(x, {.name = "norm"})));
    // By x, then by the layer's scale and bias, whose layer is the node before.
    std::vector<Value> wrt = {x.value()};
    const Graph opened = expand(graph, Mode::train).graph;
    Graph plain = opened;
    for (const VarId id : plain.variable_ids()) wrt.push_back(plain.read(id).value());
    wrt.front() = Value{plain.inputs().front(), 0};
    const Value last = plain.outputs().front().value;
    expect_like_interpreter(vjp(plain, std::array{last}, {}, wrt).graph);
  }
}

}  // namespace
}  // namespace asg::test
