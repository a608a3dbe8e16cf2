#include "asg/compile/carrier.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "asg/graph/card.h"
#include "asg/graph/registry.h"
#include "asg/ops/ops.h"

namespace asg {
namespace {

// Parts a graph into regions. The level of a node counts how often the way to it enters or leaves claimed nodes, so a
// way that leaves a region and comes back ends on a higher level: claimed neighbours of one level make a sound region.
class Regions {
 public:
  Regions(const Graph& graph, const std::function<bool(const Node&)>& claimed)
      : order_(topological_order(graph)),
        claimed_(graph.next_node_id().number, false),
        level_(graph.next_node_id().number, 0),
        region_(graph.next_node_id().number) {
    std::iota(region_.begin(), region_.end(), std::uint32_t{0});
    for (NodeId id : order_) place(graph, graph.node(id), claimed);
    // A node always joins one that stands later in the order, so one pass backwards leads all to their roots.
    for (auto id = order_.rbegin(); id != order_.rend(); ++id) region_[id->number] = region_[region_[id->number]];
    std::vector<std::size_t> position(region_.size());
    for (std::size_t index = 0; index < order_.size(); ++index) position[order_[index].number] = index;
    std::sort(order_.begin(), order_.end(), [&](NodeId a, NodeId b) {
      return std::pair(level_[a.number], position[a.number]) < std::pair(level_[b.number], position[b.number]);
    });
    members_.resize(region_.size());
    for (NodeId id : order_) members_[region_[id.number]].push_back(id);
  }

  const std::vector<NodeId>& order() const { return order_; }  // by level: a region follows all that it needs
  // The nodes that stand together with `id`, in order; itself alone where it is not claimed.
  const std::vector<NodeId>& members(NodeId id) const { return members_[region_[id.number]]; }

 private:
  void place(const Graph& graph, const Node& node, const std::function<bool(const Node&)>& claimed) {
    const std::uint32_t at = node.id.number;
    claimed_[at] = !node.op->traits.leaf && claimed(node);
    for (Value input : node.inputs) {
      if (!input) continue;
      const std::uint32_t from = input.node.number;
      level_[at] = std::max(level_[at], level_[from] + (claimed_[from] == claimed_[at] ? 0u : 1u));
    }
    if (!claimed_[at]) return;
    for (Value input : graph.node(node.id).inputs) {
      const std::uint32_t from = input.node.number;
      if (input && claimed_[from] && level_[from] == level_[at]) region_[root(from)] = root(at);
    }
  }

  std::uint32_t root(std::uint32_t node) {
    while (region_[node] != node) node = region_[node] = region_[region_[node]];
    return node;
  }

  std::vector<NodeId> order_;
  std::vector<bool> claimed_;
  std::vector<std::uint32_t> level_;
  std::vector<std::uint32_t> region_;  // a forest; the root names the region
  std::vector<std::vector<NodeId>> members_;
};

NodeSpec spec_of(const Node& node) {
  NodeSpec spec;
  spec.op = node.op;
  spec.attrs = node.attrs;
  spec.name = node.name;
  spec.scope = node.scope;
  spec.bindings = node.bindings;
  spec.body = node.body;
  spec.stream = node.stream;
  spec.origin = node.origin;
  spec.where = node.where;
  return spec;
}

void map_outputs(Remap& remap, const Node& node, NodeId to) {
  const auto ports = static_cast<std::uint32_t>(node.outputs.size());
  for (std::uint32_t port = 0; port < ports; ++port) remap.set({node.id, port}, {to, port});
}

// The region as a graph of its own.
class CarriedBody {
 public:
  CarriedBody(const Graph& outer, std::string name) : outer_(outer), body_(std::move(name)) {}

  void add(const Node& node) {
    NodeSpec spec = spec_of(node);
    for (Value input : node.inputs) spec.inputs.push_back(local(input));
    map_outputs(inside_, node, body_.add(std::move(spec)));
  }
  Value inside(Value outer) const { return inside_(outer); }
  void output(Value outer) {
    body_.set_output("output_" + std::to_string(body_.outputs().size()), body_.tensor(inside_(outer)));
  }
  const std::vector<Value>& captures() const { return captures_; }
  GraphPtr finish() { return std::make_shared<const Graph>(std::move(body_)); }

 private:
  Value local(Value outer) {
    if (!outer) return {};
    if (const Value known = inside_(outer)) return known;
    const Node& producer = outer_.node(outer.node);
    // Shapes and axes must be known inside, so constants go in; all else is captured.
    if (producer.op->traits.leaf && producer.op->name == "Constant") {
      map_outputs(inside_, producer, body_.add(spec_of(producer)));
      return inside_(outer);
    }
    const std::string name = "input_" + std::to_string(captures_.size());
    const Value value = body_.input(name, outer_.type(outer)).value();
    Node input = body_.node(value.node);
    input.outputs.front() = outer_.info(outer);  // small integers stay known
    body_.put(std::move(input));
    captures_.push_back(outer);
    inside_.set(outer, value);
    return value;
  }

  const Graph& outer_;
  Graph body_;
  Remap inside_;  // values of the outer graph → values of the body
  std::vector<Value> captures_;
};

class Collapser {
 public:
  Collapser(const Graph& graph, const std::function<bool(const Node&)>& claimed)
      : given_(graph), users_(graph), regions_(graph, claimed), result_{Graph(graph.name(), graph.id()), {}} {}

  Collapsed run() {
    for (VarId id : given_.variable_ids()) result_.graph.put(given_.variable(id));
    for (NodeId id : regions_.order()) {
      const auto& members = regions_.members(id);
      if (members.size() == 1) copy(given_.node(id));
      if (members.size() > 1 && members.front() == id) carry(members);
    }
    for (const Output& output : given_.outputs()) {
      result_.graph.set_output(output.name, result_.graph.tensor(result_.remap(output.value)));
    }
    for (const Update& update : given_.updates()) {
      result_.graph.add_update(update.variable, result_.graph.tensor(result_.remap(update.value)));
    }
    order_inputs();
    return std::move(result_);
  }

 private:
  void copy(const Node& node) {
    NodeSpec spec = spec_of(node);
    for (Value input : node.inputs) spec.inputs.push_back(input ? result_.remap(input) : Value{});
    map_outputs(result_.remap, node, result_.graph.add(std::move(spec)));
  }

  void carry(const std::vector<NodeId>& members) {
    CarriedBody body(given_, "carrier_" + std::to_string(++carriers_));
    for (NodeId id : members) body.add(given_.node(id));
    std::vector<Value> leaving;
    for (NodeId id : members) {
      const auto ports = static_cast<std::uint32_t>(given_.node(id).outputs.size());
      for (std::uint32_t port = 0; port < ports; ++port) {
        if (leaves({id, port}, members)) leaving.push_back({id, port});
      }
    }
    if (leaving.empty()) return;  // nobody needs it
    for (Value value : leaving) body.output(value);

    NodeSpec spec;
    spec.op = &Registry::global().get("Carrier");
    for (Value capture : body.captures()) spec.inputs.push_back(result_.remap(capture));
    spec.attrs.set("body", body.finish());
    spec.where = given_.node(members.front()).where;
    const NodeId carrier = result_.graph.add(std::move(spec));
    for (std::uint32_t port = 0; port < leaving.size(); ++port) result_.remap.set(leaving[port], {carrier, port});
  }

  bool leaves(Value value, const std::vector<NodeId>& members) const {
    auto is_value = [&](const auto& root) { return root.value == value; };
    if (std::any_of(given_.outputs().begin(), given_.outputs().end(), is_value)) return true;
    if (std::any_of(given_.updates().begin(), given_.updates().end(), is_value)) return true;
    for (const Use& use : users_.uses(given_, value)) {
      if (regions_.members(use.user).front() != members.front()) return true;
    }
    return false;
  }

  // Inputs stand in the order in which the caller knows them.
  void order_inputs() {
    std::vector<NodeId> inputs;
    for (NodeId id : given_.inputs()) inputs.push_back(result_.remap({id, 0}).node);
    result_.graph.set_inputs(std::move(inputs));
  }

  const Graph& given_;
  UseMap users_;
  Regions regions_;
  Collapsed result_;
  int carriers_ = 0;
};

}  // namespace

Collapsed collapse(const Graph& graph, const std::function<bool(const Node&)>& claimed) {
  return Collapser(graph, claimed).run();
}

}  // namespace asg
