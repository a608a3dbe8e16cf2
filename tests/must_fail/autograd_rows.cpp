#include "asg/autograd/gradients.h"
#include "asg/autograd/split.h"
#include "asg/graph/registry.h"
#include "asg/ops/ops.h"
#include "must_fail/rows.h"

namespace asg::test {
namespace {

// A user's own op whose author gave it no gradient, and says why.
const OpCard& opaque_op() {
  static const OpCard& card = Registry::global().add({
      .name = "user.Opaque",
      .inputs = {{.name = "x"}},
      .outputs = {{.name = "y"}},
      .infer = [](InferContext& ctx) { ctx.output(ctx.type(0)); },
      .kernel = [](KernelContext& ctx) { ctx.out().assign(ctx.in(0)); },
      .gradient_reason = "it calls a program that nobody can differentiate",
  });
  return card;
}

void differentiate_an_opaque_op() {
  Graph graph;
  const Tensor x = graph.input("x", {DType::f32, {}});
  const Tensor targets[] = {x};
  add_gradients(add_op(opaque_op().name, {x}), targets);
}

void differentiate_a_matrix() {
  Graph graph;
  const Tensor x = graph.input("x", {DType::f32, {Dim(2), Dim(3)}});
  const Tensor targets[] = {x};
  add_gradients(exp(x), targets);
}

// The gradient of one model, linked to another.
void link_to_another_graph() {
  Graph graph;
  const Tensor x = graph.input("x", {DType::f32, {}});
  const Tensor targets[] = {x};
  const GradientResult result = add_gradients(exp(x), targets);
  graph.set_output("gradient", result.gradients[0]);
  const SplitGraphs parts = split(graph);
  link(Graph("other", GraphId{7}), parts.gradient);
}

}  // namespace

std::vector<MustFail> autograd_rows() {
  return {
      {ErrorCode::no_gradient, "an_opaque_op", differentiate_an_opaque_op, "a gradient through op 'user.Opaque'",
       "an op with a gradient rule", "it calls a program that nobody can differentiate"},
      {ErrorCode::not_scalar, "a_matrix", differentiate_a_matrix, "a loss of type f32[2, 3]", "a float of rank 0",
       "reduce it with reduce_sum or reduce_mean (keepdims = false), or use add_vjp"},
      {ErrorCode::unknown_graph, "another_forward_graph", link_to_another_graph, "External of graph 1",
       "a value of graph 7, the forward graph"},
  };
}

}  // namespace asg::test
