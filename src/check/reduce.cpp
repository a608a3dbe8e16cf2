#include "asg/check/reduce.h"

#include <algorithm>
#include <cmath>

#include "asg/graph/walk.h"
#include "check/surgery.h"

namespace asg {
namespace {

// What is reduced: a loss whose gradient is wrong, or a program whose outputs are.
enum class Reduced : std::uint8_t { loss, program };

// One reduction under way: the smallest failing case so far.
class Reducer {
 public:
  Reducer(GraphCase failing, Reduced what, const StillFails& still_fails)
      : best_(std::move(failing)), what_(what), still_fails_(still_fails) {}

  GraphCase run() {
    if (what_ == Reduced::loss) take(flattened(best_));
    take(operate(best_, {}));  // without what nobody needs
    bool smaller = true;
    while (smaller) {
      const std::size_t before = best_.graph.node_count();
      if (what_ == Reduced::program) leave_out_results();
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

  // That the case ends with this node: its floats are the loss, or its results are the outputs. None: it cannot.
  std::optional<Surgery> ending_with(const Node& node) const {
    if (node.op->traits.leaf) return std::nullopt;
    Surgery surgery;
    std::vector<Output> outputs;
    for (std::uint32_t port = 0; port < node.outputs.size(); ++port) {
      outputs.push_back({"y" + std::to_string(port), {node.id, port}});
      if (node.outputs[port].type.dtype == DType::f64) surgery.losses.push_back({node.id, port});
    }
    if (what_ == Reduced::program) return Surgery{{}, {}, std::move(outputs), std::vector<Update>{}};
    if (surgery.losses.empty()) return std::nullopt;
    return surgery;
  }

  // Outputs and updates that the fault does not need: all but one of them, then one after the other.
  void leave_out_results() {
    const std::vector<Output> outputs(best_.graph.outputs().begin(), best_.graph.outputs().end());
    const std::vector<Update> updates(best_.graph.updates().begin(), best_.graph.updates().end());
    if (!updates.empty() && take(operate(best_, {.updates = std::vector<Update>{}}))) return leave_out_results();
    if (outputs.size() > 1) {
      for (const Output& output : outputs) {
        if (take(operate(best_, {.outputs = std::vector{output}}))) return;
      }
    }
    for (std::size_t at = best_.graph.outputs().size(); at > 0; --at) {
      std::vector<Output> fewer(best_.graph.outputs().begin(), best_.graph.outputs().end());
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(at - 1));
      if (!fewer.empty() || !best_.graph.updates().empty()) take(operate(best_, {.outputs = std::move(fewer)}));
    }
    for (std::size_t at = best_.graph.updates().size(); at > 0; --at) {
      std::vector<Update> fewer(best_.graph.updates().begin(), best_.graph.updates().end());
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(at - 1));
      take(operate(best_, {.updates = std::move(fewer)}));
    }
  }

  // What an input of a node becomes when everything before it goes: floats can still be differentiated by. They are
  // moved a little: a number that was held at a kink by what came before (the 0 of a Relu) would stand on it freely
  // now, and fail for a reason of its own. Numbers too large for differences stay constants for the same reason.
  // A program keeps its numbers.
  Substitute frozen(const Array& numbers) const {
    constexpr double kLargest = 1e6;
    if (what_ == Reduced::program) return {Substitute::Kind::input, numbers};
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
      std::optional<Surgery> surgery = ending_with(node);
      if (!surgery) continue;
      for (Value input : node.inputs) {
        const auto found = numbers.find(input);
        const bool constant = input && graph.node(input.node).op->name == "Constant";
        if (input && !constant && found != numbers.end()) surgery->replaced[input] = frozen(found->second);
      }
      if (take_smaller(operate(best_, *surgery))) return true;
    }
    return false;
  }

  // The loss of an earlier node alone.
  bool end_early() {
    const Graph graph = best_.graph;
    for (NodeId id : topological_order(graph)) {
      const std::optional<Surgery> surgery = ending_with(graph.node(id));
      if (surgery && take_smaller(operate(best_, *surgery))) return true;
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

  // Results of nodes, but for the loss. Those of a program can become inputs whatever else they are.
  std::vector<Value> inner_values() const {
    std::vector<Value> values;
    const Output* loss = best_.graph.find_output("loss");
    for (NodeId id : best_.graph.node_ids()) {
      const Node& node = best_.graph.node(id);
      if (node.op->traits.leaf || (what_ == Reduced::loss && id == loss->value.node)) continue;
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
      if (what_ == Reduced::loss && numbers.dtype() != DType::f64) continue;
      surgery.replaced[{id, 0}] = {input ? Substitute::Kind::input : Substitute::Kind::constant, change(numbers)};
    }
    return operate(best_, surgery);
  }

  // All axes of one length together, since the shapes must go on fitting each other.
  void shorten_axes() {
    const auto shortened = [](Array numbers, std::int64_t from, std::int64_t to) {
      // A list of integers may be a shape that has the length in it.
      if (numbers.dtype() == DType::i64 && numbers.rank() == 1) {
        numbers = numbers.copy();
        for (std::int64_t& number : numbers.mutable_data<std::int64_t>()) number = number == from ? to : number;
        return numbers;
      }
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
        for (std::int64_t at = 0; is_float(result.dtype()) && at < result.count(); ++at) {
          result.set(at, std::round(result.get(at) / unit) * unit);
        }
        return result;
      };
      if (take(changed(rounded))) return;
    }
  }

  GraphCase best_;
  Reduced what_;
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
  return Reducer(std::move(failing), Reduced::loss, still_fails).run();
}

GraphCase reduce_program(GraphCase failing, const StillFails& still_fails) {
  return Reducer(std::move(failing), Reduced::program, still_fails).run();
}

}  // namespace asg
