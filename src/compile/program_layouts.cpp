#include "compile/program_layouts.h"

#include <algorithm>
#include <unordered_set>

#include "asg/graph/card.h"
#include "asg/graph/walk.h"
#include "compile/fusion/fusible.h"

namespace asg {
namespace {

using fusion::Layout;
using fusion::Layouts;

bool takes(const CallRules& device, const Node& node, std::size_t input, const Layout& layout) {
  return device.takes_strides && device.takes_strides(node, input, layout.sizes, layout.strides);
}

// A value that lies in memory with its axes in this order, the outermost first.
Layout ordered_layout(const Graph& graph, Value value, const std::vector<int>& order) {
  Layout layout{value, 0, graph.type(value).shape.sizes(), {}};
  layout.strides.resize(layout.sizes.size());
  std::int64_t stride = 1;
  for (std::size_t k = order.size(); k-- > 0;) {
    const auto axis = static_cast<std::size_t>(order[k]);
    layout.strides[axis] = stride;
    stride *= layout.sizes[axis];
  }
  return layout;
}

// Outputs of calls that lie in the order of axes that the device wants: those that are only transposed, or read by
// calls that take such strides.
fusion::RootStrides chosen_strides(const CallRules& device, const Graph& graph, std::span<const NodeId> order,
                                   const std::vector<Value>& results) {
  fusion::RootStrides chosen;
  if (!device.output_order) return chosen;
  const UseMap uses(graph);
  const std::unordered_set<Value> is_result(results.begin(), results.end());
  for (const NodeId id : order) {
    const Node& node = graph.node(id);
    for (std::uint32_t port = 0; port < node.outputs.size(); ++port) {
      const std::vector<int> axes = device.output_order(node, port);
      if (axes.empty()) continue;
      const Layout layout = ordered_layout(graph, {id, port}, axes);
      const std::vector<Use> users = uses.uses(graph, layout.root);
      const bool suits = std::all_of(users.begin(), users.end(), [&](const Use& use) {
        const Node& user = graph.node(use.user);
        return user.op->name == "Transpose" || takes(device, user, use.input, layout);
      });
      if (suits && !is_result.contains(layout.root)) chosen[layout.root] = layout.strides;
    }
  }
  return chosen;
}

// Calls, outputs and updates take dense tensors, calls also others where the device says so. A view with several
// outputs that has to be dense is a call itself: users come before what they use.
void copy_where_needed(Layouts& layouts, const CallRules& device, const Graph& graph, std::span<const NodeId> order,
                       const std::vector<Value>& results) {
  for (const Value value : results) {
    if (!layouts.of(value).is_dense()) layouts.make_dense(value);
  }
  for (std::size_t at = order.size(); at-- > 0;) {
    const NodeId id = order[at];
    const Node& node = graph.node(id);
    if (node.op->traits.leaf || layouts.is_view(id) || layouts.copied_by(id) != nullptr) continue;
    if (fusion::is_fusible(graph, node)) continue;
    for (std::size_t k = 0; k < node.inputs.size(); ++k) {
      if (!node.inputs[k]) continue;
      const Layout& layout = layouts.of(node.inputs[k]);
      if (layout.is_dense() || takes(device, node, k, layout)) continue;
      layouts.make_dense(node.inputs[k]);
    }
  }
}

}  // namespace

fusion::Layouts layouts_for(const CallRules& device, const Graph& graph, std::span<const NodeId> order,
                            const std::vector<Value>& results) {
  Layouts layouts(graph, order, chosen_strides(device, graph, order, results));
  copy_where_needed(layouts, device, graph, order, results);
  return layouts;
}

}  // namespace asg
