#include "autograd/recurrence.h"

#include "asg/autograd/gradients.h"
#include "asg/graph/registry.h"
#include "autograd/control_flow.h"
#include "ops/support/gradients.h"

namespace asg {
namespace {

using ops::Stacking;

std::size_t count(int number) { return static_cast<std::size_t>(number); }

// The attributes of a Scan over tensors that are read and written as told.
struct ScanAttributes {
  std::vector<Stacking> in;
  std::vector<Stacking> out;
  std::size_t captures = 0;
  bool backward = false;

  Attrs with_body(Graph body) const {
    Attrs attrs;
    attrs.set("body", std::make_shared<const Graph>(std::move(body)));
    attrs.set("num_scan_inputs", static_cast<std::int64_t>(in.size()));
    attrs.set("num_captures", static_cast<std::int64_t>(captures));
    attrs.set("numbering", backward ? "backward" : "forward");
    set(attrs, "scan_input_axes", "scan_input_directions", in);
    set(attrs, "scan_output_axes", "scan_output_directions", out);
    return attrs;
  }

 private:
  static void set(Attrs& attrs, const char* axes, const char* directions, const std::vector<Stacking>& list) {
    std::vector<std::int64_t> axis;
    std::vector<std::int64_t> direction;
    for (const Stacking& one : list) {
      axis.push_back(one.axis);
      direction.push_back(one.reversed ? 1 : 0);
    }
    attrs.set(axes, std::move(axis));
    attrs.set(directions, std::move(direction));
  }
};

Stacking turned(Stacking way) { return {way.axis, !way.reversed}; }

template <class T>
void append(std::vector<T>& to, const std::vector<T>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

std::vector<Tensor> add_scan(const Recurrence& recurrence, const std::vector<Tensor>& inputs, Attrs attrs) {
  Graph& graph = inputs.front().graph();
  NodeSpec spec;
  spec.op = &Registry::global().get("Scan");
  for (const Tensor& input : inputs) spec.inputs.push_back(input.value());
  spec.attrs = std::move(attrs);
  spec.stream = recurrence.stream;
  spec.where = recurrence.where;
  return graph.add_outputs(std::move(spec));
}

// The values of all states before every iteration, stacked along axis 0 in the order of the iterations.
std::vector<Tensor> states_before(const Recurrence& recurrence) {
  const std::size_t states = recurrence.states.size();
  if (states == 0) return {};
  Graph body = recurrence.body;
  std::vector<Output> outputs(body.outputs().begin(), body.outputs().begin() + recurrence.form.states);
  for (std::size_t state = 0; state < states; ++state) {
    outputs.push_back({"before_" + std::to_string(state), {body.inputs()[state], 0}});
  }
  body.set_outputs(std::move(outputs));
  std::vector<Tensor> inputs = recurrence.states;
  append(inputs, recurrence.scanned);
  append(inputs, recurrence.captures);
  const ScanAttributes attributes{recurrence.form.in, std::vector<Stacking>(states), recurrence.captures.size(),
                                  recurrence.form.backward};
  const std::vector<Tensor> all = add_scan(recurrence, inputs, attributes.with_body(std::move(body)));
  return {all.begin() + recurrence.form.states, all.end()};
}

// Builds the body of the Scan that walks back: the vector-Jacobian product of the given body.
//   in:  gradients of float states, sums for wanted captures; states before, elements, gradients of stacked outputs;
//        captures
//   out: gradients of float states, sums; gradients of wanted elements
class BackwardBody {
 public:
  BackwardBody(const Recurrence& recurrence, const RecurrenceOutputs& outputs, const RecurrenceTargets& targets)
      : form_(recurrence.form), targets_(targets), graph_(made_differentiable(recurrence.body)) {
    const std::vector<NodeId> given(graph_.inputs().begin(), graph_.inputs().end());
    const std::vector<Output> results(graph_.outputs().begin(), graph_.outputs().end());
    for (std::size_t state = 0; state < count(form_.states); ++state) {
      if (!is_float(graph_.type({given[state], 0}).dtype)) continue;
      carried_.push_back(seed(results[state].value));
      wanted_.push_back(graph_.tensor({given[state], 0}));
    }
    std::vector<NodeId> stacked;
    for (std::size_t port = 0; port < outputs.stacked.size(); ++port) {
      if (outputs.stacked[port].valid()) stacked.push_back(seed(results[count(form_.states) + port].value));
    }
    want(given, count(form_.states), targets.scanned);
    want(given, count(form_.states + form_.inputs), targets.captures);
    differentiate();
    std::vector<NodeId> order = carried_;
    order.insert(order.end(), given.begin(), given.begin() + form_.states + form_.inputs);
    append(order, stacked);
    order.insert(order.end(), given.begin() + form_.states + form_.inputs, given.end());
    graph_.set_inputs(std::move(order));
  }

  Graph take() { return std::move(graph_); }

 private:
  // An input for the gradient of a value that the body gives.
  NodeId seed(Value value) {
    outputs_.push_back(graph_.tensor(value));
    seeds_.push_back(graph_.input(graph_.free_name("", "gradient"), graph_.type(value)));
    return seeds_.back().node();
  }

  void want(const std::vector<NodeId>& given, std::size_t first, const std::vector<bool>& wanted) {
    for (std::size_t index = 0; index < wanted.size(); ++index) {
      if (wanted[index]) wanted_.push_back(graph_.tensor({given[first + index], 0}));
    }
  }

  void differentiate() {
    const std::vector<Tensor> gradients = add_vjp(outputs_, seeds_, wanted_).gradients;
    const std::size_t states = carried_.size();
    std::size_t next = states;
    std::vector<Tensor> elements;
    for (const bool wanted : targets_.scanned) {
      if (wanted) elements.push_back(gradients[next++]);
    }
    graph_.set_outputs({});
    for (std::size_t state = 0; state < states; ++state) output(gradients[state]);
    for (; next < gradients.size(); ++next) {
      const Tensor sum = graph_.input(graph_.free_name("", "sum"), gradients[next].type());
      carried_.push_back(sum.node());
      output(sum + gradients[next]);
    }
    for (const Tensor& element : elements) output(element);
  }

  void output(const Tensor& value) { graph_.set_output("out_" + std::to_string(graph_.outputs().size()), value); }

  const ops::ScanForm& form_;
  const RecurrenceTargets& targets_;
  Graph graph_;
  std::vector<NodeId> carried_;  // inputs that are states of the Scan which walks back
  std::vector<Tensor> outputs_;
  std::vector<Tensor> seeds_;
  std::vector<Tensor> wanted_;
};

// Lengths that are the same may have other names.
Tensor of_type(const Tensor& gradient, const Tensor& like) {
  if (gradient.type() == like.type()) return gradient;
  return add_op("Reshape", {gradient, add_op("Shape", {like})});
}

}  // namespace

RecurrenceGradients differentiate(const Recurrence& recurrence, const RecurrenceOutputs& outputs,
                                  const RecurrenceTargets& targets) {
  const ops::ScanForm& form = recurrence.form;
  ScanAttributes attributes;
  attributes.captures = recurrence.captures.size();
  attributes.backward = !form.backward;
  std::vector<Tensor> scanned = states_before(recurrence);
  attributes.in.resize(scanned.size(), turned(Stacking{}));
  append(scanned, recurrence.scanned);
  for (const Stacking& way : form.in) attributes.in.push_back(turned(way));
  for (std::size_t port = 0; port < outputs.stacked.size(); ++port) {
    if (!outputs.stacked[port].valid()) continue;
    scanned.push_back(outputs.stacked[port]);
    attributes.in.push_back(turned(form.out[port]));
  }
  for (std::size_t index = 0; index < targets.scanned.size(); ++index) {
    if (targets.scanned[index]) attributes.out.push_back(turned(form.in[index]));
  }
  std::vector<Tensor> inputs;
  for (const Tensor& gradient : outputs.states) {
    if (gradient.valid()) inputs.push_back(gradient);
  }
  for (std::size_t index = 0; index < targets.captures.size(); ++index) {
    if (targets.captures[index]) inputs.push_back(ops::zeros_like(recurrence.captures[index]));
  }
  append(inputs, scanned);
  append(inputs, recurrence.captures);
  BackwardBody body(recurrence, outputs, targets);
  const std::vector<Tensor> found = add_scan(recurrence, inputs, attributes.with_body(body.take()));

  RecurrenceGradients gradients;
  std::size_t next = 0;
  for (std::size_t state = 0; state < recurrence.states.size(); ++state) {
    const Tensor& like = recurrence.states[state];
    gradients.states.push_back(is_float(like.dtype()) ? of_type(found[next++], like) : Tensor());
  }
  for (std::size_t index = 0; index < targets.captures.size(); ++index) {
    gradients.captures.push_back(targets.captures[index] ? of_type(found[next++], recurrence.captures[index])
                                                         : Tensor());
  }
  for (std::size_t index = 0; index < targets.scanned.size(); ++index) {
    gradients.scanned.push_back(targets.scanned[index] ? of_type(found[next++], recurrence.scanned[index]) : Tensor());
  }
  return gradients;
}

}  // namespace asg
