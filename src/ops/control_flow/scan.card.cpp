#include <string>

#include "ops/control_flow/scan_form.h"
#include "ops/control_flow/subgraph_cases.h"
#include "ops/support/cost.h"
#include "ops/support/indexing.h"

namespace asg::cards {
namespace {

using ops::SampleGraph;

std::vector<int> ranks_of(const InferContext& ctx) {
  std::vector<int> ranks;
  for (int index = 0; index < ctx.input_count(); ++index) ranks.push_back(ctx.shape(index).rank());
  return ranks;
}

// The length that all scanned tensors share; a number where one of them tells it.
Dim scan_length(const InferContext& ctx, const ops::ScanForm& form) {
  std::optional<Dim> length;
  for (int index = 0; index < form.inputs; ++index) {
    const Dim& own = ctx.shape(form.states + index)[form.in[static_cast<std::size_t>(index)].axis];
    if (length && ops::surely_differ(*length, own)) {
      fail(ErrorCode::bad_shape, "scanned tensors of lengths " + length->to_string() + " and " + own.to_string(),
           "the same length along the scanned axes");
    }
    if (!length || (own.is_known() && !length->is_known())) length = own;
  }
  return *length;
}

void infer(InferContext& ctx) {
  const Graph& body = ops::closed_graph(ctx, "body");
  const ops::ScanForm form = ops::scan_form(ctx, body, ranks_of(ctx));
  const Dim length = scan_length(ctx, form);
  std::vector<OutputInfo> infos;
  for (int index = 0; index < form.states; ++index) infos.push_back({ctx.type(index), nullptr});
  for (int index = 0; index < form.inputs; ++index) {
    const TensorType& type = ctx.type(form.states + index);
    infos.push_back(
        {{type.dtype, ops::without_axis(type.shape, form.in[static_cast<std::size_t>(index)].axis)}, nullptr});
  }
  ops::append(infos, ops::infos_of(ctx, form.states + form.inputs));
  const ops::CarriedBody carried = ops::carried_body(body, infos, 0, form.states, 0);
  for (int index = 0; index < form.states; ++index) ctx.output(ctx.type(index));
  for (int index = 0; index < form.outputs; ++index) {
    const Output& output =
        carried.graph.outputs()[static_cast<std::size_t>(form.states) + static_cast<std::size_t>(index)];
    const TensorType& type = carried.graph.type(output.value);
    const int axis = normalize_axis(form.out[static_cast<std::size_t>(index)].axis, type.shape.rank() + 1);
    const Shape element = ops::seen_from_outside(ctx, type.shape, carried.outside);
    ctx.output({type.dtype, ops::with_axis(element, axis, length)});
  }
}

// Element `iteration` of a scanned tensor.
Array element_of(const Array& scanned, ops::Stacking walk, std::int64_t iteration) {
  Sizes sizes = scanned.sizes();
  const auto axis = static_cast<std::size_t>(walk.axis);
  const std::int64_t place = walk.reversed ? sizes[axis] - 1 - iteration : iteration;
  sizes.erase(sizes.begin() + walk.axis);
  return scanned.sliced(walk.axis, place, 1, 1).dense().reshaped(std::move(sizes));
}

void kernel(KernelContext& ctx) {
  std::vector<int> ranks;
  for (const Array& input : ctx.inputs) ranks.push_back(input.rank());
  const Graph& body = ops::closed_graph(ctx, "body");
  const ops::ScanForm form = ops::scan_form(ctx, body, ranks);
  std::vector<Array> values = ops::stored_inputs(ctx, 0);
  const auto states = static_cast<std::size_t>(form.states);
  const auto scanned_end = states + static_cast<std::size_t>(form.inputs);
  const std::vector<Array> scanned(values.begin() + form.states, values.begin() + form.states + form.inputs);
  const std::int64_t length = scanned.front().sizes()[static_cast<std::size_t>(form.in.front().axis)];
  std::vector<std::vector<Array>> stacks(static_cast<std::size_t>(form.outputs));
  ops::SubgraphRuns runs(ctx, body);
  for (std::int64_t iteration = 0; iteration < length; ++iteration) {
    for (std::size_t index = 0; index < scanned.size(); ++index) {
      values[states + index] = element_of(scanned[index], form.in[index], iteration);
    }
    const std::int64_t number = form.backward ? length - 1 - iteration : iteration;
    std::vector<Array> results = runs.run(values, scanned_end, number);
    for (std::size_t index = 0; index < stacks.size(); ++index) ops::stack(stacks[index], results[states + index]);
    ops::carry(values, 0, std::span(results).first(states));
  }
  for (std::size_t index = 0; index < states; ++index) ops::set_output(ctx, static_cast<int>(index), values[index]);
  for (std::size_t index = 0; index < stacks.size(); ++index) {
    ops::set_stacked_output(ctx, form.states + static_cast<int>(index), stacks[index], form.out[index]);
  }
}

// state' = tanh(state · w + x), out = state' · x: one state, one scanned tensor, one capture.
GraphPtr recurrence(const Sizes& element) {
  SampleGraph body({element, element, element});
  const Value product = body.times(body.in(0), body.in(2));
  const Value next = body.tanh(body.plus(product, body.in(1)));
  body.output(next).output(body.times(next, body.in(1)));
  return body.finish();
}

// Two states and two scanned tensors: a' = a · x + b, b' = b + y; outputs a · y and b'.
GraphPtr two_of_each(const Sizes& element) {
  SampleGraph body({element, element, element, element});
  const Value product = body.times(body.in(0), body.in(2));
  const Value a = body.plus(product, body.in(1));
  const Value b = body.plus(body.in(1), body.in(3));
  body.output(a).output(b).output(body.times(body.in(0), body.in(3))).output(b);
  return body.finish();
}

// sum' = sum + x, out = sum': the running sum.
GraphPtr running_sum(const Sizes& element) {
  SampleGraph body({element, element});
  const Value sum = body.plus(body.in(0), body.in(1));
  body.output(sum).output(sum);
  return body.finish();
}

// No state: out = x · w.
GraphPtr products(const Sizes& element) {
  SampleGraph body({element, element});
  body.output(body.times(body.in(0), body.in(1)));
  return body.finish();
}

using Ints64 = std::vector<std::int64_t>;

std::vector<Sample> samples() {
  const auto given = [](Sizes sizes, std::vector<double> values) {
    return in_exact(Array::of<double>(std::move(sizes), values));
  };
  return {
      {.name = "running_sum",
       .inputs = {given({2}, {10, 20}), given({3, 2}, {1, 2, 3, 4, 5, 6})},
       .attrs = {{"body", running_sum({2})}, {"num_scan_inputs", 1}},
       .expected = {Array::of<double>({2}, {19, 32}), Array::of<double>({3, 2}, {11, 22, 14, 26, 19, 32})}},
      {.name = "running_sum_from_the_end",
       .inputs = {given({2}, {10, 20}), given({3, 2}, {1, 2, 3, 4, 5, 6})},
       .attrs = {{"body", running_sum({2})}, {"num_scan_inputs", 1}, {"scan_input_directions", Ints64{1}}},
       .expected = {Array::of<double>({2}, {19, 32}), Array::of<double>({3, 2}, {15, 26, 18, 30, 19, 32})}},
      {.name = "turned_output",
       .inputs = {given({2}, {10, 20}), given({2, 3}, {1, 3, 5, 2, 4, 6})},
       .attrs = {{"body", running_sum({2})},
                 {"num_scan_inputs", 1},
                 {"scan_input_axes", Ints64{1}},
                 {"scan_output_axes", Ints64{-1}},
                 {"scan_output_directions", Ints64{1}}},
       .expected = {Array::of<double>({2}, {19, 32}), Array::of<double>({2, 3}, {19, 14, 11, 32, 26, 22})}},
      {.name = "capture",
       .inputs = {in({2, 3}), in({4, 2, 3}), in({2, 3})},
       .attrs = {{"body", recurrence({2, 3})}, {"num_scan_inputs", 1}, {"num_captures", 1}}},
      {.name = "capture_axes",
       .inputs = {in({2}), in({2, 3}), in({2})},
       .attrs = {{"body", recurrence({2})},
                 {"num_scan_inputs", 1},
                 {"num_captures", 1},
                 {"scan_input_axes", Ints64{-1}},
                 {"scan_input_directions", Ints64{1}},
                 {"numbering", "backward"}}},
      {.name = "capture_turned",
       .inputs = {in({2}), in({3, 2}), in({2})},
       .attrs = {{"body", recurrence({2})},
                 {"num_scan_inputs", 1},
                 {"num_captures", 1},
                 {"scan_output_axes", Ints64{1}},
                 {"scan_output_directions", Ints64{1}},
                 {"scan_input_directions", Ints64{1}},
                 {"numbering", "backward"}}},
      {.name = "two_of_each",
       .inputs = {in({2}), in({2}), in({3, 2}), in({2, 3})},
       .attrs = {{"body", two_of_each({2})},
                 {"num_scan_inputs", 2},
                 {"scan_input_axes", Ints64{0, 1}},
                 {"scan_output_axes", Ints64{1, 0}},
                 {"scan_output_directions", Ints64{0, 1}},
                 {"numbering", "backward"}}},
      {.name = "no_state",
       .inputs = {in({3, 2}), in({2})},
       .attrs =
           {{"body", products({2})}, {"num_scan_inputs", 1}, {"num_captures", 1}, {"scan_output_axes", Ints64{1}}}},
      {.name = "one_iteration",
       .inputs = {in({2}), in({1, 2}), in({2})},
       .attrs = {{"body", recurrence({2})},
                 {"num_scan_inputs", 1},
                 {"num_captures", 1},
                 {"scan_output_directions", Ints64{1}}}},
      {.name = "no_iteration",
       .inputs = {given({2}, {1, 2}), in({0, 2}), in({2})},
       .attrs = {{"body", recurrence({2})}, {"num_scan_inputs", 1}, {"num_captures", 1}},
       .gradient = false,
       .expected = {Array::of<double>({2}, {1, 2}), Array::of<double>({0, 2}, {})}},
  };
}

std::vector<BadSample> bad_samples() {
  SampleGraph growing({{1}, {2}});
  growing.output(growing.plus(growing.in(0), growing.in(1)));
  return {
      {.name = "state_changes_its_type",
       .inputs = {in({1}), in({3, 2})},
       .attrs = {{"body", growing.finish()}, {"num_scan_inputs", 1}},
       .code = ErrorCode::type_mismatch,
       .contains = "state 0 that goes into the body as f64[1] and comes out as f64[2]"},
      {.name = "other_lengths",
       .inputs = {in({2}), in({2}), in({3, 2}), in({4, 2})},
       .attrs = {{"body", two_of_each({2})}, {"num_scan_inputs", 2}},
       .code = ErrorCode::bad_shape,
       .contains = "lengths 3 and 4"},
      {.name = "missing_input",
       .inputs = {in({2}), in({3, 2})},
       .attrs = {{"body", recurrence({2})}, {"num_scan_inputs", 1}, {"num_captures", 1}},
       .code = ErrorCode::capture_mismatch,
       .contains = "2 inputs for a body with 3"},
      {.name = "too_few_inputs",
       .inputs = {in({3, 2})},
       .attrs = {{"body", running_sum({2})}, {"num_scan_inputs", 1}, {"num_captures", 2}},
       .code = ErrorCode::wrong_input_count,
       .contains = "2 captures"},
      {.name = "scalar",
       .inputs = {in({}), in({})},
       .attrs = {{"body", running_sum({})}, {"num_scan_inputs", 1}},
       .code = ErrorCode::bad_shape,
       .contains = "an axis to walk along"},
      {.name = "too_many_axes",
       .inputs = {in({2}), in({3, 2})},
       .attrs = {{"body", running_sum({2})}, {"num_scan_inputs", 1}, {"scan_input_axes", Ints64{0, 1}}},
       .code = ErrorCode::bad_attribute,
       .contains = "2 numbers in 'scan_input_axes' for 1 scanned tensors"},
      {.name = "too_few_outputs",
       .inputs = {in({2}), in({2}), in({3, 2})},
       .attrs = {{"body", SampleGraph({{2}, {2}, {2}}).finish()}, {"num_scan_inputs", 1}},
       .code = ErrorCode::wrong_input_count,
       .contains = "0 outputs of a body with 2 states"},
  };
}

std::vector<AttrSpec> attributes() {
  return {
      {.name = "body",
       .kind = AttrKind::graph,
       .words =
           {"one iteration: (states, an element of each scanned tensor, captures) → (next states, what is stacked)",
            "одна итерация: (состояния, элемент каждой последовательности, захваты) → (новые состояния, то, что "
            "складывается)"}},
      {.name = "num_scan_inputs",
       .kind = AttrKind::integer,
       .least = 1,
       .words = {"how many inputs are walked along", "сколько входов проходится поэлементно"}},
      {.name = "num_captures",
       .kind = AttrKind::integer,
       .fallback = 0,
       .least = 0,
       .words = {"how many inputs, the last ones, are the same in every iteration",
                 "сколько последних входов одинаковы на всех итерациях"}},
      {.name = "scan_input_axes",
       .kind = AttrKind::integers,
       .fallback = Ints64{},
       .words = {"the axis of each scanned tensor; empty: 0", "ось каждой последовательности; пусто — 0"}},
      {.name = "scan_input_directions",
       .kind = AttrKind::integers,
       .fallback = Ints64{},
       .least = 0,
       .most = 1,
       .words = {"0: from the first element, 1: from the last; empty: 0", "0 — с начала, 1 — с конца; пусто — 0"}},
      {.name = "scan_output_axes",
       .kind = AttrKind::integers,
       .fallback = Ints64{},
       .words = {"the axis along which each result is stacked; empty: 0",
                 "ось, вдоль которой складывается каждый результат; пусто — 0"}},
      {.name = "scan_output_directions",
       .kind = AttrKind::integers,
       .fallback = Ints64{},
       .least = 0,
       .most = 1,
       .words = {"0: appended at the end, 1: put in front; empty: 0", "0 — в конец, 1 — в начало; пусто — 0"}},
      {.name = "numbering",
       .kind = AttrKind::text,
       .fallback = "forward",
       .choices = {"forward", "backward"},
       .words = {"the number of an iteration is part of the key of its random numbers; a gradient, which walks back, "
                 "counts backward to draw the same ones",
                 "номер итерации входит в ключ её случайных чисел; градиент, идущий назад, считает в обратную сторону, "
                 "чтобы получить те же числа"}},
  };
}

}  // namespace

OpCard card_scan() {
  return {
      .name = "Scan",
      .category = Category::control_flow,
      .inputs = {{.name = "inputs",
                  .dtypes = kAnyType,
                  .type = "",
                  .kind = PortKind::variadic,
                  .words = {"initial states, then the tensors that are walked along, then captures",
                            "начальные состояния, затем проходимые последовательности, затем захваты"}}},
      .outputs = {{.name = "outputs",
                   .dtypes = kAnyType,
                   .type = "",
                   .kind = PortKind::variadic,
                   .words = {"the states after the last iteration, then the stacked results",
                             "состояния после последней итерации, затем сложенные результаты"}}},
      .attributes = attributes(),
      .infer = infer,
      .kernel = kernel,
      // Built by autograd: a Scan that walks back.
      .gradient_kind = GradientKind::rule,
      .cost = ops::cost_per_output(0),
      .onnx = {{.op = "Scan", .since = 9}},
      .torch = "torch._higher_order_ops.scan",
      .tolerance = {.f64 = 1e-12, .f32 = 1e-5, .f16 = 2e-2, .bf16 = 1.5e-1},
      .words =
          {.what = {"Walks along one or more sequences and runs its body once per element, handing the states that the "
                    "body returns to the next run. What else the body returns is stacked into sequences of the same "
                    "length. With no elements the states come out as they went in.",
                    "Проходит по одной или нескольким последовательностям и для каждого элемента выполняет тело, "
                    "передавая возвращённые состояния следующему шагу. Остальные результаты складываются в "
                    "последовательности той же длины. Если элементов нет, состояния возвращаются без изменений."},
           .formula = R"((s_t, y_t) = f(s_{t-1}, x_t), \quad t = 1 \dots n)",
           .why = {"A recurrent network is one small graph applied at every time step; Scan says this once, for any "
                   "length, instead of copying the step. Because the number of iterations is known when it starts, its "
                   "gradient is again a Scan, which walks the same sequence from its end.",
                   "Рекуррентная сеть — это небольшой граф, применяемый на каждом шаге времени; Scan записывает его "
                   "один раз для любой длины, не копируя шаги. Число итераций известно до начала, поэтому градиент — "
                   "снова Scan, идущий по той же последовательности с конца."}},
      .samples = samples(),
      .bad_samples = bad_samples(),
  };
}

}  // namespace asg::cards
