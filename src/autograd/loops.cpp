// Scan and Loop as recurrences.
#include "asg/graph/body.h"
#include "asg/graph/card.h"
#include "asg/graph/registry.h"
#include "autograd/control_flow.h"
#include "autograd/recurrence.h"
#include "ops/control_flow/loop_form.h"
#include "ops/support/gradients.h"

namespace asg {
namespace {

std::vector<Tensor> inputs_of(const GradientContext& context, int first, int count) {
  return {context.inputs.begin() + first, context.inputs.begin() + first + count};
}

std::vector<bool> wanted_of(const GradientContext& context, int first, int count) {
  return {context.wanted.begin() + first, context.wanted.begin() + first + count};
}

// The gradients of `states` final states and `stacked` stacked outputs, as the node has them.
RecurrenceOutputs outputs_of(GradientContext& context, int states, int stacked) {
  RecurrenceOutputs outputs;
  for (int port = 0; port < states; ++port) {
    outputs.states.push_back(is_float(context.out(port).dtype()) ? context.grad(port) : Tensor());
  }
  for (int port = states; port < states + stacked; ++port) {
    outputs.stacked.push_back(context.has_grad(port) ? context.grad(port) : Tensor());
  }
  return outputs;
}

void set_wanted(GradientContext& context, int first, const std::vector<Tensor>& gradients) {
  for (std::size_t index = 0; index < gradients.size(); ++index) {
    const int input = first + static_cast<int>(index);
    if (context.needs(input)) context.set(input, gradients[index]);
  }
}

}  // namespace

void differentiate_scan(const Node& node, GradientContext& context) {
  std::vector<int> ranks;
  for (const Tensor& input : context.inputs) ranks.push_back(input.rank());
  const Graph& stored = *context.attr("body").as_graph();
  const ops::ScanForm form = ops::scan_form(context, stored, ranks);
  const int first_capture = form.states + form.inputs;
  // One iteration sees the states without what is known of their first values, and one element of what is scanned.
  std::vector<OutputInfo> infos = infos_of(context, 0);
  for (int index = 0; index < first_capture; ++index) {
    OutputInfo& info = infos[static_cast<std::size_t>(index)];
    info.known = nullptr;
    if (index < form.states) {
      info.type = context.out(index).type();
    } else {
      const ops::Stacking& way = form.in[static_cast<std::size_t>(index - form.states)];
      info.type.shape = ops::without_axis(info.type.shape, way.axis);
    }
  }
  const Recurrence recurrence{.body = retype(stored, infos),
                              .form = form,
                              .states = inputs_of(context, 0, form.states),
                              .scanned = inputs_of(context, form.states, form.inputs),
                              .captures = inputs_of(context, first_capture, form.captures),
                              .stream = node.stream,
                              .where = node.where};
  const RecurrenceTargets targets{wanted_of(context, form.states, form.inputs),
                                  wanted_of(context, first_capture, form.captures)};
  const auto gradients = differentiate(recurrence, outputs_of(context, form.states, form.outputs), targets);
  set_wanted(context, 0, gradients.states);
  set_wanted(context, form.states, gradients.scanned);
  set_wanted(context, first_capture, gradients.captures);
}

namespace {

constexpr int kFirstState = ops::kFirstLoopState;

[[noreturn]] void refuse_loop(const Node& node, std::string given) {
  throw UserError({.code = ErrorCode::no_gradient,
                   .given = std::move(given),
                   .needed = "a Loop whose trip count is given and whose body returns the condition that it got",
                   .mend =
                       "how often a loop runs must be known when it starts, so that the states of all iterations can "
                       "be kept; use Scan, or give the trip count and let the body mask what comes after the end",
                   .node = node.path(),
                   .where = node.where.to_string()});
}

// As a scalar, whether it was given as one or as a vector of one element.
Tensor as_scalar(const Tensor& tensor) {
  return tensor.rank() == 0 ? tensor : add_op("Reshape", {tensor, ops::ints(tensor.graph(), {})});
}

// The numbers of the iterations: 0, 1, … They are what the equal Scan walks along.
Tensor iteration_numbers(const GradientContext& context) {
  Graph& graph = context.in(0).graph();
  const Tensor zero = graph.constant(Array::scalar_i64(0));
  const Tensor one = graph.constant(Array::scalar_i64(1));
  Tensor trips = as_scalar(context.in(0));
  if (context.has(1) && !ops::is_constant_true(graph, context.in(1).value())) {
    trips = ops::choose(as_scalar(context.in(1)), trips, zero);
  }
  return add_op("Range", {zero, trips, one});
}

// (number, condition, states, captures) → (condition, states, …) becomes (states, number, captures) → (states, …).
Graph scanned_body(Graph body, int states) {
  const std::vector<NodeId> inputs(body.inputs().begin(), body.inputs().end());
  Node condition = body.node(inputs[1]);
  condition.op = &Registry::global().get("Constant");
  condition.attrs = {{"value", Array::scalar(DType::boolean, 1)}};
  body.put(std::move(condition));
  std::vector<NodeId> order(inputs.begin() + kFirstState, inputs.begin() + kFirstState + states);
  order.push_back(inputs[0]);
  order.insert(order.end(), inputs.begin() + kFirstState + states, inputs.end());
  body.set_inputs(std::move(order));
  body.set_outputs({body.outputs().begin() + 1, body.outputs().end()});
  return body;
}

}  // namespace

void differentiate_loop(const Node& node, GradientContext& context) {
  const Graph& stored = *context.attr("body").as_graph();
  if (!context.has(0)) refuse_loop(node, "a gradient through a Loop without a trip count");
  if (!ops::never_ends(stored)) refuse_loop(node, "a gradient through a Loop that its body may end");
  ops::ScanForm form;
  form.captures = static_cast<int>(context.integer("num_captures"));
  form.states = context.input_count() - kFirstState - form.captures;
  form.inputs = 1;
  form.outputs = static_cast<int>(context.outputs.size()) - form.states;
  form.in.resize(1);
  form.out.resize(static_cast<std::size_t>(form.outputs));
  std::vector<OutputInfo> infos = {{{DType::i64, {}}, nullptr}, {{DType::boolean, {}}, nullptr}};
  for (int state = 0; state < form.states; ++state) infos.push_back({context.out(state).type(), nullptr});
  for (OutputInfo& info : infos_of(context, kFirstState + form.states)) infos.push_back(std::move(info));
  const int first_capture = kFirstState + form.states;
  const Recurrence recurrence{.body = scanned_body(retype(stored, infos), form.states),
                              .form = form,
                              .states = inputs_of(context, kFirstState, form.states),
                              .scanned = {iteration_numbers(context)},
                              .captures = inputs_of(context, first_capture, form.captures),
                              .stream = node.stream,
                              .where = node.where};
  const RecurrenceTargets targets{{false}, wanted_of(context, first_capture, form.captures)};
  const auto gradients = differentiate(recurrence, outputs_of(context, form.states, form.outputs), targets);
  set_wanted(context, kFirstState, gradients.states);
  set_wanted(context, first_capture, gradients.captures);
}

}  // namespace asg
