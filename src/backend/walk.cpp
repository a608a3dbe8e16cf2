#include "asg/backend/walk.h"

#include "backend/at_node.h"
#include "backend/guard.h"
#include "backend/lowered_run.h"
#include "backend/node_run.h"
#include "backend/value_checks.h"
#include "backend/walk_plan.h"

namespace asg {
namespace {

// One walk over a graph: where the values of leaves come from is up to the caller.
class Walk {
 public:
  Walk(Backend& backend, const Graph& graph, const NamedDeviceArrays& inputs, std::span<const NodeId> schedule)
      : graph_(graph),
        inputs_(inputs),
        plan_(graph, schedule),
        nodes_(backend),
        values_(plan_.slots()),
        uses_left_(plan_.slots()) {
    for (std::size_t slot = 0; slot < uses_left_.size(); ++slot) uses_left_[slot] = plan_.uses(slot);
  }

  NamedDeviceArrays run() {
    for (NodeId id : plan_.order()) {
      if (plan_.needed(id)) step(graph_.node(id));
    }
    NamedDeviceArrays results;
    for (const Output& output : graph_.outputs()) results[output.name] = result(output.value);
    for (const Update& update : graph_.updates()) {
      results[update_name(graph_.variable(update.variable))] = result(update.value);
    }
    return results;
  }

 private:
  void step(const Node& node) {
    at_node(node, [&] {
      DeviceArrays outputs = is_given(node) ? DeviceArrays{given_value(graph_, node, inputs_, lengths_)}
                                            : nodes_.run(node, take_inputs(node));
      for (std::uint32_t port = 0; port < outputs.size(); ++port) {
        const std::size_t slot = plan_.slot({node.id, port});
        if (uses_left_[slot] > 0) values_[slot] = std::move(outputs[port]);
      }
    });
  }

  // The inputs of a node; a value that is used for the last time is let go of here.
  DeviceArrays take_inputs(const Node& node) {
    DeviceArrays inputs;
    for (Value input : node.inputs) {
      if (!input) {
        inputs.emplace_back();
        continue;
      }
      const std::size_t slot = plan_.slot(input);
      if (!values_[slot]) {
        fail(ErrorCode::not_in_order,
             "a schedule in which " + graph_.node(input.node).path() + " has not run before " + node.path(),
             "a schedule in which every node comes after those it depends on", "leave the schedule out, or sort it");
      }
      inputs.push_back(--uses_left_[slot] == 0 ? std::move(values_[slot]) : values_[slot]);
    }
    return inputs;
  }

  const DeviceArray& result(Value value) const {
    const DeviceArray& found = values_[plan_.slot(value)];
    if (found) return found;
    const Node& node = graph_.node(value.node);
    throw UserError({ErrorCode::missing_output, "a schedule that leaves out " + node.path() + ", which an output needs",
                     "a schedule with every node that outputs and updates need", "leave the schedule out, or add it",
                     node.path(), node.where.to_string()});
  }

  const Graph& graph_;
  const NamedDeviceArrays& inputs_;
  WalkPlan plan_;
  NodeRunner nodes_;
  SymbolLengths lengths_;
  DeviceArrays values_;                   // by slot
  std::vector<std::uint32_t> uses_left_;  // by slot
};

}  // namespace

NamedDeviceArrays walk_graph(Backend& backend, const Graph& graph, const NamedDeviceArrays& inputs,
                             std::span<const NodeId> schedule) {
  refuse_default_cycle(backend, graph);
  check_names(graph);
  return Walk(backend, graph, inputs, schedule).run();
}

}  // namespace asg
