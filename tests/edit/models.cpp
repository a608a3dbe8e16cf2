#include "edit/models.h"

#include <memory>

#include <gtest/gtest.h>

#include "asg/graph/registry.h"
#include "asg/nn/nn.h"

namespace asg::test {

Tensor add_named(Graph& graph, std::string_view op, std::vector<Tensor> inputs, Attrs attrs, std::string name) {
  NodeSpec spec;
  spec.op = &Registry::global().get(op);
  for (const Tensor& input : inputs) spec.inputs.push_back(input.value());
  spec.attrs = std::move(attrs);
  spec.name = std::move(name);
  return graph.add_outputs(std::move(spec)).front();
}

Graph mlp() {
  Graph graph("mlp");
  const Tensor x = graph.input("x", {DType::f32, {Dim::symbol("batch"), 4}});
  Tensor y = add_named(graph, "nn.Linear", {x}, {{"units", 8}}, "fc_1");
  y = add_named(graph, "Relu", {y}, {}, "act");
  graph.set_output("y", add_named(graph, "nn.Linear", {y}, {{"units", 3}}, "fc_2"));
  return graph;
}

Graph transformer() {
  Graph graph("transformer");
  const Tensor x = graph.input("x", {DType::f32, {Dim::symbol("batch"), Dim::symbol("seq"), 8}});
  Tensor y;
  {
    const Graph::ScopeGuard scope(graph, "encoder");
    y = add_named(graph, "nn.TransformerBlock", {x}, {{"heads", 2}, {"hidden", 16}, {"dropout", 0.1}}, "block_1");
  }
  graph.set_output("y", add_named(graph, "nn.Linear", {y}, {{"units", 3}}, "head"));
  return graph;
}

Graph tied() {
  Graph graph("tied");
  const Tensor tokens = graph.input("tokens", {DType::i64, {Dim::symbol("batch"), Dim::symbol("seq")}});
  Tensor y = add_named(graph, "nn.Embedding", {tokens}, {{"count", 6}, {"width", 4}}, "table");
  y = add_named(graph, "nn.Linear", {y}, {{"units", 4}}, "mix");
  NodeSpec spec;
  spec.op = &Registry::global().get("nn.Linear");
  spec.inputs = {y.value()};
  spec.attrs = {{"units", 6}, {"bias", false}, {"transposed", true}};
  spec.name = "logits";
  spec.bindings = {{"weight", graph.find_variable("table.weight")}};
  graph.set_output("y", graph.add_outputs(std::move(spec)).front());
  return graph;
}

Graph convolutional() {
  using Ints64 = std::vector<std::int64_t>;
  Graph graph("convolutional");
  const Tensor image = graph.input("image", {DType::f32, {Dim::symbol("batch"), 2, 6, 6}});
  Tensor y = add_named(graph, "nn.Conv2d", {image}, {{"channels", 4}, {"kernel", Ints64{3, 3}}}, "conv_1");
  y = add_named(graph, "nn.BatchNorm", {y}, {}, "norm");
  y = add_named(graph, "Relu", {y}, {}, "relu");
  y = add_named(graph, "nn.Conv2d", {y}, {{"channels", 3}, {"kernel", Ints64{1, 1}}}, "conv_2");
  const Tensor axes = graph.constant(Array::ints({2, 3}));
  graph.set_output("y", add_named(graph, "ReduceMean", {y, axes}, {{"keepdims", false}}, "mean"));
  return graph;
}

namespace {

GraphPtr branch(std::string_view op) {
  Graph graph("branch");
  const Tensor captured = graph.input("captured", {DType::f32, {4}});
  graph.set_output("result", add_op(op, {captured}));
  return std::make_shared<const Graph>(std::move(graph));
}

}  // namespace

Graph plain() {
  Graph graph("plain");
  const Tensor x = graph.input("x", {DType::f32, {4}});
  const Tensor flag = graph.input("flag", {DType::boolean, {}});
  const Tensor factor = graph.scalar(DType::f32, 2).named("factor");
  const Tensor doubled = add_named(graph, "Mul", {x, factor}, {}, "doubled");
  const Tensor chosen = add_named(graph, "If", {flag, doubled},
                                  {{"then_branch", branch("Neg")}, {"else_branch", branch("Abs")}}, "chosen");
  const Tensor bias = graph.parameter("bias", {DType::f32, {4}}, Initializer::zeros());
  const Tensor sum = add_named(graph, "Add", {chosen, bias}, {}, "sum");
  const Tensor shape = graph.constant(Array::ints({2, 2})).named("shape");
  const Tensor square = add_named(graph, "Reshape", {sum, shape}, {}, "square");
  const std::vector<Tensor> halves = add_op_outputs("Split", {sum}, {{"num_outputs", 2}});
  halves[0].named("halves");
  const VarId calls = graph.add_variable(
      {.id = {}, .name = "calls", .type = {DType::f32, {4}}, .init = {}, .kind = VarKind::buffer, .trainable = false});
  graph.add_update(calls, graph.read(calls) + doubled);
  graph.set_output("y", square);
  graph.set_output("z", halves[1]);
  return graph;
}

EditOutcome outcome(const Graph& graph, std::string_view edit) { return check(graph, edit_from_json(edit)); }

Graph after(const Graph& graph, std::string_view edit) {
  EditOutcome result = outcome(graph, edit);
  EXPECT_TRUE(result.report.ok()) << result.report.to_text() << edit;
  return std::move(result.after);
}

}  // namespace asg::test
