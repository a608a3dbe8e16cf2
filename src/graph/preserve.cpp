#include "preserve.h"

#include <algorithm>
#include <functional>
#include <map>
#include <unordered_map>
#include <utility>

#include "asg/graph/open.h"
#include "asg/graph/walk.h"
#include "axis_flow.h"

namespace asg {
namespace {

using OriginPlace = std::pair<NodeId, std::string>;  // origin of an expanded node: node of the model, path inside it

bool is_leaf(const Node& node, std::string_view op) { return node.op->traits.leaf && node.op->name == op; }

bool any_wide(const std::vector<WideAxes>& values) {
  return std::any_of(values.begin(), values.end(), [](const WideAxes& axes) {
    return std::any_of(axes.begin(), axes.end(), [](const auto& axis) { return axis.has_value(); });
  });
}

bool is_of(const Graph& graph, const Node& node) { return graph.has(node.id) && &graph.node(node.id) == &node; }

// Whether a node of one of the two versions is a layer that computes the same in both, from inputs of the same types.
bool is_same_layer(const Graph& before, const Graph& after, const Node& node) {
  if (!is_of(before, node) && !is_of(after, node)) return false;  // inside another layer
  if (!before.has(node.id) || !after.has(node.id)) return false;
  const Node& old = before.node(node.id);
  const Node& now = after.node(node.id);
  if (old.op != now.op || old.attrs != now.attrs || old.body != now.body || old.bindings != now.bindings) return false;
  if (old.inputs.size() != now.inputs.size()) return false;
  for (std::size_t input = 0; input < old.inputs.size(); ++input) {
    const bool given = static_cast<bool>(old.inputs[input]);
    if (given != static_cast<bool>(now.inputs[input])) return false;
    if (given && !(before.info(old.inputs[input]) == after.info(now.inputs[input]))) return false;
  }
  return std::all_of(old.bindings.begin(), old.bindings.end(), [&](const Binding& binding) {
    return before.variable(binding.variable).type == after.variable(binding.variable).type;
  });
}

using Kept = std::function<bool(const Node&)>;

// Follows all widened axes through one expanded version of the model, in which layers that are `kept` stay closed.
class Follower {
 public:
  Follower(const Graph& before, const Graph& after, Mode mode, const Kept& kept, std::vector<ResizeRule>& rules)
      : model_(after),
        old_(open_layers(before, mode, kept).graph),
        new_(open_layers(after, mode, kept).graph),
        rules_(rules) {
    for (const NodeId id : old_.node_ids()) {
      const Node& node = old_.node(id);
      if (node.origin) earlier_.emplace(OriginPlace{node.origin->node, node.origin->path}, id);
    }
  }

  void run() {
    std::vector<Value> roots;
    for (const Output& output : new_.outputs()) roots.push_back(output.value);
    for (const Update& update : new_.updates()) roots.push_back(update.value);
    const std::vector<NodeId> needed = ancestors(new_, roots);
    for (const NodeId id : topological_order(new_)) {
      if (std::binary_search(needed.begin(), needed.end(), id)) follow(new_.node(id));
    }
    check_outputs();
    check_updates();
  }

 private:
  const Node* earlier_of(const Node& node) const {
    if (is_leaf(node, "Variable")) {
      const NodeId reader = old_.reader_of(node.bindings.front().variable);
      return reader ? &old_.node(reader) : nullptr;
    }
    if (!node.origin) return nullptr;
    const auto found = earlier_.find({node.origin->node, node.origin->path});
    return found == earlier_.end() ? nullptr : &old_.node(found->second);
  }

  std::string path_of(const Node& node) const {
    if (!node.origin || !model_.has(node.origin->node)) return node.path();
    const std::string outer = model_.node(node.origin->node).path();
    return node.origin->path.empty() ? outer : outer + "/" + node.origin->path;
  }

  void follow(const Node& node) {
    const Node* earlier = earlier_of(node);
    AxisFlow flow{new_, node, earlier, {}, {}, {}};
    for (const Value input : node.inputs) flow.inputs.push_back(input ? wide_at(input) : WideAxes{});
    for (const OutputInfo& output : node.outputs) {
      flow.outputs.emplace_back(static_cast<std::size_t>(output.type.shape.rank()));
    }
    try {
      if (node.op->traits.leaf) {
        begin(flow);
      } else {
        check_numbers(node);
        pass(flow);
      }
      check_lengths(flow);
    } catch (const AxisBlocked& blocked) {
      refuse(blocked, node);
    }
    for (const WideAxis& zero : flow.zeros) mark_zero(zero);
    note_change(node, earlier);
    for (std::uint32_t port = 0; port < flow.outputs.size(); ++port) {
      if (any_wide({flow.outputs[port]})) wide_.emplace(Value{node.id, port}, std::move(flow.outputs[port]));
    }
  }

  // Where widened axes come from: variables and inputs whose type differs.
  void begin(AxisFlow& flow) {
    if (flow.earlier == nullptr || is_leaf(flow.node, "Constant")) return;
    const Shape& old_shape = flow.earlier->outputs.front().type.shape;
    const Shape& new_shape = flow.out_shape(0);
    const VarId variable = is_leaf(flow.node, "Variable") ? flow.node.bindings.front().variable : VarId{};
    const WideAxis unknown{{}, variable, {}, 0};
    if (old_shape.rank() != new_shape.rank() ||
        flow.earlier->outputs.front().type.dtype != new_.type({flow.node.id, 0}).dtype) {
      throw AxisBlocked{unknown, "which has another rank or dtype than before"};
    }
    for (int axis = 0; axis < new_shape.rank(); ++axis) {
      if (old_shape[axis] == new_shape[axis]) continue;
      const auto shorter = (new_shape[axis] - old_shape[axis]).upper_bound();
      const auto longer = (new_shape[axis] - old_shape[axis]).lower_bound();
      if (!longer || *longer < 0) {
        throw AxisBlocked{unknown, shorter && *shorter < 0 ? "which becomes shorter, so that what it computed is lost"
                                                           : "whose length changes in a way that cannot be compared"};
      }
      flow.outputs[0][static_cast<std::size_t>(axis)] = WideAxis{old_shape[axis], variable, variable, axis};
    }
  }

  void pass(AxisFlow& flow) {
    const AxisRule rule = axis_rule(*flow.node.op);
    if (rule == nullptr) {
      for (const WideAxes& input : flow.inputs) {
        for (const auto& axis : input) {
          if (axis) throw AxisBlocked{*axis, "for which it is not known how a longer axis changes its result"};
        }
      }
      return;
    }
    if (any_wide(flow.inputs) || flow.node.op->name == "Expand") rule(flow);
  }

  // What a rule found agrees with the lengths before and after; an axis that changed unseen would change the result.
  void check_lengths(AxisFlow& flow) {
    if (flow.earlier == nullptr) return;
    for (std::size_t port = 0; port < flow.outputs.size() && port < flow.earlier->outputs.size(); ++port) {
      const Shape& old_shape = flow.earlier->outputs[port].type.shape;
      const Shape& new_shape = flow.out_shape(port);
      if (old_shape.rank() != new_shape.rank()) continue;  // another op stands here now
      for (int axis = 0; axis < new_shape.rank(); ++axis) {
        auto& wide = flow.outputs[port][static_cast<std::size_t>(axis)];
        if (old_shape[axis] == new_shape[axis] || wide) continue;
        wide = WideAxis{old_shape[axis], {}, {}, 0};
        if (flow.node.op->name != "Expand") throw AxisBlocked{*wide, "whose result changes its length by it"};
      }
    }
  }

  // Numbers that a layer computes from a width, such as 1/sqrt(width), change what it computes.
  void note_change(const Node& node, const Node* earlier) {
    if (earlier == nullptr || node.op != earlier->op || node.outputs.empty() || earlier->outputs.empty()) return;
    const auto& known = node.outputs.front().known;
    const auto& old_known = earlier->outputs.front().known;
    const bool own = node.origin && node.origin->path.empty();  // of the user, changed by the user
    if (is_leaf(node, "Constant") && !own) {
      if (node.attrs != earlier->attrs) changed_.push_back(node.id);
    } else if (known && old_known && *known != *old_known) {
      changed_.push_back(node.id);
    }
  }

  void check_numbers(const Node& node) const {
    if (!node.outputs.empty() && node.outputs.front().known) return;  // integers, followed by their contents
    for (std::size_t input = 0; input < node.inputs.size(); ++input) {
      const Port& port = node.op->inputs[std::min(input, node.op->inputs.size() - 1)];
      const bool operand = port.dtypes.bits == kInt64.bits && !port.differentiable;  // a shape, axes …
      if (operand || std::find(changed_.begin(), changed_.end(), node.inputs[input].node) == changed_.end()) continue;
      throw AxisBlocked{{}, "which computes with a number that depends on the width"};
    }
  }

  void check_outputs() const {
    for (const Output& output : new_.outputs()) {
      for (const auto& axis : wide_at(output.value)) {
        if (axis) refuse({*axis, "which is the output '" + output.name + "'"}, new_.node(output.value.node));
      }
    }
  }

  // The old part of a variable must get an old part.
  void check_updates() const {
    for (const Update& update : new_.updates()) {
      const WideAxes axes = wide_at(update.value);
      const Shape& shape = new_.variable(update.variable).type.shape;
      for (int axis = 0; axis < shape.rank(); ++axis) {
        const auto& wide = axes[static_cast<std::size_t>(axis)];
        const bool fits =
            old_.has(update.variable) && (!wide || old_.variable(update.variable).type.shape[axis] == wide->old);
        if (wide && !fits) {
          refuse({*wide, "which is the new value of variable '" + new_.variable(update.variable).name + "'"},
                 new_.node(update.value.node));
        }
      }
    }
  }

  WideAxes wide_at(Value value) const {
    const auto found = wide_.find(value);
    return found == wide_.end() ? WideAxes(static_cast<std::size_t>(new_.type(value).shape.rank())) : found->second;
  }

  void mark_zero(const WideAxis& zero) {
    for (ResizeRule& rule : rules_) {
      if (rule.variable == zero.source) rule.zero_axes[static_cast<std::size_t>(zero.source_axis)] = true;
    }
  }

  [[noreturn]] void refuse(const AxisBlocked& blocked, const Node& node) const {
    const VarId cause = blocked.axis.cause;
    const std::string what =
        cause ? "a new size of '" + new_.variable(cause).name + "'" : std::string("a new size of a value");
    const std::string path = path_of(node);
    throw UserError({.code = ErrorCode::preserve_impossible,
                     .given = what + " that reaches " + path + " (" + node.op->name + "), " + blocked.reason,
                     .needed = "wider axes that end in weights which can be zero, so that the function stays the same",
                     .mend = "use the policy overlap, which copies what fits",
                     .node = path,
                     .where = node.where.to_string()});
  }

  const Graph& model_;
  Graph old_;
  Graph new_;
  std::vector<ResizeRule>& rules_;
  std::map<OriginPlace, NodeId> earlier_;
  std::unordered_map<Value, WideAxes> wide_;
  std::vector<NodeId> changed_;  // nodes whose numbers differ from those before
};

}  // namespace

// Most of a model is the same before and after: there is nothing to see inside such a layer unless a widened axis comes
// in. Where one does, the closed layer is refused, and all are opened.
void preserve_function(const Graph& before, const Graph& after, std::vector<ResizeRule>& rules) {
  const Kept is_untouched = [&](const Node& node) { return is_same_layer(before, after, node); };
  for (const Mode mode : {Mode::train, Mode::eval}) {
    std::vector<ResizeRule> tried = rules;
    try {
      Follower(before, after, mode, is_untouched, tried).run();
      rules = std::move(tried);
    } catch (const UserError&) {
      Follower(before, after, mode, [](const Node&) { return false; }, rules).run();
    }
  }
}

}  // namespace asg
