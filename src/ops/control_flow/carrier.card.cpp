#include <string>

#include "asg/graph/body.h"
#include "asg/graph/card.h"
#include "asg/graph/walk.h"
#include "ops/support/cost.h"

namespace asg::cards {

OpCard card_input();
OpCard card_add();
OpCard card_mul();

namespace {

const Graph& carried(const AttrReader& ctx) {
  const GraphPtr& graph = ctx.attr("body").as_graph();
  if (graph == nullptr) fail(ErrorCode::bad_attribute, "no graph for 'body'", "the graph that is carried");
  if (!graph->variable_ids().empty()) {
    fail(ErrorCode::capture_mismatch, "variables inside 'body'", "a closed graph, whose values all come in as inputs",
         "read the variable outside and pass it in");
  }
  return *graph;
}

void infer(InferContext& ctx) {
  std::vector<OutputInfo> inputs;
  for (int index = 0; index < ctx.input_count(); ++index) {
    OutputInfo info{ctx.type(index), nullptr};
    if (auto known = ctx.known(index)) info.known = std::make_shared<const std::vector<Dim>>(*std::move(known));
    inputs.push_back(std::move(info));
  }
  const Graph typed = retype(carried(ctx), inputs);
  if (typed.outputs().empty()) {
    fail(ErrorCode::wrong_input_count, "a graph without outputs for 'body'", "at least one output");
  }
  for (const Output& output : typed.outputs()) ctx.output(typed.type(output.value));
}

// The carried graph, node by node.
void body(BodyContext& ctx) {
  const Graph& graph = carried(ctx);
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

// Values cross the border in their storage types, as between any two graphs.
void kernel(KernelContext& ctx) {
  std::vector<Array> inputs;
  for (std::size_t index = 0; index < ctx.inputs.size(); ++index) {
    inputs.push_back(ctx.inputs[index].cast(ctx.input_dtypes[index]));
  }
  const std::vector<Array> results = ctx.run_graph(carried(ctx), inputs);
  for (std::size_t port = 0; port < results.size(); ++port) {
    ctx.outputs[port].assign(results[port].cast(ctx.outputs[port].dtype()));
  }
}

// For the samples: (a + b, a * b). Made of cards of its own, since the registry does not hold all of them yet.
GraphPtr sum_and_product(const Sizes& a, const Sizes& b) {
  static const OpCard kInput = card_input();
  static const OpCard kAdd = card_add();
  static const OpCard kMul = card_mul();
  Graph graph("sum_and_product");
  std::vector<Value> inputs;
  for (const Sizes* sizes : {&a, &b}) {
    const NodeId input = graph.add({.op = &kInput,
                                    .attrs = {{"type", TensorType{DType::f64, Shape::of(*sizes)}}},
                                    .name = "input_" + std::to_string(inputs.size())});
    inputs.push_back({input, 0});
  }
  const Tensor sum = graph.tensor({graph.add({.op = &kAdd, .inputs = inputs}), 0});
  graph.set_output("sum", sum);
  graph.set_output("product", graph.tensor({graph.add({.op = &kMul, .inputs = inputs}), 0}));
  return std::make_shared<const Graph>(std::move(graph));
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
