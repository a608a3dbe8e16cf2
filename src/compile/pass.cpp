#include "asg/compile/pass.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <optional>
#include <utility>

#include "asg/compile/bounded.h"
#include "compile/passes/passes.h"

namespace asg {
namespace {

void check_names(const std::vector<std::string>& off) {
  std::vector<std::string> names;
  std::string listed;
  const auto add = [&](std::string_view name) {
    names.emplace_back(name);
    if (!listed.empty()) listed += ", ";
    listed += name;
  };
  add(kHoldBounds);
  for (const Pass& pass : graph_passes()) add(pass.name);
  for (const ProgramPass& pass : program_passes()) add(pass.name);
  for (const std::string& name : off) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    const std::string nearest = nearest_name(name, names);
    fail(ErrorCode::bad_command, "a pass named '" + name + "' to be switched off", "one of " + listed,
         nearest.empty() ? "" : "did you mean '" + nearest + "'?");
  }
}

std::atomic<bool>& default_of_verify() {
  static std::atomic<bool> verifies = [] {
    const char* given = std::getenv("ASG_VERIFY");
    return given != nullptr && std::string_view(given) == "1";
  }();
  return verifies;
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

bool verifies_by_default() { return default_of_verify().load(std::memory_order_relaxed); }

void set_verifies_by_default(bool verifies) { default_of_verify().store(verifies, std::memory_order_relaxed); }

const std::vector<Pass>& graph_passes() {
  static const std::vector<Pass> kPasses = {
      {"fold_constants", "what depends on constants and known shapes only is computed once", passes::fold_constants},
      {"simplify", "steps that change nothing go, dear ones become cheap ones", passes::simplify},
      {"merge_common", "what is computed twice is computed once", passes::merge_common},
      {"remove_dead", "what nothing needs goes", passes::remove_dead},
  };
  return kPasses;
}

const std::vector<ProgramPass>& program_passes() {
  static const std::vector<ProgramPass> kPasses = {
      {"fuse", "nodes that walk the same space become one kernel"},
      {"recompute", "cheap values are computed again where they are used instead of being kept"},
      {"epilogues", "products and convolutions end with the kernel that reads their result"},
      {"schedule", "steps run in an order that needs little memory"},
      {"in_place", "values take over the memory of those that are needed no more"},
  };
  return kPasses;
}

bool PassOptions::is_off(std::string_view pass) const { return std::find(off.begin(), off.end(), pass) != off.end(); }

std::string PassReport::to_text() const {
  if (!ran) return name + ": off\n";
  std::string text = name + ": " + std::to_string(before) + " → " + std::to_string(after) + ' ';
  text.append(unit) += '\n';
  for (const std::string& note : notes) text += "  " + note + '\n';
  return text;
}

Passed run_passes(Graph graph, const PassOptions& options) {
  check_names(options.off);
  Passed passed{std::move(graph), {}, {}};
  bool any = false;
  for (const Pass& pass : graph_passes()) {
    PassReport report{.name = std::string(pass.name), .before = passed.graph.node_count()};
    report.ran = !options.is_off(pass.name);
    if (report.ran) {
      const auto start = std::chrono::steady_clock::now();
      const std::optional<Graph> before = options.verify ? std::optional(passed.graph) : std::nullopt;
      PassResult result = pass.run(std::move(passed.graph));
      report.seconds = seconds_since(start);
      report.notes = std::move(result.notes);
      if (options.verify) check_pass(pass.name, *before, result.graph);
      passed.graph = std::move(result.graph);
      passed.remap = any ? passed.remap.then(result.remap) : std::move(result.remap);
      any = true;
      if (options.after) options.after(pass.name, passed.graph);
    }
    report.after = passed.graph.node_count();
    passed.reports.push_back(std::move(report));
  }
  if (!any) passed.remap = Remap::identity(passed.graph);
  return passed;
}

}  // namespace asg
