#include "preserve.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

#include "asg/graph/open.h"
#include "asg/graph/walk.h"
#include "axis_flow.h"
#include "value_index.h"

namespace asg {
namespace {

using Kept = std::function<bool(const Node&)>;

bool is_leaf(const Node& node, std::string_view op) { return node.op->traits.leaf && node.op->name == op; }

bool is_wide(const WideAxes& axes) {
  return std::any_of(axes.begin(), axes.end(), [](const auto& axis) { return axis.has_value(); });
}

bool is_of(const Graph& graph, const Node& node) { return graph.has(node.id) && &graph.node(node.id) == &node; }

// Whether a node of one of the two versions is a layer that computes the same in both, from inputs of the same types.
bool is_same_layer(const Graph& before, const Graph& after, const Node& node) {
  if (!is_of(before, node) && !is_of(after, node)) return false;  // inside another layer
  if (!before.has(node.id) || !after.has(node.id)) return false;
  const Node& old = before.node(node.id);
  const Node& now = after.node(node.id);
  if (!is_same_operation(old, now) || old.inputs.size() != now.inputs.size()) return false;
  for (std::size_t input = 0; input < old.inputs.size(); ++input) {
    const bool given = static_cast<bool>(old.inputs[input]);
    if (given != static_cast<bool>(now.inputs[input])) return false;
    if (given && !(before.info(old.inputs[input]) == after.info(now.inputs[input]))) return false;
  }
  return std::all_of(old.bindings.begin(), old.bindings.end(), [&](const Binding& binding) {
    return before.variable(binding.variable).type == after.variable(binding.variable).type;
  });
}

// Matches the values of one expanded version of a model with those of an earlier one, in eval mode. Layers that are
// `kept` stay closed.
class Matcher {
 public:
  Matcher(const Graph& before, const Graph& after, const Kept& kept)
      : model_(after),
        old_(open_layers(before, Mode::eval, kept).graph),
        new_(open_layers(after, Mode::eval, kept).graph),
        index_(old_) {
    for (const NodeId id : old_.inputs()) {
      if (const auto& origin = old_.node(id).origin) old_inputs_.emplace(origin->node, id);
    }
  }

  // Once more whenever a variable has to have its new elements elsewhere; each is moved at most once.
  void run() {
    for (bool again = true; again;) {
      again = false;
      try {
        walk();
      } catch (const OtherPlaces& asked) {
        places_.emplace(asked.axis, asked.runs);
        again = true;
      }
    }
  }

  // Why the outputs may differ; nothing where they do not.
  std::optional<UserError> problem() const {
    try {
      check_outputs();
      check_updates();
      return std::nullopt;
    } catch (const UserError& error) {
      return error;
    }
  }

  void write(std::vector<ResizeRule>& rules, bool with_zeros) const {
    for (ResizeRule& rule : rules) {
      for (int axis = 0; axis < static_cast<int>(rule.new_sizes.size()); ++axis) {
        const VarAxis place{rule.variable, axis};
        const auto at = static_cast<std::size_t>(axis);
        rule.zero_axes[at] = with_zeros && zeros_.contains(place);
        const auto placed = places_.find(place);
        if (placed == places_.end()) continue;
        rule.kept.resize(rule.new_sizes.size());
        rule.kept[at] = placed->second.kept();
      }
    }
  }

 private:
  // The value before with which one agrees in its old slices.
  struct Match {
    Value value;
    WideAxes axes;
  };
  // Why a value agrees with none.
  struct Change {
    AxisBlocked why;
    NodeId node;
  };

  void walk() {
    matches_.clear();
    changes_.clear();
    zeros_.clear();
    std::vector<Value> roots;
    for (const Output& output : new_.outputs()) roots.push_back(output.value);
    for (const Update& update : new_.updates()) roots.push_back(update.value);
    const std::vector<NodeId> needed = ancestors(new_, roots);
    for (const NodeId id : topological_order(new_)) {
      if (std::binary_search(needed.begin(), needed.end(), id)) follow(new_.node(id));
    }
  }

  bool is_known(Value value) const { return new_.info(value).known != nullptr; }

  void follow(const Node& node) {
    const auto ports = static_cast<std::uint32_t>(node.outputs.size());
    try {
      if (is_leaf(node, "Input") || is_leaf(node, "Variable")) {
        follow_leaf(node);
        return;
      }
      if (has_known_contents(node)) return;  // which speak for themselves
      for (const Value input : node.inputs) {
        const auto changed = input ? changes_.find(input) : changes_.end();
        if (changed == changes_.end()) continue;
        const Change change = changed->second;
        for (std::uint32_t port = 0; port < ports; ++port) changes_.emplace(Value{node.id, port}, change);
        return;
      }
      find_match(node);
    } catch (const AxisBlocked& blocked) {
      for (std::uint32_t port = 0; port < ports; ++port)
        changes_.emplace(Value{node.id, port}, Change{blocked, node.id});
    }
  }

  NodeId earlier_leaf(const Node& node) const {
    if (is_leaf(node, "Variable")) {
      const VarId variable = node.bindings.front().variable;
      return old_.has(variable) ? old_.reader_of(variable) : NodeId{};
    }
    const auto found = node.origin ? old_inputs_.find(node.origin->node) : old_inputs_.end();
    return found == old_inputs_.end() ? NodeId{} : found->second;
  }

  // Where widened axes come from: variables and inputs whose type differs.
  void follow_leaf(const Node& node) {
    const VarId variable = is_leaf(node, "Variable") ? node.bindings.front().variable : VarId{};
    const NodeId earlier = earlier_leaf(node);
    if (!earlier) {
      const std::string what = variable ? "variable '" + new_.variable(variable).name + "'" : "input";
      throw AxisBlocked{variable, false, "a " + what + " that the model did not use before"};
    }
    const TensorType& before = old_.type({earlier, 0});
    const TensorType& now = new_.type({node.id, 0});
    if (before.shape.rank() != now.shape.rank() || before.dtype != now.dtype) {
      throw AxisBlocked{variable, true, "which has another rank or dtype than before"};
    }
    Match match{{earlier, 0}, WideAxes(static_cast<std::size_t>(now.shape.rank()))};
    for (int axis = 0; axis < now.shape.rank(); ++axis) {
      if (before.shape[axis] == now.shape[axis]) continue;
      const auto shorter = (now.shape[axis] - before.shape[axis]).upper_bound();
      const auto longer = (now.shape[axis] - before.shape[axis]).lower_bound();
      if (!longer || *longer < 0) {
        throw AxisBlocked{variable, true,
                          shorter && *shorter < 0 ? "which becomes shorter, so that what it computed is lost"
                                                  : "whose length changes in a way that cannot be compared"};
      }
      match.axes[static_cast<std::size_t>(axis)] = begin(variable, axis, before.shape[axis], now.shape[axis]);
    }
    matches_.emplace(Value{node.id, 0}, std::move(match));
  }

  WideAxis begin(VarId variable, int axis, const Dim& before, const Dim& now) const {
    WideAxis wide{.runs = AxisRuns::appended(before, now), .cause = variable};
    if (!variable) return wide;
    const VarAxis place{variable, axis};
    wide.zeros = {place};
    const auto placed = places_.find(place);
    if (placed == places_.end()) {
      wide.placed_by = place;
    } else {
      wide.runs = placed->second;
    }
    return wide;
  }

  static bool has_known_contents(const Node& node) {
    return std::all_of(node.outputs.begin(), node.outputs.end(),
                       [](const OutputInfo& output) { return output.known != nullptr; });
  }

  void find_match(const Node& node) {
    const auto passed = node.op->name == "Identity" ? matches_.find(node.inputs[0]) : matches_.end();
    if (passed != matches_.end()) {
      matches_.emplace(Value{node.id, 0}, Match(passed->second));
      return;
    }
    std::vector<Value> inputs;
    for (const Value input : node.inputs) {
      const auto match = input && !is_known(input) ? matches_.find(input) : matches_.end();
      inputs.push_back(match == matches_.end() ? Value{} : match->second.value);
    }
    std::optional<AxisBlocked> why;
    for (const NodeId id : index_.candidates(*node.op, inputs)) {
      try {
        if (try_match(node, old_.node(id))) return;
      } catch (const AxisBlocked& blocked) {
        if (!why || blocked.is_size) why = blocked;
      }
    }
    throw why.value_or(unlike_any(node));
  }

  AxisBlocked unlike_any(const Node& node) const {
    const bool own = node.origin && node.origin->path.empty();  // of the user, changed by the user
    if (is_leaf(node, "Constant") && !own) return {{}, true, "which computes with a number that depends on the width"};
    for (const Value input : node.inputs) {
      const auto match = input ? matches_.find(input) : matches_.end();
      if (match == matches_.end()) continue;
      for (const auto& axis : match->second.axes) {
        if (axis) return {axis->cause, true, "which computed something else before"};
      }
    }
    return {{}, false, "which computes something that the model did not compute before"};
  }

  bool try_match(const Node& node, const Node& earlier) {
    const AxisRule rule = axis_rule(*node.op);
    const bool same_settings = is_same_operation(node, earlier);
    if (!same_settings && !(rule.reads_attributes && node.body == earlier.body)) return false;
    const bool same_operands = has_same_operands(node, earlier);
    if (!same_operands && !rule.reads_operands) return false;
    AxisFlow flow{.graph = new_, .node = node, .earlier_graph = old_, .earlier = earlier, .inputs = {}, .outputs = {}};
    bool any_wide = false;
    for (const Value input : node.inputs) {
      flow.inputs.push_back(axes_of(input));
      any_wide = any_wide || is_wide(flow.inputs.back());
    }
    for (const OutputInfo& output : node.outputs) {
      flow.outputs.emplace_back(static_cast<std::size_t>(output.type.shape.rank()));
    }
    if (any_wide && rule.run == nullptr) block_unknown(flow);
    const bool is_plain = same_settings && same_operands && !any_wide && !rule.of_any;
    if (rule.run != nullptr && !is_plain) rule.run(flow);
    check_types(flow);
    zeros_.insert(flow.zeros.begin(), flow.zeros.end());
    accept(flow);
    return true;
  }

  // Integers that are known while building are the same by their contents.
  bool has_same_operands(const Node& node, const Node& earlier) const {
    for (std::size_t input = 0; input < node.inputs.size(); ++input) {
      const Value now = node.inputs[input];
      const Value before = earlier.inputs[input];
      if (static_cast<bool>(now) != static_cast<bool>(before)) return false;
      const bool known = now && is_known(now);
      const bool was_known = before && old_.info(before).known != nullptr;
      if (known != was_known) return false;
      if (known &&
          (new_.type(now).dtype != old_.type(before).dtype || *new_.info(now).known != *old_.info(before).known)) {
        return false;
      }
    }
    return true;
  }

  WideAxes axes_of(Value value) const {
    if (!value) return {};
    const auto match = matches_.find(value);
    if (match != matches_.end()) return match->second.axes;
    return WideAxes(static_cast<std::size_t>(new_.type(value).shape.rank()));
  }

  [[noreturn]] static void block_unknown(const AxisFlow& flow) {
    for (const WideAxes& input : flow.inputs) {
      for (const auto& axis : input) {
        if (axis) block(*axis, "for which it is not known how a longer axis changes its result");
      }
    }
    fail_internal("a wide axis that is none");
  }

  // What a rule found agrees with the types before and after; an axis that changed unseen would change the result.
  static void check_types(const AxisFlow& flow) {
    constexpr const char* kUnseen = "whose result changes its length by it";
    for (std::size_t port = 0; port < flow.outputs.size(); ++port) {
      const TensorType& before = flow.earlier.outputs[port].type;
      const TensorType& now = flow.node.outputs[port].type;
      if (before.dtype != now.dtype || before.shape.rank() != now.shape.rank()) {
        throw AxisBlocked{{}, true, "whose result has another rank or dtype"};
      }
      for (int axis = 0; axis < now.shape.rank(); ++axis) {
        const auto& wide = flow.outputs[port][static_cast<std::size_t>(axis)];
        if (wide && (wide->runs.old_length() != before.shape[axis] || wide->runs.length() != now.shape[axis])) {
          block(*wide, kUnseen);
        }
        if (!wide && before.shape[axis] != now.shape[axis]) throw AxisBlocked{{}, true, kUnseen};
      }
    }
  }

  void accept(AxisFlow& flow) {
    for (std::uint32_t port = 0; port < flow.outputs.size(); ++port) {
      const Value value{flow.node.id, port};
      if (std::find(flow.changed.begin(), flow.changed.end(), port) != flow.changed.end()) {
        changes_.emplace(value, Change{{{}, true, "which counts positions over the whole tensor"}, flow.node.id});
        continue;
      }
      matches_.emplace(value, Match{index_.first_like({flow.earlier.id, port}), std::move(flow.outputs[port])});
    }
  }

  void check_outputs() const {
    for (const Output& before : old_.outputs()) {
      const Output* now = new_.find_output(before.name);
      const std::string what = "the output '" + before.name + "'";
      if (now == nullptr) {
        refuse("an edit that takes away " + what, nullptr);
      }
      const Node& node = new_.node(now->value.node);
      check_same(now->value, before.value, what, node);
      for (const auto& axis : axes_of(now->value)) {
        if (axis) refuse(described({axis->cause, true, "which is " + what}, node), &node);
      }
    }
  }

  void check_same(Value now, Value before, const std::string& what, const Node& node) const {
    const auto changed = changes_.find(now);
    if (changed != changes_.end()) {
      const Node& cause = new_.node(changed->second.node);
      refuse(described(changed->second.why, cause), &cause);
    }
    const auto& known = new_.info(now).known;
    const auto& old_known = old_.info(before).known;
    if (known && old_known && *known == *old_known && new_.type(now) == old_.type(before)) return;
    const auto match = matches_.find(now);
    const bool same = match != matches_.end() && match->second.value == index_.first_like(before);
    if (!same) refuse("an edit after which " + what + " is another value, that of " + path_of(node), &node);
  }

  // The old part of a variable must get what it got.
  void check_updates() const {
    for (const Update& before : old_.updates()) {
      const auto& updates = new_.updates();
      const auto now = std::find_if(updates.begin(), updates.end(),
                                    [&](const Update& update) { return update.variable == before.variable; });
      const std::string what = "the new value of variable '" + old_.variable(before.variable).name + "'";
      if (now == updates.end()) refuse("an edit that takes away " + what, nullptr);
      const Node& node = new_.node(now->value.node);
      check_same(now->value, before.value, what, node);
      const WideAxes axes = axes_of(now->value);
      for (std::size_t axis = 0; axis < axes.size(); ++axis) {
        if (!axes[axis] || axes[axis]->runs == runs_of({now->variable, static_cast<int>(axis)})) continue;
        refuse(described({axes[axis]->cause, true, "which is " + what}, node), &node);
      }
    }
  }

  AxisRuns runs_of(const VarAxis& place) const {
    const auto placed = places_.find(place);
    if (placed != places_.end()) return placed->second;
    return AxisRuns::appended(old_.variable(place.variable).type.shape[place.axis],
                              new_.variable(place.variable).type.shape[place.axis]);
  }

  std::string path_of(const Node& node) const {
    if (!node.origin || !model_.has(node.origin->node)) return node.path();
    const std::string outer = model_.node(node.origin->node).path();
    return node.origin->path.empty() ? outer : outer + "/" + node.origin->path;
  }

  std::string described(const AxisBlocked& blocked, const Node& node) const {
    const std::string place = path_of(node) + " (" + node.op->name + ")";
    if (is_leaf(node, "Variable") && !blocked.is_size) return "an edit that adds " + blocked.reason;
    if (!blocked.is_size) return "an edit that changes " + place + ", " + blocked.reason;
    const std::string what = blocked.cause ? "a new size of '" + new_.variable(blocked.cause).name + "'"
                                           : std::string("a new size of a value");
    return what + " that reaches " + place + ", " + blocked.reason;
  }

  [[noreturn]] void refuse(std::string given, const Node* node) const {
    throw UserError(
        {.code = ErrorCode::preserve_impossible,
         .given = std::move(given),
         .needed = "an edit that changes no output in eval mode; wider axes must end in weights that can be zero",
         .mend = "use the policy overlap, which copies what fits",
         .node = node == nullptr ? "" : path_of(*node),
         .where = node == nullptr ? "" : node->where.to_string()});
  }

  const Graph& model_;
  Graph old_;
  Graph new_;
  ValueIndex index_;
  std::map<NodeId, NodeId> old_inputs_;  // by the node of the model
  std::map<VarAxis, AxisRuns> places_;   // of variables whose new elements are not at the end
  std::unordered_map<Value, Match> matches_;
  std::unordered_map<Value, Change> changes_;
  std::set<VarAxis> zeros_;
};

}  // namespace

// Most of a model is the same before and after: there is nothing to see inside such a layer unless a widened axis comes
// in. Where one does, nothing is proven, and all are opened.
std::optional<UserError> preserve_function(const Graph& before, const Graph& after, std::vector<ResizeRule>& rules) {
  const auto match_with = [&](const Kept& kept) {
    Matcher matcher(before, after, kept);
    matcher.run();
    std::optional<UserError> problem = matcher.problem();
    matcher.write(rules, !problem);
    return problem;
  };
  const auto problem = match_with([&](const Node& node) { return is_same_layer(before, after, node); });
  if (!problem) return problem;
  for (ResizeRule& rule : rules) rule.kept.clear();
  return match_with([](const Node&) { return false; });
}

}  // namespace asg
