#include "asg/compile/lower.h"

#include <algorithm>

namespace asg {
namespace {

using Way = LoweringReport::Way;

bool replaced(const Node& node, const Capabilities& device) {
  return node.op->composite || (!device.supports(node) && has_body(*node.op, node.body));
}

void report_hosted(const Graph& graph, const Capabilities& device, LoweringReport& report) {
  for (NodeId id : graph.node_ids()) {
    const Node& node = graph.node(id);
    if (device.supports(node)) continue;
    if (!device.allow_host_fallback) {
      throw UserError({ErrorCode::not_implemented, "op '" + node.op->name + "', which the device does not support",
                       "an op that the device supports, or that has a body in smaller ops",
                       "use another op, give its card a body, or let the device fall back to the host", node.path(),
                       node.where.to_string()});
    }
    report.entries.push_back({id, node.path(), node.op->name, Way::host});
  }
}

}  // namespace

bool LoweringReport::needs_host() const {
  return std::any_of(entries.begin(), entries.end(), [](const Entry& entry) { return entry.way == Way::host; });
}

std::string LoweringReport::to_text() const {
  std::string text;
  for (const Entry& entry : entries) {
    text += entry.path + ": " + entry.op +
            (entry.way == Way::body ? " is replaced by its body\n" : " runs on the host, with transfers\n");
  }
  return text;
}

Lowered lower(const Graph& graph, const Capabilities& device, Mode mode) {
  LoweringReport report;
  for (NodeId id : graph.node_ids()) {
    const Node& node = graph.node(id);
    if (replaced(node, device)) report.entries.push_back({id, node.path(), node.op->name, Way::body});
  }
  if (report.entries.empty()) {
    report_hosted(graph, device, report);
    return {graph, Remap::identity(graph), std::move(report)};
  }
  Expansion expansion = expand(graph, mode, [&](const Node& node) { return replaced(node, device); });
  report_hosted(expansion.graph, device, report);
  return {std::move(expansion.graph), std::move(expansion.remap), std::move(report)};
}

}  // namespace asg
