#include "asg/check/reduce.h"

#include <algorithm>
#include <cmath>

#include "asg/graph/walk.h"
#include "check/surgery.h"

namespace asg {
namespace {

// One reduction under way: the smallest failing case so far.
class Reducer {
 public:
  Reducer(GraphCase failing, const StillFails& still_fails) : best_(std::move(failing)), still_fails_(still_fails) {}

  GraphCase run() {
    take(flattened(best_));
    take(operate(best_, {}));  // without what the loss does not need
    bool smaller = true;
    while (smaller) {
      const std::size_t before = best_.graph.node_count();
      if (!isolate_a_node()) end_early();
      cut_off_parts();
      freeze_inputs();
      leave_out_nodes();
      smaller = best_.graph.node_count() < before;
    }
    shorten_axes();
    round_numbers();
    return std::move(best_);
  }

 private:
  bool take(std::optional<GraphCase> candidate) {
    if (!candidate || !still_fails_(*candidate)) return false;
    best_ = *std::move(candidate);
    return true;
  }

  bool take_smaller(std::optional<GraphCase> candidate) {
    if (!candidate || candidate->graph.node_count() >= best_.graph.node_count()) return false;
    return take(std::move(candidate));
  }

  static std::vector<Value> float_outputs(const Node& node) {
    std::vector<Value> values;
    for (std::uint32_t port = 0; port < node.outputs.size(); ++port) {
      if (node.outputs[port].type.dtype == DType::f64) values.push_back({node.id, port});
    }
    return values;
  }

  // What an input of a node becomes when everything before it goes: floats can still be differentiated by. They are
  // moved a little: a number that was held at a kink by what came before (the 0 of a Relu) would stand on it freely
  // now, and fail for a reason of its own. Numbers too large for differences stay constants for the same reason.
  static Substitute frozen(const Array& numbers) {
    constexpr double kLargest = 1e6;
    if (numbers.dtype() != DType::f64) return {Substitute::Kind::constant, numbers};
    Array moved = numbers.copy();
    double shift = 0.001;
    for (double& number : moved.mutable_data<double>()) {
      if (!(std::abs(number) < kLargest)) return {Substitute::Kind::constant, numbers};
      number += shift;
      shift = shift < 0.007 ? shift + 0.001 : 0.001;
    }
    return {Substitute::Kind::input, moved};
  }

  // A fault in one rule shows at one node alone, with its present inputs.
  bool isolate_a_node() {
    const std::map<Value, Array> numbers = values_of(best_);
    const Graph graph = best_.graph;
    for (NodeId id : topological_order(graph)) {
      const Node& node = graph.node(id);
      Surgery surgery{{}, float_outputs(node)};
      if (node.op->traits.leaf || surgery.losses.empty()) continue;
      for (Value input : node.inputs) {
        const auto found = numbers.find(input);
        const bool constant = input && graph.node(input.node).op->name == "Constant";
        if (input && !constant && found != numbers.end()) surgery.replaced[input] = frozen(found->second);
      }
      if (take_smaller(operate(best_, surgery))) return true;
    }
    return false;
  }

  // The loss of an earlier node alone.
  bool end_early() {
    const Graph graph = best_.graph;
    for (NodeId id : topological_order(graph)) {
      const Node& node = graph.node(id);
      const Surgery surgery{{}, float_outputs(node)};
      if (node.op->traits.leaf || surgery.losses.empty()) continue;
      if (take_smaller(operate(best_, surgery))) return true;
    }
    return false;
  }

  // Delta debugging over the values inside the graph: whole chunks become inputs, so that all before them goes.
  void cut_off_parts() {
    for (std::size_t chunk = (inner_values().size() + 1) / 2; chunk >= 1; chunk /= 2) {
      for (std::size_t first = 0; first < inner_values().size();) {
        const std::vector<Value> values = inner_values();
        const std::map<Value, Array> numbers = values_of(best_);
        Surgery surgery;
        for (std::size_t at = first; at < std::min(first + chunk, values.size()); ++at) {
          const auto found = numbers.find(values[at]);
          if (found != numbers.end()) surgery.replaced[values[at]] = frozen(found->second);
        }
        if (!take_smaller(operate(best_, surgery))) first += chunk;
      }
    }
  }

  // Results of nodes, but for the loss.
  std::vector<Value> inner_values() const {
    std::vector<Value> values;
    const Value loss = best_.graph.find_output("loss")->value;
    for (NodeId id : best_.graph.node_ids()) {
      const Node& node = best_.graph.node(id);
      if (node.op->traits.leaf || id == loss.node) continue;
      for (std::uint32_t port = 0; port < node.outputs.size(); ++port) values.push_back({id, port});
    }
    return values;
  }

  void freeze_inputs() {
    for (std::size_t index = best_.graph.inputs().size(); index > 0;
         --index) {  // from the back: others keep their place
      const NodeId id = best_.graph.inputs()[index - 1];
      Surgery surgery;
      surgery.replaced[{id, 0}] = {Substitute::Kind::constant, best_.values.at(best_.graph.node(id).path())};
      take(operate(best_, surgery));
    }
  }

  // A node whose input has the type of its output can be left out.
  void leave_out_nodes() {
    for (bool found = true; found;) {
      found = false;
      const Graph graph = best_.graph;
      for (NodeId id : graph.node_ids()) {
        const Node& node = graph.node(id);
        if (node.outputs.size() != 1) continue;
        for (Value input : node.inputs) {
          if (found || !input || graph.type(input) != node.outputs[0].type) continue;
          Surgery surgery;
          surgery.replaced[{id, 0}] = {Substitute::Kind::value, {}, input};
          found = take(operate(best_, surgery));
        }
        if (found) break;
      }
    }
  }

  // ---- Numbers

  // The case with every array of floats (inputs and constants) changed.
  template <class Change>
  std::optional<GraphCase> changed(const Change& change) const {
    Surgery surgery;
    for (NodeId id : best_.graph.node_ids()) {
      const Node& node = best_.graph.node(id);
      const bool input = node.op->name == "Input";
      if (!input && node.op->name != "Constant") continue;
      const Array numbers = input ? best_.values.at(node.path()) : node.attrs.find("value")->as_tensor();
      if (numbers.dtype() != DType::f64) continue;
      surgery.replaced[{id, 0}] = {input ? Substitute::Kind::input : Substitute::Kind::constant, change(numbers)};
    }
    return operate(best_, surgery);
  }

  // All axes of one length together, since the shapes must go on fitting each other.
  void shorten_axes() {
    const auto shortened = [](Array numbers, std::int64_t from, std::int64_t to) {
      for (int axis = 0; axis < numbers.rank(); ++axis) {
        if (numbers.sizes()[static_cast<std::size_t>(axis)] == from) numbers = numbers.sliced(axis, 0, to, 1);
      }
      return numbers.copy();
    };
    constexpr std::int64_t kLongest = 64;
    for (std::int64_t length = kLongest; length > 1; --length) {
      for (std::int64_t shorter : {std::int64_t{1}, length / 2, length - 1}) {
        if (take(changed([&](const Array& numbers) { return shortened(numbers, length, shorter); }))) break;
      }
    }
  }

  void round_numbers() {
    for (double unit : {1.0, 0.1, 0.01, 0.001}) {
      const auto rounded = [&](const Array& numbers) {
        Array result = numbers.copy();
        for (double& number : result.mutable_data<double>()) number = std::round(number / unit) * unit;
        return result;
      };
      if (take(changed(rounded))) return;
    }
  }

  GraphCase best_;
  const StillFails& still_fails_;
};

}  // namespace

namespace {

// Differences say nothing about a loss whose last digits are larger than they: a part of a sound graph, such as the
// −1e30 of a mask, fails by itself.
bool loss_is_moderate(const GraphCase& made) {
  constexpr double kLargest = 1e6;
  const std::map<Value, Array> values = values_of(made);
  const auto loss = values.find(made.graph.find_output("loss")->value);
  return loss != values.end() && std::abs(loss->second.get(0)) < kLargest;
}

}  // namespace

StillFails fails_like(const GraphCase& made) {
  const bool threw = check_case(made).threw;
  return [threw](const GraphCase& candidate) {
    const CaseCheck check = check_case(candidate);
    if (check.verdict != Verdict::failed || check.threw != threw) return false;
    return threw || loss_is_moderate(candidate);
  };
}

GraphCase reduce_case(GraphCase failing, const StillFails& still_fails) {
  return Reducer(std::move(failing), still_fails).run();
}

}  // namespace asg
