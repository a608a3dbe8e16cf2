#include "edit/random_edit.h"

#include <algorithm>
#include <array>

#include "asg/graph/body.h"
#include "asg/graph/card.h"
#include "asg/graph/walk.h"

namespace asg::test {
namespace {

using namespace edits;
using Maybe = std::optional<Command>;

template <class Holds>
std::vector<NodeId> nodes_where(const Graph& graph, const Holds& holds) {
  std::vector<NodeId> found;
  for (const NodeId id : graph.node_ids()) {
    if (holds(graph.node(id))) found.push_back(id);
  }
  return found;
}

bool computes(const Node& node) { return !node.op->traits.leaf; }
bool is_layer(const Node& node) { return node.op->composite; }

NodeRef ref(Dice& dice, const Graph& graph, NodeId id) {
  if (dice.chance(70)) return id;
  return graph.node(id).path();
}

Value any_value(Dice& dice, const Graph& graph) {
  const NodeId id = dice.pick(graph.node_ids());
  return {id, static_cast<std::uint32_t>(dice.below(graph.node(id).outputs.size()))};
}

// A value of the same type, where there is another.
Value like(Dice& dice, const Graph& graph, Value value) {
  std::vector<Value> found;
  for (const NodeId id : graph.node_ids()) {
    if (graph.type({id, 0}) == graph.type(value) && id != value.node) found.push_back({id, 0});
  }
  return found.empty() || dice.chance(20) ? any_value(dice, graph) : dice.pick(found);
}

std::string new_name(Dice& dice) { return "n" + std::to_string(dice.below(400)); }

struct NewOp {
  std::string op;
  Attrs attrs = {};
};

// With one input that keeps its type, mostly.
NewOp one_input_op(Dice& dice) {
  switch (dice.below(8)) {
    case 0:
      return {"nn.LayerNorm"};
    case 1:
      return {"nn.Dropout", {{"ratio", 0.25}}};
    case 2:
      return {"nn.FeedForward", {{"hidden", dice.from_to(2, 9)}}};
    case 3:
      return {"nn.Linear", {{"units", 2 * dice.from_to(2, 4)}}};
    default:
      return {dice.pick({"Relu", "Gelu", "Silu", "Tanh", "Sigmoid", "Identity", "Neg"})};
  }
}

// A node, or one inside a layer.
NodePath place(Dice& dice, const Graph& graph, NodeId id) {
  NodePath at{ref(dice, graph, id)};
  const Node& node = graph.node(id);
  if (!is_layer(node) || dice.chance(50)) return at;
  const Graph body = make_body(graph, node, Mode::train).graph;
  const std::vector<NodeId> inner = nodes_where(body, computes);
  if (inner.empty()) return at;
  at.inside = {body.node(dice.pick(inner)).path()};
  return at;
}

Attrs configuration(Dice& dice, const Graph& graph, const NodePath& at, NodeId id) {
  Graph body;
  const Node* node = &graph.node(id);
  if (!at.inside.empty()) {
    body = make_body(graph, *node, Mode::train).graph;
    const NodeId inner = body.find_node(at.inside.front());
    if (!inner) return {{"axis", 0}};
    node = &body.node(inner);
  }
  const std::array<std::pair<const char*, Attr>, 8> values = {{{"units", 2 * dice.from_to(2, 4)},
                                                               {"hidden", dice.from_to(2, 12)},
                                                               {"activation", dice.pick({"Relu", "Tanh", "Silu"})},
                                                               {"ratio", 0.1},
                                                               {"dropout", 0.3},
                                                               {"epsilon", 0.01},
                                                               {"bias", dice.chance(50)},
                                                               {"count", dice.from_to(5, 9)}}};
  std::vector<Attrs::Entry> fitting;
  for (const auto& [name, value] : values) {
    if (node->op->find_attribute(name) != nullptr) fitting.emplace_back(name, value);
  }
  if (fitting.empty()) return {{"axis", -1}};
  return {dice.pick(fitting)};
}

Maybe add_input(Dice& dice, const Graph&) {
  return AddInput{new_name(dice), {DType::f32, {Dim::symbol("batch"), dice.from_to(2, 8)}}};
}

Maybe add_node(Dice& dice, const Graph& graph) {
  const char* scope = dice.pick({"", "encoder", "extra/part"});
  if (dice.chance(20)) return AddNode{"Constant", {}, {{"value", Array::scalar(DType::f32, 3)}}, new_name(dice), scope};
  const Value value = any_value(dice, graph);
  if (dice.chance(30)) return AddNode{"Add", {value, like(dice, graph, value)}, {}, "", scope};
  NewOp made = one_input_op(dice);
  return AddNode{made.op, {value}, made.attrs, dice.chance(50) ? new_name(dice) : "", scope};
}

Maybe set_output(Dice& dice, const Graph& graph) {
  return SetOutput{dice.pick({"y", "z", "extra", "more"}), any_value(dice, graph)};
}

Maybe remove_output(Dice& dice, const Graph& graph) {
  if (graph.outputs().empty()) return std::nullopt;
  return RemoveOutput{graph.outputs()[dice.below(graph.outputs().size())].name};
}

Maybe rename(Dice& dice, const Graph& graph) {
  return Rename{ref(dice, graph, dice.pick(graph.node_ids())), new_name(dice)};
}

Maybe replace_op(Dice& dice, const Graph& graph) {
  const auto nodes = nodes_where(graph, [](const Node& node) { return computes(node) && node.inputs.size() == 1; });
  if (nodes.empty()) return std::nullopt;
  NewOp made = one_input_op(dice);
  return ReplaceOp{place(dice, graph, dice.pick(nodes)), made.op, made.attrs, dice.chance(30)};
}

Maybe insert_between(Dice& dice, const Graph& graph) {
  const auto users = nodes_where(graph, [](const Node& node) { return !node.inputs.empty(); });
  if (users.empty()) return std::nullopt;
  const NodeId user = dice.pick(users);
  const auto input = static_cast<std::uint32_t>(dice.below(graph.node(user).inputs.size()));
  const Value value = graph.node(user).inputs[input];
  NewOp made = one_input_op(dice);
  InsertBetween command{.value = value, .op = made.op, .attrs = made.attrs};
  if (dice.chance(60)) command.user = ref(dice, graph, user), command.input = input;
  if (dice.chance(30)) command.name = new_name(dice);
  return command;
}

Maybe delete_passthrough(Dice& dice, const Graph& graph) {
  const auto nodes = nodes_where(graph, [](const Node& node) { return !node.inputs.empty(); });
  if (nodes.empty()) return std::nullopt;
  const NodeId id = dice.pick(nodes);
  const std::size_t inputs = graph.node(id).inputs.size();
  return DeletePassthrough{place(dice, graph, id),
                           static_cast<std::uint32_t>(dice.chance(80) ? 0 : dice.below(inputs))};
}

Maybe delete_cascade(Dice& dice, const Graph& graph) {
  return DeleteCascade{ref(dice, graph, dice.pick(graph.node_ids()))};
}

Maybe rewire(Dice& dice, const Graph& graph) {
  const auto users = nodes_where(graph, [](const Node& node) { return !node.inputs.empty(); });
  if (users.empty()) return std::nullopt;
  const NodeId user = dice.pick(users);
  const auto input = static_cast<std::uint32_t>(dice.below(graph.node(user).inputs.size()));
  const Value old = graph.node(user).inputs[input];
  return Rewire{ref(dice, graph, user), input, old ? like(dice, graph, old) : any_value(dice, graph)};
}

Maybe set_config(Dice& dice, const Graph& graph) {
  const auto layers = nodes_where(graph, is_layer);
  if (layers.empty()) return std::nullopt;
  const NodeId id = dice.pick(layers);
  const NodePath at = place(dice, graph, id);
  return SetConfig{at, configuration(dice, graph, at, id)};
}

Maybe set_constant(Dice& dice, const Graph& graph) {
  const auto constants = nodes_where(graph, [](const Node& node) { return node.op->name == "Constant"; });
  if (constants.empty()) return std::nullopt;
  const NodeId id = dice.pick(constants);
  Array value = graph.node(id).attrs.find("value")->as_tensor().copy();
  if (value.count() > 0) value.set(0, static_cast<double>(dice.from_to(-1, 4)));
  return SetConstant{ref(dice, graph, id), value};
}

std::vector<std::pair<NodeId, Binding>> all_bindings(const Graph& graph) {
  std::vector<std::pair<NodeId, Binding>> found;
  for (const NodeId id : graph.node_ids()) {
    for (const Binding& binding : graph.node(id).bindings) found.emplace_back(id, binding);
  }
  return found;
}

Maybe share(Dice& dice, const Graph& graph) {
  std::vector<Command> found;
  const auto bindings = all_bindings(graph);
  for (const auto& [id, binding] : bindings) {
    for (const auto& [other, bound] : bindings) {
      if (bound.variable == binding.variable) continue;
      if (graph.variable(bound.variable).type != graph.variable(binding.variable).type) continue;
      found.emplace_back(Share{id, binding.slot, bound.variable});
    }
  }
  if (!found.empty() && !dice.chance(10)) return dice.pick(found);
  if (bindings.empty()) return std::nullopt;
  return Share{dice.pick(bindings).first, "weight", dice.pick(bindings).second.variable};
}

Maybe unshare(Dice& dice, const Graph& graph) {
  const auto bindings = all_bindings(graph);
  std::vector<Command> found;
  for (const auto& [id, binding] : bindings) {
    const auto users = std::count_if(bindings.begin(), bindings.end(),
                                     [&](const auto& other) { return other.second.variable == binding.variable; });
    if (users > 1) found.emplace_back(Unshare{id, binding.slot});
  }
  if (found.empty()) return std::nullopt;
  return dice.pick(found);
}

Maybe set_trainable(Dice& dice, const Graph& graph) {
  const std::vector<VarId> variables = graph.variable_ids();
  if (variables.empty()) return std::nullopt;
  return SetTrainable{dice.pick(variables), dice.chance(50)};
}

// A node and some of those around it: often convex.
Maybe group(Dice& dice, const Graph& graph) {
  const auto nodes = nodes_where(graph, computes);
  if (nodes.empty()) return std::nullopt;
  std::vector<NodeId> chosen = {dice.pick(nodes)};
  const UseMap uses(graph);
  for (std::size_t step = dice.below(4); step > 0; --step) {
    const Node& node = graph.node(dice.pick(chosen));
    NodeId next;
    if (dice.chance(50) && !node.inputs.empty()) next = dice.pick(node.inputs).node;
    if (!next && !uses.uses(node.id).empty()) next = uses.uses(node.id)[dice.below(uses.uses(node.id).size())].user;
    if (next && std::find(chosen.begin(), chosen.end(), next) == chosen.end()) chosen.push_back(next);
  }
  Group command;
  for (const NodeId id : chosen) command.nodes.push_back(ref(dice, graph, id));
  if (dice.chance(50)) command.name = new_name(dice);
  return command;
}

Maybe ungroup(Dice& dice, const Graph& graph) {
  const auto layers = nodes_where(graph, is_layer);
  if (layers.empty()) return std::nullopt;
  return Ungroup{ref(dice, graph, dice.pick(layers))};
}

using Maker = Maybe (*)(Dice&, const Graph&);
constexpr std::array<Maker, std::variant_size_v<Command>> kMakers = {
    add_input,          add_node,       set_output, remove_output, rename,       replace_op, insert_between,
    delete_passthrough, delete_cascade, rewire,     set_config,    set_constant, share,      unshare,
    set_trainable,      group,          ungroup};

}  // namespace

std::optional<Command> random_command(Dice& dice, const Graph& graph, std::size_t kind) {
  auto command = kMakers[kind](dice, graph);
  if (command && command->index() != kind) return std::nullopt;
  return command;
}

}  // namespace asg::test
