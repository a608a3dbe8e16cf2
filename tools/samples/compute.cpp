#include <algorithm>

#include "asg/autograd/gradients.h"
#include "asg/backend/interpreter.h"
#include "asg/graph/expand.h"
#include "asg/graph/graph.h"
#include "samples.h"

namespace asg::samples {
namespace {

constexpr std::uint64_t kSeed = 11;

std::string numbered(std::string_view stem, std::size_t number) {
  return std::string(stem) + "_" + std::to_string(number);
}

const Port& port_of(const OpCard& op, std::size_t index) { return op.inputs[std::min(index, op.inputs.size() - 1)]; }

// A sample as a graph in which nothing is decided yet but the dtype of its floats.
class Problem {
 public:
  Problem(const OpCard& op, const Sample& sample, DType dtype)
      : op_(op), dtype_(dtype), has_gradient_(sample.gradient) {
    result_.sample = sample.name;
    result_.dtype = dtype;
    result_.attrs = sample.attrs;
    NodeSpec spec;
    spec.op = &op;
    spec.attrs = sample.attrs;
    for (std::size_t index = 0; index < sample.inputs.size(); ++index) {
      spec.inputs.push_back(add_input(sample, index));
    }
    outputs_ = graph_.add_outputs(std::move(spec));
    result_.stream = graph_.node(outputs_.front().node()).stream;
    for (std::size_t port = 0; port < outputs_.size(); ++port) {
      graph_.set_output(numbered("output", port), outputs_[port]);
    }
    add_variables();
  }

  bool has_floats() const { return has_floats_; }

  Case solve(Mode mode) {
    result_.mode = mode;
    run_values(mode);
    try {
      if (op_.gradient_kind != GradientKind::none) run_gradients(mode);
    } catch (const UserError& error) {
      // A forward-only sample may be one that has no gradient: a loop that its data end.
      if (has_gradient_ || error.code() != ErrorCode::no_gradient) throw;
    }
    return std::move(result_);
  }

 private:
  Value add_input(const Sample& sample, std::size_t index) {
    if (sample.inputs[index].absent) return {};
    const Port& port = port_of(op_, index);
    Array value = sample_value(sample.inputs[index], op_.name, sample.name, index);
    if (value.dtype() == DType::f64 && port.dtypes.contains(dtype_)) {
      value = value.cast(dtype_);
      has_floats_ = true;
    }
    const std::string name = numbered("input", index);
    result_.inputs.set(name, value);
    // Integers and conditions are constants: shapes and axes must be known while building.
    if (!port.differentiable || !is_float(value.dtype()) || value.count() == 0) return graph_.constant(value).value();
    const Tensor input = graph_.input(name, {value.dtype(), Shape::of(value.sizes())});
    values_[name] = value;
    add_target(name, input);
    return input.value();
  }

  void add_target(const std::string& name, const Tensor& tensor) {
    targets_.push_back(tensor.value());
    target_names_.push_back(name);
  }

  // The slot of the op that a variable fills; its own name where it is shared by all.
  std::string slot_of(VarId id) const {
    for (const Binding& binding : graph_.node(outputs_.front().node()).bindings) {
      if (binding.variable == id) return binding.slot;
    }
    return graph_.variable(id).name;
  }

  // Parameters and statistics are moved off their first values (zeros, ones), which would hide mistakes.
  void add_variables() {
    for (VarId id : graph_.variable_ids()) {
      const Variable& variable = graph_.variable(id);
      Array value = initial_value(variable, kSeed).copy();
      const bool moves = variable.kind == VarKind::parameter || variable.kind == VarKind::buffer;
      if (moves && is_float(variable.type.dtype)) {
        has_floats_ = has_floats_ || variable.type.dtype == dtype_;
        const RandomStream random(kSeed, combine(StreamKey{1}, id.number));
        for (std::int64_t at = 0; at < value.count(); ++at) {
          value.set(at, value.get(at) + 0.4 * random.uniform(static_cast<std::uint64_t>(at)) - 0.2);
        }
      }
      if (variable.kind == VarKind::parameter && value.count() > 0) add_target(slot_of(id), graph_.read(id));
      values_[variable.name] = value;
      result_.variables.set(slot_of(id), value);
    }
  }

  NamedArrays run(const Graph& graph) {
    Interpreter interpreter;
    return interpreter.download_all(interpreter.execute(graph, interpreter.upload_all(values_)));
  }

  void run_values(Mode mode) {
    // What runs through its body and draws is expanded too, so that its masks can be told.
    Graph graph =
        expand(graph_, mode, [](const Node& node) { return node.op->traits.random && !node.op->kernel; }).graph;
    std::vector<std::string> updates;
    for (const Update& update : graph.updates()) {
      updates.push_back(slot_of(update.variable));
      graph.set_output("update:" + updates.back(), graph.tensor(update.value));
    }
    graph.set_updates({});
    std::vector<std::string> randoms;
    for (NodeId id : graph.node_ids()) {
      const Node& node = graph.node(id);
      if (!node.op->traits.random || node.origin == nullptr || node.origin->path.empty()) continue;
      randoms.push_back(node.origin->path);
      const auto last = static_cast<std::uint32_t>(node.outputs.size() - 1);
      graph.set_output("random:" + randoms.back(), graph.tensor({id, last}));
    }
    NamedArrays results = run(graph);
    for (std::size_t port = 0; port < outputs_.size(); ++port) {
      const std::string name = numbered("output", port);
      result_.outputs.set(name, results.at(name));
    }
    for (const std::string& slot : updates) result_.updates.set(slot, results.at("update:" + slot));
    for (const std::string& path : randoms) result_.randoms.set(path, results.at("random:" + path));
  }

  // Fixed weights that turn the outputs into one number without favouring an element.
  Tensor weighted_sum() {
    Tensor sum = graph_.scalar(DType::f64, 0);
    for (std::size_t port = 0; port < outputs_.size(); ++port) {
      const std::string name = numbered("output", port);
      const Array& output = result_.outputs.find(name)->as_tensor();
      // A length that only the data decide has no gradient, so it needs no weights.
      if (!is_float(output.dtype()) || !outputs_[port].shape().is_known()) continue;
      const RandomStream random(kSeed, combine(StreamKey{2}, port));
      Array weights(output.dtype(), output.sizes());
      for (std::int64_t at = 0; at < weights.count(); ++at) {
        weights.set(at, 1 + 2 * random.uniform(static_cast<std::uint64_t>(at)));
      }
      result_.weights.set(name, weights);
      const Tensor product = outputs_[port] * graph_.constant(weights);
      const Tensor part = add_op("ReduceSum", {product}, {{"keepdims", false}});
      sum = sum + add_op("Cast", {part}, {{"to", DType::f64}});
    }
    return sum;
  }

  void run_gradients(Mode mode) {
    if (targets_.empty()) return;
    const Value loss = weighted_sum().value();
    if (result_.weights.empty()) return;
    Differentiated joint = differentiate(graph_, loss, targets_, mode);
    joint.graph.set_updates({});
    const NamedArrays results = run(joint.graph);
    for (std::size_t index = 0; index < targets_.size(); ++index) {
      result_.gradients.set(target_names_[index], results.at("gradient:" + std::to_string(index)));
    }
  }

  const OpCard& op_;
  DType dtype_;
  bool has_gradient_;
  bool has_floats_ = false;
  Graph graph_{"sample"};
  std::vector<Tensor> outputs_;
  std::vector<Value> targets_;
  std::vector<std::string> target_names_;
  NamedArrays values_;
  Case result_;
};

}  // namespace

std::optional<Case> compute(const OpCard& op, const Sample& sample, DType dtype, Mode mode) {
  // A graph as an attribute has its own dtypes: those of the sample, f64.
  const bool is_fixed = std::any_of(sample.attrs.begin(), sample.attrs.end(),
                                    [](const Attrs::Entry& entry) { return entry.second.kind() == AttrKind::graph; });
  if (is_fixed && dtype != DType::f64) return std::nullopt;
  Problem problem(op, sample, dtype);
  // Without floats there is one case, not one for each of their dtypes.
  if (!problem.has_floats() && dtype != DType::f64) return std::nullopt;
  return problem.solve(mode);
}

}  // namespace asg::samples
