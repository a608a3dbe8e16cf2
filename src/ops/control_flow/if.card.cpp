#include <set>
#include <string>

#include "asg/graph/body.h"
#include "ops/control_flow/subgraph_cases.h"
#include "ops/control_flow/subgraphs.h"
#include "ops/support/cards.h"
#include "ops/support/cost.h"

namespace asg::cards {

namespace {

using ops::SampleGraph;

// A branch typed by what is passed to it.
Graph typed_branch(const InferContext& ctx, const char* name) {
  const Graph& branch = ops::closed_graph(ctx, name);
  const std::vector<OutputInfo> captures = ops::infos_of(ctx, 1);
  if (captures.size() != branch.inputs().size()) {
    fail(ErrorCode::capture_mismatch,
         std::to_string(captures.size()) + " captures for '" + name + "' with " +
             std::to_string(branch.inputs().size()) + " inputs",
         "one capture for each input of both branches, in order");
  }
  return retype(branch, captures);
}

// The lengths of an output: equal in both branches, except that one which only data inside a branch decide gets a
// name out here. Nothing where they differ.
std::optional<std::vector<Dim>> common_lengths(InferContext& ctx, const Shape& a, const Shape& b,
                                               const std::set<std::string>& outside) {
  if (a.rank() != b.rank()) return std::nullopt;
  std::vector<Dim> dims;
  for (int axis = 0; axis < a.rank(); ++axis) {
    const bool known = ops::is_told(a[axis], outside) && ops::is_told(b[axis], outside);
    if (known && a[axis] != b[axis]) return std::nullopt;
    dims.push_back(known ? a[axis] : ctx.fresh_symbol());
  }
  return dims;
}

void infer(InferContext& ctx) {
  if (ctx.shape(0).rank() != 0) {
    fail(ErrorCode::bad_shape, "a condition of shape " + ctx.shape(0).to_string(), "one bool, a scalar",
         "to choose element by element use Where");
  }
  const Graph then_branch = typed_branch(ctx, "then_branch");
  const Graph else_branch = typed_branch(ctx, "else_branch");
  const auto then_outputs = then_branch.outputs();
  const auto else_outputs = else_branch.outputs();
  if (then_outputs.size() != else_outputs.size() || then_outputs.empty()) {
    fail(ErrorCode::wrong_input_count,
         std::to_string(then_outputs.size()) + " outputs of 'then_branch' and " + std::to_string(else_outputs.size()) +
             " of 'else_branch'",
         "the same number of both, at least one");
  }
  const std::set<std::string> outside = ops::symbols_of(ops::infos_of(ctx, 1));
  for (std::size_t index = 0; index < then_outputs.size(); ++index) {
    const TensorType& type = then_branch.type(then_outputs[index].value);
    const TensorType& other = else_branch.type(else_outputs[index].value);
    auto dims = common_lengths(ctx, type.shape, other.shape, outside);
    if (type.dtype != other.dtype || !dims) {
      fail(ErrorCode::type_mismatch,
           "output " + std::to_string(index) + " is " + type.to_string() + " in 'then_branch' and " +
               other.to_string() + " in 'else_branch'",
           "the same type in both branches", "cast, reshape or pad one of them");
    }
    ctx.output({type.dtype, Shape(*std::move(dims))});
  }
}

void kernel(KernelContext& ctx) {
  const bool condition = ctx.in(0).data<bool>().front();
  ops::SubgraphRuns branch(ctx, ops::closed_graph(ctx, condition ? "then_branch" : "else_branch"));
  const std::vector<Array> results = branch.run(ops::stored_inputs(ctx, 1), 0);
  for (std::size_t index = 0; index < results.size(); ++index) {
    ops::set_output(ctx, static_cast<int>(index), results[index]);
  }
}

const OpCard& op_neg() {
  static const OpCard kCard = card_neg();
  return kCard;
}

// a * b, and a + b.
Attrs product_or_sum(const Sizes& a, const Sizes& b) {
  SampleGraph product({a, b});
  product.output(product.times(product.in(0), product.in(1)));
  SampleGraph sum({a, b});
  sum.output(sum.plus(sum.in(0), sum.in(1)));
  return {{"then_branch", product.finish()}, {"else_branch", sum.finish()}};
}

// (a * a, a) or (-a, a + a): two outputs, one of which a branch passes through.
Attrs two_outputs(const Sizes& a) {
  SampleGraph square({a});
  square.output(square.times(square.in(0), square.in(0))).output(square.in(0));
  SampleGraph negative({a});
  negative.output(negative.add(op_neg(), {negative.in(0)}));
  negative.output(negative.plus(negative.in(0), negative.in(0)));
  return {{"then_branch", square.finish()}, {"else_branch", negative.finish()}};
}

std::vector<Sample> samples() {
  const auto condition = [](bool value) { return in_bools({}, {value}); };
  const auto given = [](std::vector<double> values) { return in_exact(Array::of<double>({2}, values)); };
  return {
      {.name = "then",
       .inputs = {condition(true), in({2, 3, 4}), in({2, 3, 4})},
       .attrs = product_or_sum({2, 3, 4}, {2, 3, 4})},
      {.name = "else", .inputs = {condition(false), in({2, 3}), in({3})}, .attrs = product_or_sum({2, 3}, {3})},
      {.name = "then_exact",
       .inputs = {condition(true), given({2, 3}), given({5, 7})},
       .attrs = product_or_sum({2}, {2}),
       .expected = {Array::of<double>({2}, {10, 21})}},
      {.name = "else_exact",
       .inputs = {condition(false), given({2, 3}), given({5, 7})},
       .attrs = product_or_sum({2}, {2}),
       .expected = {Array::of<double>({2}, {7, 10})}},
      {.name = "then_two", .inputs = {condition(true), in({3, 2})}, .attrs = two_outputs({3, 2})},
      {.name = "else_two", .inputs = {condition(false), in({3, 2})}, .attrs = two_outputs({3, 2})},
      {.name = "empty", .inputs = {condition(true), in({0, 3})}, .attrs = two_outputs({0, 3}), .gradient = false},
  };
}

std::vector<BadSample> bad_samples() {
  const Attrs two = two_outputs({2});
  Attrs uneven = two;
  uneven.set("then_branch", SampleGraph({Sizes{2}}).finish());
  SampleGraph first({Sizes{2}, Sizes{3}});
  first.output(first.in(0));
  SampleGraph second({Sizes{2}, Sizes{3}});
  second.output(second.in(1));
  const Attrs other_types = {{"then_branch", first.finish()}, {"else_branch", second.finish()}};
  return {
      {.name = "condition_vector",
       .inputs = {in_bools({2}, {true, false}), in({2})},
       .attrs = two,
       .code = ErrorCode::bad_shape,
       .contains = "use Where"},
      {.name = "missing_capture",
       .inputs = {in_bools({}, {true})},
       .attrs = two,
       .code = ErrorCode::capture_mismatch,
       .contains = "0 captures for 'then_branch' with 1 inputs"},
      {.name = "other_number_of_outputs",
       .inputs = {in_bools({}, {true}), in({2})},
       .attrs = uneven,
       .code = ErrorCode::wrong_input_count,
       .contains = "0 outputs of 'then_branch' and 2 of 'else_branch'"},
      {.name = "other_types",
       .inputs = {in_bools({}, {true}), in({2}), in({3})},
       .attrs = other_types,
       .code = ErrorCode::type_mismatch,
       .contains = "the same type in both branches"},
      {.name = "no_branch",
       .inputs = {in_bools({}, {true}), in({2})},
       .code = ErrorCode::missing_attribute,
       .contains = "then_branch"},
  };
}

}  // namespace

OpCard card_if() {
  return {
      .name = "If",
      .category = Category::control_flow,
      .inputs = {{.name = "condition",
                  .dtypes = kBool,
                  .type = "",
                  .words = {"one bool that chooses the branch", "одно логическое значение, выбирающее ветвь"},
                  .differentiable = false},
                 {.name = "captures",
                  .dtypes = kAnyType,
                  .type = "",
                  .kind = PortKind::variadic,
                  .words = {"what the branches use, in the order of their inputs",
                            "захваченные значения, которыми пользуются ветви, в порядке их входов"}}},
      .outputs = {{.name = "outputs",
                   .dtypes = kAnyType,
                   .type = "",
                   .kind = PortKind::variadic,
                   .words = {"the outputs of the branch that was run", "выходы выполненной ветви"}}},
      .attributes = {{.name = "then_branch",
                      .kind = AttrKind::graph,
                      .words = {"what to compute when the condition holds", "что вычислять, если условие выполнено"}},
                     {.name = "else_branch",
                      .kind = AttrKind::graph,
                      .words = {"what to compute when it does not", "что вычислять, если не выполнено"}}},
      .infer = infer,
      .kernel = kernel,
      // Built by autograd: another If, whose branches are the gradients of these.
      .gradient_kind = GradientKind::rule,
      .cost = ops::cost_per_output(0),
      .onnx = {{.op = "If", .since = 11}},
      .torch = "torch.cond",
      .tolerance = {.f64 = 1e-12, .f32 = 1e-5, .f16 = 1e-2, .bf16 = 8e-2},
      .words =
          {.what = {"Runs one of two graphs, chosen by a single condition while the program runs; the other one costs "
                    "nothing. Both take the same captures and must give outputs of the same types.",
                    "Выполняет один из двух графов: какой, решает одно условие во время работы, а другой ничего не "
                    "стоит. Оба получают одни и те же захваченные значения и должны давать выходы одинаковых типов."},
           .formula = R"(y = \begin{cases} f(x) & c \\ g(x) & \text{otherwise} \end{cases})",
           .why =
               {"Some work is needed only sometimes: the first step of a generation fills a cache, later ones use "
                "it. Unlike Where, which computes both sides and picks element by element, If skips a whole part of "
                "the graph. The gradient flows through the branch that was taken.",
                "Часть работы нужна не всегда: первый шаг генерации заполняет кэш, следующие им пользуются. В отличие "
                "от Where, которая вычисляет обе стороны и выбирает поэлементно, If пропускает целую часть графа. "
                "Градиент проходит через выполненную ветвь."}},
      .samples = samples(),
      .bad_samples = bad_samples(),
  };
}

}  // namespace asg::cards
