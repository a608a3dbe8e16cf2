// Commands that add, remove and join nodes.
#include <algorithm>
#include <utility>

#include "asg/graph/card.h"
#include "asg/graph/registry.h"
#include "edit_commands.h"
#include "edit_places.h"
#include "node_change.h"

namespace asg {
namespace {

// An op that a command may add by name alone.
const OpCard& addable_op(std::string_view name) {
  const OpCard& op = Registry::global().get(name);
  if (op.composite && !op.body) {
    fail(ErrorCode::edit_refused, "a new node of op '" + op.name + "', which has no body of its own",
         "an op or a layer", "blocks are made of existing nodes by the command group");
  }
  if (op.traits.leaf && op.name != "Constant" && op.name != "Input") {
    fail(ErrorCode::edit_refused, "a new node of op '" + op.name + "'", "an op, a layer, a Constant or an Input",
         "parameters come with their layers");
  }
  return op;
}

void check_scope(const std::string& scope) {
  const bool empty_part = scope.starts_with('/') || scope.ends_with('/') || scope.find("//") != std::string::npos;
  if (empty_part) {
    fail(ErrorCode::bad_name, "the scope '" + scope + "'", "names divided by '/', none of them empty");
  }
}

std::string outputs_text(const Graph& graph) {
  std::string text;
  for (const Output& output : graph.outputs()) text += (text.empty() ? "" : ", ") + output.name;
  return text.empty() ? "none; the graph has no outputs" : "one of " + text;
}

[[noreturn]] void refuse_last_output(const std::string& given) {
  fail(ErrorCode::edit_refused, given + ", which would leave the graph without an output", "at least one output",
       "set another output first");
}

void check_input_number(const Node& user, std::uint32_t input) {
  const int most = user.op->most_inputs();
  if (most >= 0 ? input < static_cast<std::uint32_t>(most) : input <= user.inputs.size()) return;
  fail(ErrorCode::bad_index, "input " + std::to_string(input) + " of " + user.path(),
       most == 0 ? "no input; op '" + user.op->name + "' has none"
                 : "an input that op '" + user.op->name + "' has, counted from 0");
}

}  // namespace

void carry_out(WorkingGraph& graph, const edits::AddInput& command) {
  graph.settled().input(command.name, command.type, {});
}

void carry_out(WorkingGraph& working, const edits::AddNode& command) {
  Graph& graph = working.settled();
  check_scope(command.scope);
  NodeSpec spec;
  spec.op = &addable_op(command.op);
  for (const ValueRef& input : command.inputs) spec.inputs.push_back(value_in(graph, input));
  spec.attrs = command.attrs;
  spec.name = command.name;
  spec.scope = command.scope;
  graph.add(std::move(spec));
}

void carry_out(WorkingGraph& working, const edits::SetOutput& command) {
  Graph& graph = working.settled();
  const Value value = given_value_in(graph, command.value, "output '" + command.name + "'");
  graph.set_output(command.name, graph.tensor(value));
}

void carry_out(WorkingGraph& graph, const edits::RemoveOutput& command) {
  const auto old = graph.now().outputs();
  std::vector<Output> outputs(old.begin(), old.end());
  if (std::erase_if(outputs, [&](const Output& output) { return output.name == command.name; }) == 0) {
    fail(ErrorCode::edit_refused, "the removal of output '" + command.name + "'", outputs_text(graph.now()));
  }
  if (outputs.empty()) refuse_last_output("the removal of output '" + command.name + "'");
  graph.set_outputs(std::move(outputs));
}

void carry_out(WorkingGraph& working, const edits::Rename& command) {
  Graph& graph = working.settled();
  graph.rename(node_in(graph, command.node), command.name);
}

void carry_out(WorkingGraph& working, const edits::InsertBetween& command) {
  Graph& graph = working.settled();
  const Value value = given_value_in(graph, command.value, "the edge");
  const NodeId user = command.user ? node_in(graph, command.user) : NodeId{};
  if (user) {
    const auto& inputs = graph.node(user).inputs;
    if (command.input >= inputs.size() || inputs[command.input] != value) {
      fail(ErrorCode::edit_refused,
           "the edge from " + to_string(value) + " to input " + std::to_string(command.input) + " of " +
               graph.node(user).path(),
           "an edge of the graph", "name the value that stands at that input now");
    }
  }
  NodeSpec spec;
  spec.op = &addable_op(command.op);
  spec.inputs = {value};
  for (const ValueRef& more : command.more_inputs) spec.inputs.push_back(value_in(graph, more));
  spec.attrs = command.attrs;
  spec.name = command.name;
  spec.scope = graph.node(user ? user : value.node).scope;
  const NodeId id = graph.add(std::move(spec));
  if (user) {
    Node rewired = graph.node(user);
    rewired.inputs[command.input] = {id, 0};
    working.put(std::move(rewired));
  } else if (working.move_uses(value, {id, 0}, id) == 0) {
    fail(ErrorCode::edit_refused, "an insertion after " + to_string(value) + ", which nobody uses",
         "a value with an edge", "add the node and set it as an output, or use it elsewhere");
  }
}

void carry_out(WorkingGraph& graph, const edits::DeletePassthrough& command) {
  change_at(graph, place_in(graph.now(), command.at), Passthrough{command.keep});
}

void carry_out(WorkingGraph& graph, const edits::DeleteCascade& command) {
  const Graph& now = graph.now();
  const NodeId node = node_in(now, command.node);
  const std::vector<NodeId> gone = descendants(now, std::span(&node, 1));
  auto vanishes = [&](const auto& place) { return std::binary_search(gone.begin(), gone.end(), place.value.node); };
  std::vector<Output> outputs(now.outputs().begin(), now.outputs().end());
  std::vector<Update> updates(now.updates().begin(), now.updates().end());
  const bool fewer = std::erase_if(outputs, vanishes) > 0;
  if (fewer && outputs.empty()) refuse_last_output("the removal of " + now.node(node).path() + " and all after it");
  std::erase_if(updates, vanishes);
  graph.set_outputs(std::move(outputs));
  graph.set_updates(std::move(updates));
  graph.remove(gone);
}

void carry_out(WorkingGraph& graph, const edits::Rewire& command) {
  Node user = graph.now().node(node_in(graph.now(), command.user));
  const Value value = value_in(graph.now(), command.value);
  check_input_number(user, command.input);
  if (user.inputs.size() <= command.input) user.inputs.resize(command.input + 1);
  user.inputs[command.input] = value;
  while (!user.inputs.empty() && !user.inputs.back()) user.inputs.pop_back();
  graph.put(std::move(user));
}

}  // namespace asg
