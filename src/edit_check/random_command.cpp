#include "edit_check/random_command.h"

#include <algorithm>
#include <array>

#include "asg/graph/body.h"
#include "asg/graph/registry.h"
#include "asg/graph/walk.h"
#include "edit_check/random_attribute.h"

namespace asg::edit_check {
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
bool has_inputs(const Node& node) { return !node.inputs.empty(); }

NodeRef reference(Dice& dice, const Graph& graph, NodeId id) {
  if (dice.one_in(40)) return dice.one_in(2) ? NodeRef("nowhere") : NodeRef(NodeId{9999});
  if (dice.one_in(4)) return id;
  return graph.node(id).path();
}

Value any_value(Dice& dice, const Graph& graph) {
  const NodeId id = dice.any_of(graph.node_ids());
  return {id, static_cast<std::uint32_t>(dice.below(graph.node(id).outputs.size()))};
}

// A value of the same type, where there is another.
Value same_type_value(Dice& dice, const Graph& graph, Value value) {
  std::vector<Value> found;
  for (const NodeId id : graph.node_ids()) {
    if (graph.type({id, 0}) == graph.type(value) && id != value.node) found.push_back({id, 0});
  }
  return found.empty() || dice.one_in(5) ? any_value(dice, graph) : dice.any_of(found);
}

std::string new_name(Dice& dice) {
  if (dice.one_in(15)) return dice.any_of(std::vector<std::string>{"", "a/b", "head", "loss", "ä", "x y", "features"});
  return "n" + std::to_string(dice.below(200));
}

struct NewOp {
  std::string op;
  Attrs attrs = {};
};

NewOp any_op(Dice& dice) {
  static const std::vector<const OpCard*> kOps = Registry::global().all();
  const OpCard& op = *dice.any_of(kOps);
  NewOp made{op.name, {}};
  for (const AttrSpec& spec : op.attributes) {
    if (spec.fallback && !dice.one_in(3)) continue;
    if (const auto value = random_attribute(dice, spec, nullptr)) made.attrs.set(spec.name, *value);
  }
  return made;
}

// With one input that keeps its type, mostly.
NewOp one_input_op(Dice& dice) {
  switch (dice.pick(12)) {
    case 0:
      return {"nn.LayerNorm"};
    case 1:
      return {"nn.Dropout", {{"ratio", 0.25}}};
    case 2:
      return {"nn.FeedForward", {{"hidden", dice.from_to(2, 9)}}};
    case 3:
      return {"nn.Linear", {{"units", 2 * dice.from_to(2, 6)}}};
    case 4:
      return {"nn.RMSNorm"};
    case 5:
      return {"nn.BatchNorm"};
    case 6:
      return any_op(dice);
    default:
      return {
          dice.any_of(std::vector<std::string>{"Relu", "Gelu", "Silu", "Tanh", "Sigmoid", "Identity", "Neg", "Exp"})};
  }
}

// A node, or one inside a layer.
NodePath place(Dice& dice, const Graph& graph, NodeId id) {
  NodePath at{reference(dice, graph, id)};
  const Node& node = graph.node(id);
  if (!is_layer(node) || dice.one_in(2)) return at;
  const Graph body = make_body(graph, node, Mode::train).graph;
  const std::vector<NodeId> inner = nodes_where(body, computes);
  if (inner.empty()) return at;
  at.inside = {body.node(dice.any_of(inner)).path()};
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
  Attrs attrs;
  const std::vector<AttrSpec>& specs = node->op->attributes;
  if (specs.empty()) return {{"axis", -1}};
  for (int count = dice.one_in(4) ? 2 : 1; count > 0; --count) {
    const AttrSpec& spec = dice.any_of(specs);
    if (const auto value = random_attribute(dice, spec, node->attrs.find(spec.name))) attrs.set(spec.name, *value);
  }
  return attrs;
}

Maybe make(Dice& dice, const Graph& /*graph*/, const AddInput& /*kind*/) {
  const DType dtype = dice.any_of(std::vector<DType>{DType::f32, DType::i64, DType::f64});
  return AddInput{new_name(dice), {dtype, {Dim::symbol("batch"), dice.from_to(2, 8)}}};
}

Maybe make(Dice& dice, const Graph& graph, const AddNode& /*kind*/) {
  const std::string scope = dice.any_of(std::vector<std::string>{"", "encoder", "extra/part"});
  if (dice.one_in(6)) {
    return AddNode{"Constant", {}, {{"value", Array::scalar(DType::f32, 3)}}, new_name(dice), scope};
  }
  const Value value = any_value(dice, graph);
  if (dice.one_in(3)) return AddNode{"Add", {value, same_type_value(dice, graph, value)}, {}, "", scope};
  NewOp made = one_input_op(dice);
  AddNode command{made.op, {value}, made.attrs, dice.one_in(2) ? new_name(dice) : "", scope};
  while (dice.one_in(4)) command.inputs.emplace_back(any_value(dice, graph));
  return command;
}

Maybe make(Dice& dice, const Graph& graph, const SetOutput& /*kind*/) {
  const std::string name = dice.any_of(std::vector<std::string>{"o1", "o2", "extra", "logits", "loss"});
  return SetOutput{name, any_value(dice, graph)};
}

Maybe make(Dice& dice, const Graph& graph, const RemoveOutput& /*kind*/) {
  if (graph.outputs().empty()) return std::nullopt;
  return RemoveOutput{graph.outputs()[dice.below(graph.outputs().size())].name};
}

Maybe make(Dice& dice, const Graph& graph, const Rename& /*kind*/) {
  return Rename{reference(dice, graph, dice.any_of(graph.node_ids())), new_name(dice)};
}

Maybe make(Dice& dice, const Graph& graph, const ReplaceOp& /*kind*/) {
  const auto nodes = nodes_where(graph, [](const Node& node) { return computes(node) && node.inputs.size() == 1; });
  if (nodes.empty()) return std::nullopt;
  NewOp made = one_input_op(dice);
  return ReplaceOp{place(dice, graph, dice.any_of(nodes)), made.op, made.attrs, dice.one_in(3)};
}

Maybe make(Dice& dice, const Graph& graph, const InsertBetween& /*kind*/) {
  const auto users = nodes_where(graph, has_inputs);
  if (users.empty()) return std::nullopt;
  const NodeId user = dice.any_of(users);
  const auto input = static_cast<std::uint32_t>(dice.below(graph.node(user).inputs.size()));
  NewOp made = one_input_op(dice);
  InsertBetween command{.value = graph.node(user).inputs[input], .op = made.op, .attrs = made.attrs};
  if (dice.one_in(2)) command.user = reference(dice, graph, user), command.input = input;
  if (dice.one_in(3)) command.name = new_name(dice);
  if (dice.one_in(10)) command.more_inputs = {any_value(dice, graph)};
  return command;
}

Maybe make(Dice& dice, const Graph& graph, const DeletePassthrough& /*kind*/) {
  const auto nodes = nodes_where(graph, has_inputs);
  if (nodes.empty()) return std::nullopt;
  const NodeId id = dice.any_of(nodes);
  const auto keep = dice.one_in(5) ? dice.below(graph.node(id).inputs.size()) : 0;
  return DeletePassthrough{place(dice, graph, id), static_cast<std::uint32_t>(keep)};
}

Maybe make(Dice& dice, const Graph& graph, const DeleteCascade& /*kind*/) {
  return DeleteCascade{reference(dice, graph, dice.any_of(graph.node_ids()))};
}

Maybe make(Dice& dice, const Graph& graph, const Rewire& /*kind*/) {
  const auto users = nodes_where(graph, has_inputs);
  if (users.empty()) return std::nullopt;
  const NodeId user = dice.any_of(users);
  const auto input = static_cast<std::uint32_t>(dice.below(graph.node(user).inputs.size()));
  const Value old = graph.node(user).inputs[input];
  return Rewire{reference(dice, graph, user), input, old ? same_type_value(dice, graph, old) : any_value(dice, graph)};
}

Maybe make(Dice& dice, const Graph& graph, const SetConfig& /*kind*/) {
  const auto nodes = nodes_where(graph, [&](const Node& node) { return is_layer(node) || dice.one_in(4); });
  if (nodes.empty()) return std::nullopt;
  const NodeId id = dice.any_of(nodes);
  const NodePath at = place(dice, graph, id);
  return SetConfig{at, configuration(dice, graph, at, id)};
}

Maybe make(Dice& dice, const Graph& graph, const SetConstant& /*kind*/) {
  const auto constants = nodes_where(graph, [](const Node& node) { return node.op->name == "Constant"; });
  if (constants.empty()) return std::nullopt;
  const NodeId id = dice.any_of(constants);
  Array value = graph.node(id).attrs.find("value")->as_tensor().copy();
  if (value.count() > 0) {
    value.set(static_cast<std::int64_t>(dice.below(static_cast<std::uint64_t>(value.count()))),
              static_cast<double>(dice.from_to(-2, 9)));
  }
  return SetConstant{reference(dice, graph, id), value};
}

std::vector<std::pair<NodeId, Binding>> all_bindings(const Graph& graph) {
  std::vector<std::pair<NodeId, Binding>> found;
  for (const NodeId id : graph.node_ids()) {
    for (const Binding& binding : graph.node(id).bindings) found.emplace_back(id, binding);
  }
  return found;
}

Maybe make(Dice& dice, const Graph& graph, const Share& /*kind*/) {
  std::vector<Command> found;
  const auto bindings = all_bindings(graph);
  for (const auto& [id, binding] : bindings) {
    for (const auto& [other, bound] : bindings) {
      if (bound.variable == binding.variable) continue;
      if (graph.variable(bound.variable).type != graph.variable(binding.variable).type) continue;
      found.emplace_back(Share{id, binding.slot, bound.variable});
    }
  }
  if (!found.empty() && !dice.one_in(8)) return dice.any_of(found);
  if (bindings.empty()) return std::nullopt;
  return Share{dice.any_of(bindings).first, "weight", dice.any_of(bindings).second.variable};
}

Maybe make(Dice& dice, const Graph& graph, const Unshare& /*kind*/) {
  const auto bindings = all_bindings(graph);
  if (bindings.empty()) return std::nullopt;
  std::vector<Command> found;
  for (const auto& [id, binding] : bindings) {
    const auto users = std::count_if(bindings.begin(), bindings.end(),
                                     [&](const auto& other) { return other.second.variable == binding.variable; });
    if (users > 1) found.emplace_back(Unshare{id, binding.slot});
  }
  if (!found.empty()) return dice.any_of(found);
  const auto& [id, binding] = dice.any_of(bindings);
  return Unshare{id, binding.slot};
}

Maybe make(Dice& dice, const Graph& graph, const SetTrainable& /*kind*/) {
  const std::vector<VarId> variables = graph.variable_ids();
  if (variables.empty()) return std::nullopt;
  if (dice.one_in(3)) return SetTrainable{graph.node(dice.any_of(graph.node_ids())).path(), dice.one_in(2)};
  return SetTrainable{dice.any_of(variables), dice.one_in(2)};
}

// A node and some of those around it: often convex.
Maybe make(Dice& dice, const Graph& graph, const Group& /*kind*/) {
  const auto nodes = nodes_where(graph, computes);
  if (nodes.empty()) return std::nullopt;
  std::vector<NodeId> chosen = {dice.any_of(nodes)};
  const UseMap uses(graph);
  for (int step = dice.pick(4); step > 0; --step) {
    const Node& node = graph.node(dice.any_of(chosen));
    NodeId next;
    if (dice.one_in(2) && !node.inputs.empty()) next = dice.any_of(node.inputs).node;
    if (!next && !uses.uses(node.id).empty()) next = uses.uses(node.id)[dice.below(uses.uses(node.id).size())].user;
    if (next && std::find(chosen.begin(), chosen.end(), next) == chosen.end()) chosen.push_back(next);
  }
  Group command;
  for (const NodeId id : chosen) command.nodes.push_back(reference(dice, graph, id));
  if (dice.one_in(2)) command.name = new_name(dice);
  return command;
}

Maybe make(Dice& dice, const Graph& graph, const Ungroup& /*kind*/) {
  const auto layers = nodes_where(graph, is_layer);
  if (layers.empty()) return std::nullopt;
  return Ungroup{reference(dice, graph, dice.any_of(layers))};
}

// A kind of command without a function `make` of its own does not compile.
template <std::size_t... kKinds>
Maybe make_kind(Dice& dice, const Graph& graph, std::size_t kind, std::index_sequence<kKinds...> /*all*/) {
  Maybe made;
  ((kind == kKinds ? void(made = make(dice, graph, std::variant_alternative_t<kKinds, Command>{})) : void()), ...);
  return made;
}

}  // namespace

std::optional<Command> random_command(Dice& dice, const Graph& graph, std::size_t kind) {
  if (graph.node_ids().empty()) return std::nullopt;
  return make_kind(dice, graph, kind, std::make_index_sequence<kCommandKinds>{});
}

}  // namespace asg::edit_check
