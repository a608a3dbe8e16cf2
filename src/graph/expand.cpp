#include "asg/graph/expand.h"

#include <algorithm>
#include <memory>
#include <unordered_map>

#include "asg/graph/card.h"
#include "asg/graph/open.h"
#include "checks.h"
#include "scopes.h"

namespace asg {
namespace {

// One body being copied into the result. The outermost is the given graph itself.
struct Frame {
  std::unique_ptr<Body> owned;  // null for the outermost
  const Graph* graph = nullptr;
  std::vector<NodeId> order;
  std::size_t next = 0;
  Remap values;                  // of this body → of the result
  std::vector<VarId> variables;  // of this body, by number → of the result
  std::string scope;
  NodeId origin;     // node of the given graph that this body belongs to
  std::string path;  // of this body inside it
  StreamKey stream = 0;
  NodeId caller;  // node of the frame below that this body replaces
};

class Expander {
 public:
  // `replaced` says of which nodes the bodies are copied.
  Expander(const Graph& graph, Mode mode, std::function<bool(const Node&)> replaced)
      : given_(graph), mode_(mode), replaced_(std::move(replaced)), result_{Graph(graph.name(), graph.id()), {}} {}

  Expansion run() {
    for (VarId id : given_.variable_ids()) result_.graph.put(given_.variable(id));
    push_outermost();
    while (!frames_.empty()) {
      if (frames_.back().next == frames_.back().order.size()) {
        finish();
      } else {
        step();
      }
    }
    return std::move(result_);
  }

 private:
  void push_outermost() {
    Frame frame;
    frame.graph = &given_;
    frame.order = topological_order(given_);
    frame.variables.resize(given_.next_variable_id().number);
    for (VarId id : given_.variable_ids()) frame.variables[id.number] = id;
    frames_.push_back(std::move(frame));
  }

  bool outermost() const { return frames_.size() == 1; }

  void step() {
    Frame& frame = frames_.back();
    const Node& node = frame.graph->node(frame.order[frame.next++]);
    if (is_input(node) && !outermost()) return;  // stands for a value of the caller
    if (node.op->traits.leaf && node.op->name == "Variable") {
      const Graph::OriginGuard origin(result_.graph, origin_of(frame, node));
      const Value value =
          result_.graph.read(frame.variables[node.bindings.front().variable.number], node.where).value();
      place(frame, {node.id, 0}, value);
      return;
    }
    if (replaced_(node)) {
      push_body(node);
    } else {
      copy(frame, node);
    }
  }

  void place(Frame& frame, Value from, Value to) {
    frame.values.set(from, to);
    if (outermost()) result_.remap.set(from, to);
  }

  std::shared_ptr<const Origin> origin_of(const Frame& frame, const Node& node) const {
    if (outermost())
      return node.origin ? node.origin : std::make_shared<const Origin>(Origin{node.id, "", Role::forward});
    return std::make_shared<const Origin>(Origin{frame.origin, joined_scope(frame.path, node.path()), Role::forward});
  }

  void copy(Frame& frame, const Node& node) {
    NodeSpec spec;
    spec.op = node.op;
    for (Value input : node.inputs) spec.inputs.push_back(input ? frame.values(input) : Value{});
    spec.attrs = node.attrs;
    spec.name = node.name;
    if (node.op->composite) keep_layer(frame, node, spec);
    spec.scope = outermost() ? node.scope : joined_scope(frame.scope, node.scope);
    // The scope of a layer's body may be one that nodes of the given graph use too.
    if (!spec.name.empty() && result_.graph.find_node(joined_scope(spec.scope, spec.name))) {
      spec.name = result_.graph.free_name(spec.scope, spec.name);
    }
    spec.stream = carries_stream(*node.op) ? stream_inside(frame.stream, node) : 0;
    spec.origin = origin_of(frame, node);
    spec.where = node.where;
    const NodeId id = result_.graph.add(std::move(spec));
    const auto ports = static_cast<std::uint32_t>(node.outputs.size());
    for (std::uint32_t port = 0; port < ports; ++port) place(frame, {node.id, port}, {id, port});
  }

  static void keep_layer(const Frame& frame, const Node& node, NodeSpec& spec) {
    spec.body = node.body;
    for (const Binding& binding : node.bindings) {
      spec.bindings.push_back({binding.slot, frame.variables[binding.variable.number]});
    }
  }

  void push_body(const Node& node) {
    Frame& outer = frames_.back();
    Frame frame;
    std::vector<const OutputInfo*> infos;
    std::vector<Value> arguments;
    for (Value input : node.inputs) {
      const Value mapped = input ? outer.values(input) : Value{};
      infos.push_back(mapped ? &result_.graph.info(mapped) : nullptr);
      if (mapped) arguments.push_back(mapped);
    }
    frame.owned = std::make_unique<Body>(make_body(*node.op, node.attrs, node.body, infos, mode_));
    frame.graph = &frame.owned->graph;
    frame.order = topological_order(*frame.graph);
    for (std::size_t index = 0; index < arguments.size(); ++index) {
      frame.values.set({frame.graph->inputs()[index], 0}, arguments[index]);
    }
    frame.variables.resize(frame.graph->next_variable_id().number);
    for (VarId id : frame.graph->variable_ids()) {
      frame.variables[id.number] = bound_variable(outer, node, frame.graph->variable(id).name);
    }
    frame.scope = joined_scope(outermost() ? node.scope : joined_scope(outer.scope, node.scope), node.label());
    const bool nested_origin = outermost() && node.origin != nullptr;
    frame.origin = outermost() ? (nested_origin ? node.origin->node : node.id) : outer.origin;
    frame.path = outermost() ? (nested_origin ? node.origin->path : "") : joined_scope(outer.path, node.path());
    frame.stream = outermost() ? node.stream : stream_inside(outer.stream, node);
    frame.caller = node.id;
    frames_.push_back(std::move(frame));
  }

  static VarId bound_variable(const Frame& outer, const Node& node, const std::string& slot) {
    for (const Binding& binding : node.bindings) {
      if (binding.slot == slot) return outer.variables[binding.variable.number];
    }
    fail_internal("a body declares a slot that its node does not bind: " + slot);
  }

  void finish() {
    Frame frame = std::move(frames_.back());
    frames_.pop_back();
    Graph& graph = result_.graph;
    for (const Update& update : frame.graph->updates()) {
      set_update(frame.variables[update.variable.number], frame.values(update.value));
    }
    if (frames_.empty()) {
      graph.set_updates(std::move(updates_));
      std::vector<Output> outputs;
      for (const Output& output : given_.outputs()) outputs.push_back({output.name, frame.values(output.value)});
      graph.set_outputs(std::move(outputs));
      order_inputs(frame);
      return;
    }
    std::uint32_t port = 0;
    for (const Output& output : frame.graph->outputs()) {
      place(frames_.back(), {frame.caller, port++}, frame.values(output.value));
    }
  }

  // As Graph::add_update, which looks through all that there are.
  void set_update(VarId variable, Value value) {
    Graph& graph = result_.graph;
    if (graph.type(value) != graph.variable(variable).type) graph.add_update(variable, graph.tensor(value));  // refused
    const auto [place, is_new] = update_places_.try_emplace(variable, updates_.size());
    if (is_new) {
      updates_.push_back({variable, value});
    } else {
      updates_[place->second].value = value;
    }
  }

  // Inputs stand in the order in which the caller knows them.
  void order_inputs(const Frame& frame) {
    std::vector<NodeId> inputs;
    for (NodeId id : given_.inputs()) inputs.push_back(frame.values({id, 0}).node);
    result_.graph.set_inputs(std::move(inputs));
  }

  const Graph& given_;
  Mode mode_;
  std::function<bool(const Node&)> replaced_;
  Expansion result_;
  std::vector<Frame> frames_;
  std::vector<Update> updates_;
  std::unordered_map<VarId, std::size_t> update_places_;  // in updates_
};

}  // namespace

bool carries_stream(const OpCard& op) {
  if (op.needs_stream()) return true;
  const auto holds_graph = [](const AttrSpec& spec) { return spec.kind == AttrKind::graph; };
  return op.name != "Carrier" && std::any_of(op.attributes.begin(), op.attributes.end(), holds_graph);
}

StreamKey stream_inside(StreamKey body, const Node& node) {
  return body == 0 ? node.stream : combine(body, node.path());
}

Expansion expand(const Graph& graph, Mode mode, const std::function<bool(const Node&)>& further) {
  const auto replaced = [&](const Node& node) {
    return node.op->composite || (further && has_body(*node.op, node.body) && further(node));
  };
  return Expander(graph, mode, replaced).run();
}

Expansion open_layers(const Graph& graph, Mode mode, const std::function<bool(const Node&)>& kept) {
  return Expander(graph, mode, [&](const Node& node) { return node.op->composite && !kept(node); }).run();
}

}  // namespace asg
