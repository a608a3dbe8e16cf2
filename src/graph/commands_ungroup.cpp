// Replacing a layer or block by its body, one level deep. No value, no variable and no random number changes by it.
#include <utility>

#include "asg/graph/body.h"
#include "asg/graph/card.h"
#include "asg/graph/expand.h"
#include "checks.h"
#include "edit_commands.h"
#include "edit_places.h"
#include "scopes.h"

namespace asg {
namespace {

class Ungrouping {
 public:
  Ungrouping(WorkingGraph& working, const Node& layer, const Graph& body)
      : working_(working), graph_(working.settled()), layer_(layer), body_(body) {
    std::size_t index = 0;
    for (const Value input : layer.inputs) {
      if (input) values_.set({body.inputs()[index++], 0}, input);
    }
  }

  void run() {
    for (const NodeId id : topological_order(body_)) copy(body_.node(id));
    for (const Update& update : body_.updates()) {
      graph_.add_update(bound(body_.variable(update.variable).name), graph_.tensor(values_(update.value)));
    }
    std::uint32_t port = 0;
    for (const Output& output : body_.outputs()) {
      working_.move_uses({layer_.id, port++}, values_(output.value));
    }
    working_.remove(layer_.id);
  }

 private:
  VarId bound(const std::string& slot) const {
    for (const Binding& binding : layer_.bindings) {
      if (binding.slot == slot) return binding.variable;
    }
    fail_internal("a body declares a slot that its node does not bind: " + slot);
  }

  void copy(const Node& node) {
    if (is_input(node)) return;
    if (node.op->traits.leaf && node.op->name == "Variable") {
      const VarId variable = bound(body_.variable(node.bindings.front().variable).name);
      values_.set({node.id, 0}, graph_.read(variable, node.where).value());
      return;
    }
    NodeSpec spec;
    spec.op = node.op;
    for (const Value input : node.inputs) spec.inputs.push_back(input ? values_(input) : Value{});
    spec.attrs = node.attrs;
    spec.scope = joined_scope(layer_.path(), node.scope);
    spec.name = node.name;
    if (!node.name.empty() && graph_.find_node(joined_scope(spec.scope, node.name))) {
      spec.name = graph_.free_name(spec.scope, node.name);
    }
    for (const Binding& binding : node.bindings) {
      spec.bindings.push_back({binding.slot, bound(body_.variable(binding.variable).name)});
    }
    spec.body = node.body;
    spec.stream = carries_stream(*node.op) ? stream_inside(layer_.stream, node) : 0;
    spec.where = node.where;
    const NodeId id = graph_.add(std::move(spec));
    const auto ports = static_cast<std::uint32_t>(node.outputs.size());
    for (std::uint32_t port = 0; port < ports; ++port) values_.set({node.id, port}, {id, port});
  }

  WorkingGraph& working_;
  Graph& graph_;
  const Node& layer_;
  const Graph& body_;
  Remap values_;  // of the body → of the model
};

}  // namespace

void carry_out(WorkingGraph& working, const edits::Ungroup& command) {
  const Graph& graph = working.settled();
  const NodePtr layer = graph.node_ptr(node_in(graph, command.node));
  if (!layer->op->composite) {
    fail(ErrorCode::edit_refused, "ungrouping " + layer->path() + " of op '" + layer->op->name + "'",
         "a layer or a block; a plain op has no parts");
  }
  const Graph body = make_body(graph, *layer, Mode::train).graph;
  if (body != make_body(graph, *layer, Mode::eval).graph) {
    fail(ErrorCode::edit_refused,
         "ungrouping " + layer->path() + ", whose body differs between training and evaluation",
         "a layer that is the same in both", "keep it as a layer; its configuration can be changed");
  }
  Ungrouping(working, *layer, body).run();
}

}  // namespace asg
