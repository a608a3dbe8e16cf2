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

}  // namespace asg
