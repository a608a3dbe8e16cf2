#include <limits>
#include <string>

#include "asg/core/limits.h"
#include "ops/control_flow/loop_form.h"
#include "ops/control_flow/scan_form.h"
#include "ops/control_flow/subgraph_cases.h"
#include "ops/support/cards.h"
#include "ops/support/cost.h"
#include "ops/support/indexing.h"

namespace asg::cards {

namespace {

using ops::kFirstLoopState;
using ops::SampleGraph;

const TensorType& number_type() {
  static const TensorType kType{DType::i64, {}};
  return kType;
}

const TensorType& condition_type() {
  static const TensorType kType{DType::boolean, {}};
  return kType;
}

void check_one_element(const InferContext& ctx, int index, const char* what) {
  if (!ctx.has(index)) return;
  const Shape& shape = ctx.shape(index);
  if (shape.rank() == 0 || shape == Shape{1}) return;
  fail(ErrorCode::bad_shape, std::string(what) + " of shape " + shape.to_string(), "one number, a scalar");
}

int count_states(const AttrReader& ctx, const Graph& body, int given) {
  const int captures = static_cast<int>(ctx.integer("num_captures"));
  const int states = given - kFirstLoopState - captures;
  if (states < 0 || static_cast<int>(body.inputs().size()) != given) {
    fail(ErrorCode::capture_mismatch,
         std::to_string(given) + " inputs and " + std::to_string(captures) + " captures for a body with " +
             std::to_string(body.inputs().size()) + " inputs",
         "a body that takes the number of the iteration, the condition, the states and the captures, in this order");
  }
  if (static_cast<int>(body.outputs().size()) <= states) {
    fail(ErrorCode::wrong_input_count,
         std::to_string(body.outputs().size()) + " outputs of a body with " + std::to_string(states) + " states",
         "the condition, the next value of each state, then what is stacked");
  }
  return states;
}

void check_end(const InferContext& ctx, const Graph& body) {
  if (ctx.has(0) || !ops::never_ends(body)) return;
  fail(ErrorCode::bad_attribute, "a loop without a trip count whose body always goes on",
       "a trip count, or a condition that the body computes", "give the most iterations that it may run");
}

// How often the loop runs where that is known while building; else a length that the data decide.
Dim trips(InferContext& ctx, const Graph& body) {
  const auto known = ctx.known(0);
  if (!known || ctx.has(1) || !ops::never_ends(body)) return ctx.fresh_symbol();
  return ops::not_negative(known->front());
}

void infer(InferContext& ctx) {
  check_one_element(ctx, 0, "a trip count");
  check_one_element(ctx, 1, "a condition");
  const Graph& body = ops::closed_graph(ctx, "body");
  const int states = count_states(ctx, body, std::max(ctx.input_count(), kFirstLoopState));
  check_end(ctx, body);
  std::vector<OutputInfo> infos = {{number_type(), nullptr}, {condition_type(), nullptr}};
  for (int index = 0; index < states; ++index) infos.push_back({ctx.type(kFirstLoopState + index), nullptr});
  ops::append(infos, ops::infos_of(ctx, kFirstLoopState + states));
  const ops::CarriedBody carried = ops::carried_body(body, infos, kFirstLoopState, states, 1);
  const auto outputs = carried.graph.outputs();
  const TensorType& condition = carried.graph.type(outputs[0].value);
  if (condition.dtype != DType::boolean || condition.shape.rank() > 1) {
    fail(ErrorCode::type_mismatch, "a condition of type " + condition.to_string() + " from the body", "one bool");
  }
  for (int index = 0; index < states; ++index) ctx.output(ctx.type(kFirstLoopState + index));
  if (static_cast<int>(outputs.size()) == states + 1) return;
  const Dim length = trips(ctx, body);
  for (std::size_t index = static_cast<std::size_t>(states) + 1; index < outputs.size(); ++index) {
    const TensorType& type = carried.graph.type(outputs[index].value);
    const Shape element = ops::seen_from_outside(ctx, type.shape, carried.outside);
    ctx.output({type.dtype, ops::with_axis(element, 0, length)});
  }
}

void kernel(KernelContext& ctx) {
  const Graph& body = ops::closed_graph(ctx, "body");
  const int given = std::max(ctx.input_count(), kFirstLoopState);
  const auto states = static_cast<std::size_t>(count_states(ctx, body, given));
  const std::int64_t most = ctx.has(0) ? ctx.in(0).get_i64(0) : std::numeric_limits<std::int64_t>::max();
  bool go_on = !ctx.has(1) || ctx.in(1).get(0) != 0;
  std::vector<Array> values = {Array::scalar_i64(0), Array::scalar(DType::boolean, 1)};
  if (ctx.input_count() > kFirstLoopState) {
    for (Array& value : ops::stored_inputs(ctx, kFirstLoopState)) values.push_back(std::move(value));
  }
  std::vector<std::vector<Array>> stacks(body.outputs().size() - states - 1);
  ops::SubgraphRuns runs(ctx, body);
  // A count that nothing but itself ends is refused before it begins; one that data may end, when it gets there.
  const std::int64_t limit = limit_of(Limit::trips);
  if (go_on && most > limit && ops::never_ends(body)) {
    fail_limit(Limit::trips, "a loop of " + std::to_string(most) + " iterations");
  }
  for (std::int64_t iteration = 0; go_on && iteration < most; ++iteration) {
    if (iteration == limit) {
      fail_limit(Limit::trips, "a loop that goes on after " + std::to_string(limit) + " iterations");
    }
    values[0] = Array::scalar_i64(iteration);
    values[1] = Array::scalar(DType::boolean, 1);
    std::vector<Array> results = runs.run(values, kFirstLoopState + states, iteration);
    go_on = results[0].get(0) != 0;
    for (std::size_t index = 0; index < stacks.size(); ++index) {
      ops::stack(stacks[index], results[1 + states + index]);
    }
    ops::carry(values, kFirstLoopState, std::span(results).subspan(1, states));
  }
  for (std::size_t index = 0; index < states; ++index) {
    ops::set_output(ctx, static_cast<int>(index), values[kFirstLoopState + index]);
  }
  for (std::size_t index = 0; index < stacks.size(); ++index) {
    ops::set_stacked_output(ctx, static_cast<int>(states + index), stacks[index], {});
  }
}

// The inputs that every body begins with.
SampleGraph body_over(const std::vector<Sizes>& floats) {
  SampleGraph body;
  body.input(number_type());
  body.input(condition_type());
  for (const Sizes& sizes : floats) body.input({DType::f64, Shape::of(sizes)});
  return body;
}

// s' = tanh(s · w + w), stacked: s' · w. Goes on for ever.
GraphPtr recurrence(const Sizes& state, const Sizes& weight) {
  SampleGraph body = body_over({state, weight});
  const Value product = body.times(body.in(2), body.in(3));
  const Value next = body.tanh(body.plus(product, body.in(3)));
  body.output(body.in(1)).output(next).output(body.times(next, body.in(3)));
  return body.finish();
}

// s' = s · w. Goes on for ever.
GraphPtr products(const Sizes& sizes) {
  SampleGraph body = body_over({sizes, sizes});
  body.output(body.in(1)).output(body.times(body.in(2), body.in(3)));
  return body.finish();
}

// s' = s + s, stacked: s. Goes on for ever.
GraphPtr doubling(const Sizes& state) {
  SampleGraph body = body_over({state});
  body.output(body.in(1)).output(body.plus(body.in(2), body.in(2))).output(body.in(2));
  return body.finish();
}

// The same until the limit, a capture, is reached.
GraphPtr doubling_below() {
  static const OpCard kLess = card_less();
  SampleGraph body = body_over({{}, {}});
  const Value doubled = body.plus(body.in(2), body.in(2));
  body.output(body.add(kLess, {doubled, body.in(3)})).output(doubled).output(body.in(2));
  return body.finish();
}

SampleInput trip_count(std::int64_t value) { return in_exact(Array::scalar_i64(value)); }
SampleInput condition(bool value) { return in_bools({}, {value}); }
SampleInput number(double value) { return in_exact(Array::scalar(DType::f64, value)); }

std::vector<Sample> samples() {
  return {
      {.name = "doubling",
       .inputs = {trip_count(3), absent(), in_exact(Array::of<double>({2}, {1, -3}))},
       .attrs = {{"body", doubling({2})}},
       .expected = {Array::of<double>({2}, {8, -24}), Array::of<double>({3, 2}, {1, -3, 2, -6, 4, -12})}},
      {.name = "ended_by_data",
       .inputs = {absent(), absent(), number(3), number(20)},
       .attrs = {{"body", doubling_below()}, {"num_captures", 1}},
       .gradient = false,
       .expected = {Array::scalar(DType::f64, 24), Array::of<double>({3}, {3, 6, 12})}},
      {.name = "ended_by_data_or_count",
       .inputs = {trip_count(2), condition(true), number(3), number(20)},
       .attrs = {{"body", doubling_below()}, {"num_captures", 1}},
       .gradient = false,
       .expected = {Array::scalar(DType::f64, 12), Array::of<double>({2}, {3, 6})}},
      {.name = "never_begun",
       .inputs = {trip_count(2), condition(false), in_exact(Array::of<double>({2}, {1, 2}))},
       .attrs = {{"body", doubling({2})}},
       .gradient = false,
       .expected = {Array::of<double>({2}, {1, 2}), Array::of<double>({0, 2}, {})}},
      {.name = "no_iteration",
       .inputs = {trip_count(0), absent(), in({2})},
       .attrs = {{"body", doubling({2})}},
       .gradient = false},
      {.name = "capture",
       .inputs = {trip_count(3), absent(), in({2, 3, 4}), in({3, 1})},
       .attrs = {{"body", recurrence({2, 3, 4}, {3, 1})}, {"num_captures", 1}}},
      {.name = "capture_begun",
       .inputs = {in_ints({1}, {2}), in_bools({1}, {true}), in({2}), in({2})},
       .attrs = {{"body", products({2})}, {"num_captures", 1}}},
      {.name = "capture_never_begun",
       .inputs = {trip_count(2), condition(false), in({2}), in({2})},
       .attrs = {{"body", products({2})}, {"num_captures", 1}}},
  };
}

std::vector<BadSample> bad_samples() {
  SampleGraph growing = body_over({{1}, {2}});
  growing.output(growing.in(1)).output(growing.plus(growing.in(2), growing.in(3)));
  SampleGraph no_condition = body_over({{2}});
  no_condition.output(no_condition.in(2)).output(no_condition.in(2));
  return {
      {.name = "nothing_ends_it",
       .inputs = {absent(), condition(true), in({2})},
       .attrs = {{"body", doubling({2})}},
       .code = ErrorCode::bad_attribute,
       .contains = "without a trip count whose body always goes on"},
      {.name = "state_changes_its_type",
       .inputs = {trip_count(2), absent(), in({1}), in({2})},
       .attrs = {{"body", growing.finish()}, {"num_captures", 1}},
       .code = ErrorCode::type_mismatch,
       .contains = "comes out as f64[2]"},
      {.name = "trip_count_vector",
       .inputs = {in_ints({2}, {1, 2}), absent(), in({2})},
       .attrs = {{"body", doubling({2})}},
       .code = ErrorCode::bad_shape,
       .contains = "a trip count of shape [2]"},
      {.name = "missing_state",
       .inputs = {trip_count(2)},
       .attrs = {{"body", doubling({2})}},
       .code = ErrorCode::capture_mismatch,
       .contains = "2 inputs and 0 captures for a body with 3 inputs"},
      {.name = "no_condition",
       .inputs = {trip_count(2), absent(), in({2})},
       .attrs = {{"body", no_condition.finish()}},
       .code = ErrorCode::type_mismatch,
       .contains = "a condition of type f64[2] from the body"},
      {.name = "too_few_outputs",
       .inputs = {trip_count(2), absent(), in({2})},
       .attrs = {{"body", body_over({{2}}).finish()}},
       .code = ErrorCode::wrong_input_count,
       .contains = "0 outputs of a body with 1 states"},
  };
}

std::vector<Port> inputs() {
  return {{.name = "trip_count",
           .dtypes = kInt64,
           .type = "",
           .kind = PortKind::optional,
           .words = {"the most iterations; absent: only the condition ends the loop",
                     "наибольшее число итераций; без него цикл завершает только условие"},
           .differentiable = false},
          {.name = "condition",
           .dtypes = kBool,
           .type = "",
           .kind = PortKind::optional,
           .words = {"whether to begin at all; absent means yes", "начинать ли вообще; без этого входа — начинать"},
           .differentiable = false},
          {.name = "inputs",
           .dtypes = kAnyType,
           .type = "",
           .kind = PortKind::variadic,
           .words = {"initial states, then captures", "начальные состояния, затем захваты"}}};
}

}  // namespace

OpCard card_loop() {
  return {
      .name = "Loop",
      .category = Category::control_flow,
      .inputs = inputs(),
      .outputs = {{.name = "outputs",
                   .dtypes = kAnyType,
                   .type = "",
                   .kind = PortKind::variadic,
                   .words = {"the states after the last iteration, then the stacked results",
                             "состояния после последней итерации, затем сложенные результаты"}}},
      .attributes = {{.name = "body",
                      .kind = AttrKind::graph,
                      .words = {"one iteration: (its number, condition, states, captures) → (whether to go on, next "
                                "states, what is stacked)",
                                "одна итерация: (её номер, условие, состояния, захваты) → (продолжать ли, новые "
                                "состояния, то, что складывается)"}},
                     {.name = "num_captures",
                      .kind = AttrKind::integer,
                      .fallback = 0,
                      .least = 0,
                      .words = {"how many inputs, the last ones, are the same in every iteration",
                                "сколько последних входов одинаковы на всех итерациях"}}},
      .infer = infer,
      .kernel = kernel,
      // Built by autograd, as that of the Scan over the numbers of the iterations.
      .gradient_kind = GradientKind::rule,
      .cost = ops::cost_per_output(0),
      .onnx = {{.op = "Loop", .since = 11}},
      .torch = "torch._higher_order_ops.while_loop",
      .tolerance = {.f64 = 1e-12, .f32 = 1e-5, .f16 = 2e-2, .bf16 = 1.5e-1},
      .words =
          {.what = {"Runs its body again and again, up to a number of times, as long as the body says that it wants to "
                    "go on. States travel from one iteration to the next; other results are stacked along a new first "
                    "axis, one row per iteration.",
                    "Выполняет тело снова и снова, не более заданного числа раз и пока само тело велит продолжать. "
                    "Состояния переходят от итерации к итерации; прочие результаты складываются вдоль новой первой "
                    "оси, по строке на итерацию."},
           .formula =
               "(c_{t+1}, s_{t+1}, y_t) = f(t, s_t), \\quad t = 0, 1, \\dots \\; \\text{while} \\; c_t \\land t < n",
           .why = {"Searching and generating go on until something happens: a token that ends the text, an error that "
                   "is small enough. A gradient exists where the number of iterations is known at entry; a loop that "
                   "its own data end has none, since nothing says beforehand how many states must be kept.",
                   "Поиск и генерация идут, пока что-нибудь не случится: токен, завершающий текст, или достаточно "
                   "малая ошибка. Градиент есть, если число итераций известно при входе; у цикла, который завершают "
                   "его собственные данные, градиента нет: заранее неизвестно, сколько состояний хранить."}},
      .samples = samples(),
      .bad_samples = bad_samples(),
  };
}

}  // namespace asg::cards
