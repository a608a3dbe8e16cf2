#include "asg/graph/body.h"
#include "asg/graph/walk.h"
#include "ops/control_flow/subgraph_cases.h"
#include "ops/control_flow/subgraphs.h"
#include "ops/support/cost.h"

namespace asg::cards {

namespace {

void infer(InferContext& ctx) {
  const Graph typed = retype(ops::closed_graph(ctx, "body"), ops::infos_of(ctx, 0));
  if (typed.outputs().empty()) {
    fail(ErrorCode::wrong_input_count, "a graph without outputs for 'body'", "at least one output");
  }
  for (const Output& output : typed.outputs()) ctx.output(typed.type(output.value));
}

// The carried graph, node by node.
void body(BodyContext& ctx) {
  const Graph& graph = ops::closed_graph(ctx, "body");
  Remap values;
  for (std::size_t index = 0; index < ctx.inputs.size(); ++index) {
    values.set({graph.inputs()[index], 0}, ctx.inputs[index].value());
  }
  for (NodeId id : topological_order(graph)) {
    const Node& node = graph.node(id);
    if (node.op->traits.leaf && node.op->name == "Input") continue;
    NodeSpec spec;
    spec.op = node.op;
    for (Value input : node.inputs) spec.inputs.push_back(input ? values(input) : Value{});
    spec.attrs = node.attrs;
    spec.name = node.name;
    spec.scope = node.scope;
    spec.body = node.body;
    spec.stream = node.stream;
    spec.where = node.where;
    const std::vector<Tensor> outputs = ctx.graph().add_outputs(std::move(spec));
    for (std::uint32_t port = 0; port < outputs.size(); ++port) values.set({id, port}, outputs[port].value());
  }
  for (const Output& output : graph.outputs()) ctx.output(ctx.graph().tensor(values(output.value)));
}

// Its nodes draw what they would draw outside, so they keep their streams.
void kernel(KernelContext& ctx) {
  const std::vector<Array> results = ctx.run_graph(ops::closed_graph(ctx, "body"), ops::stored_inputs(ctx, 0));
  for (std::size_t port = 0; port < results.size(); ++port) {
    ops::set_output(ctx, static_cast<int>(port), results[port]);
  }
}

// For the samples: (a + b, a * b).
GraphPtr sum_and_product(const Sizes& a, const Sizes& b) {
  ops::SampleGraph graph({a, b});
  const Value sum = graph.plus(graph.in(0), graph.in(1));
  graph.output(sum).output(graph.times(graph.in(0), graph.in(1)));
  return graph.finish();
}

std::vector<Sample> samples() {
  const auto given = [](std::vector<double> values) { return in_exact(Array::of<double>({2}, values)); };
  return {
      {.name = "equal_shapes",
       .inputs = {in({2, 3, 4}), in({2, 3, 4})},
       .attrs = {{"body", sum_and_product({2, 3, 4}, {2, 3, 4})}}},
      {.name = "other_shapes", .inputs = {in({4, 3}), in({3})}, .attrs = {{"body", sum_and_product({2, 3}, {3})}}},
      {.name = "exact",
       .inputs = {given({2, 3}), given({5, 7})},
       .attrs = {{"body", sum_and_product({2}, {2})}},
       .expected = {Array::of<double>({2}, {7, 10}), Array::of<double>({2}, {10, 21})}},
      {.name = "empty",
       .inputs = {in({0, 3}), in({3})},
       .attrs = {{"body", sum_and_product({2, 3}, {3})}},
       .gradient = false},
  };
}

std::vector<BadSample> bad_samples() {
  return {
      {.name = "too_few_values",
       .inputs = {in({2})},
       .attrs = {{"body", sum_and_product({2}, {2})}},
       .code = ErrorCode::capture_mismatch,
       .contains = "1 values"},
      {.name = "no_outputs",
       .inputs = {},
       .attrs = {{"body", std::make_shared<const Graph>("nothing")}},
       .code = ErrorCode::wrong_input_count,
       .contains = "at least one output"},
      {.name = "no_body", .inputs = {in({2})}, .code = ErrorCode::missing_attribute, .contains = "body"},
  };
}

}  // namespace

OpCard card_carrier() {
  return {
      .name = "Carrier",
      .category = Category::control_flow,
      .inputs = {{.name = "inputs",
                  .dtypes = kAnyType,
                  .type = "",
                  .kind = PortKind::variadic,
                  .words = {"what the carried graph uses, in the order of its inputs",
                            "то, чем пользуется вложенный граф, в порядке его входов"}}},
      .outputs = {{.name = "outputs",
                   .dtypes = kAnyType,
                   .type = "",
                   .kind = PortKind::variadic,
                   .words = {"the outputs of the carried graph", "выходы вложенного графа"}}},
      .attributes = {{.name = "body",
                      .kind = AttrKind::graph,
                      .words = {"the graph that is run as one", "граф, который выполняется как одно целое"}}},
      .infer = infer,
      .body = body,
      .kernel = kernel,
      .gradient_kind = GradientKind::body,
      .cost = ops::cost_per_output(0),
      .torch = "torch.fx.GraphModule",
      .tolerance = {.f64 = 1e-12, .f32 = 1e-5, .f16 = 1e-2, .bf16 = 8e-2},
      .words =
          {.what = {"Holds a part of the graph that a device wants to run as a whole. It computes exactly what the "
                    "nodes inside would compute one by one.",
                    "Содержит часть графа, которую устройство хочет выполнить целиком. Вычисляет ровно то, что "
                    "вычислили бы её узлы по одному."},
           .formula = R"(y = f(x_1, \dots, x_n))",
           .why = {"Some devices are fast only when they see many ops at once and can plan them together. The compiler "
                   "gathers what such a device claims into carriers and hands each over in one piece; people never "
                   "need to make one.",
                   "Некоторые устройства быстры, лишь когда видят много операций сразу и планируют их вместе. "
                   "Компилятор собирает то, что берёт такое устройство, и передаёт одним куском; самим создавать "
                   "такие узлы не нужно."}},
      .samples = samples(),
      .bad_samples = bad_samples(),
  };
}

}  // namespace asg::cards
