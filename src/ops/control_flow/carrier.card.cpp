#include "ops/control_flow/subgraph_cases.h"
#include "ops/control_flow/subgraphs.h"
#include "ops/support/cost.h"

namespace asg::cards {

namespace {

void body(BodyContext& ctx) { ops::inline_graph(ctx, ops::closed_graph(ctx, "body")); }

// Its nodes draw what they would draw outside, so they keep their streams.
void kernel(KernelContext& ctx) {
  const std::vector<Array> results = ctx.run_graph(ops::closed_graph(ctx, "body"), ops::stored_inputs(ctx, 0));
  for (std::size_t port = 0; port < results.size(); ++port) {
    ops::set_output(ctx, static_cast<int>(port), results[port]);
  }
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
      .infer = ops::infer_called,
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
                   "Компилятор собирает то, что берёт на себя такое устройство, в узлы Carrier и передаёт каждый одним "
                   "куском; вручную их создавать не нужно."}},
      .samples = ops::called_samples(),
      .bad_samples = ops::bad_called_samples(),
  };
}

}  // namespace asg::cards
