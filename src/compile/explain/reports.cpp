#include "compile/explain/reports.h"

#include <map>

namespace asg {

PassReport report_of_lowering(const Graph& before, const Lowered& lowered, double seconds) {
  std::map<std::string, int> bodies;
  std::map<std::string, int> hosted;
  for (const LoweringReport::Entry& entry : lowered.report.entries) {
    ++(entry.way == LoweringReport::Way::body ? bodies : hosted)[entry.op];
  }
  PassReport report{
      .name = "lower", .before = before.node_count(), .after = lowered.graph.node_count(), .seconds = seconds};
  for (const auto& [op, count] : bodies)
    report.notes.push_back(std::to_string(count) + " × " + op + " became its body");
  for (const auto& [op, count] : hosted) {
    report.notes.push_back(std::to_string(count) + " × " + op + " is left to the host");
  }
  return report;
}

PassReport report_of_specialising(const Graph& graph, const SymbolLengthsByName& lengths, double seconds) {
  PassReport report{
      .name = "specialise", .before = graph.node_count(), .after = graph.node_count(), .seconds = seconds};
  for (const auto& [symbol, length] : lengths) report.notes.push_back(symbol + " = " + std::to_string(length));
  return report;
}

PassReport report_of_bounds(const Graph& graph, const std::variant<BoundedGraph, NotBounded>& held, double seconds) {
  PassReport report{.name = std::string(kHoldBounds), .before = graph.node_count(), .seconds = seconds};
  if (const auto* refused = std::get_if<NotBounded>(&held)) {
    report.after = report.before;
    report.notes.push_back("compiled for each length: " + refused->reason);
    return report;
  }
  report.after = std::get<BoundedGraph>(held).graph.node_count();
  std::string symbols;
  for (const std::string& symbol : bounded_symbols(graph)) symbols += (symbols.empty() ? "" : ", ") + symbol;
  report.notes.push_back("one program for all lengths of " + symbols);
  return report;
}

}  // namespace asg
