// Checking an edit: its commands are carried out on a copy, in order; then types, variables and the whole graph are
// looked at once.
#include <algorithm>
#include <array>
#include <utility>

#include "asg/graph/edit.h"
#include "asg/graph/resize.h"
#include "asg/graph/validate.h"
#include "edit_commands.h"
#include "edit_report.h"

namespace asg {
namespace {

constexpr std::array<std::string_view, std::variant_size_v<Command>> kCommandNames = {
    "add_input",      "add_node",   "set_output",     "remove_output",
    "rename",         "replace_op", "insert_between", "delete_passthrough",
    "delete_cascade", "rewire",     "set_config",     "set_constant",
    "share",          "unshare",    "set_trainable",  "group",
    "ungroup"};

// After the commands one by one, what only the whole can show.
Graph carried_out(const Graph& before, const Edit& edit) {
  WorkingGraph working(before);
  std::size_t number = 0;
  for (const Command& command : edit.commands) {
    ++number;
    try {
      std::visit([&](const auto& kind) { carry_out(working, kind); }, command);
    } catch (const UserError& error) {
      throw error.with_where("command " + std::to_string(number) + " (" + std::string(name_of(command)) + ")");
    }
  }
  return std::move(working).finish();
}

// How the resized variables follow. Where rank or dtype changed nothing can be kept.
void plan_resizes(const Graph& before, ResizePolicy policy, EditOutcome& outcome) {
  ResizePlan plan = make_resize_plan(before, outcome.after, policy);
  EditReport& report = outcome.report;
  if (!plan.rules.empty() || plan.policy == ResizePolicy::preserve) report.policy = plan.policy;
  report.not_preserved = std::move(plan.not_preserved);
  for (VarChange& change : report.variables) {
    if (change.fate != VarFate::resized) continue;
    const auto rule = std::find_if(plan.rules.begin(), plan.rules.end(),
                                   [&](const ResizeRule& each) { return each.variable == change.variable; });
    const bool keeps_some = element_count(rule->old_sizes) > 0;
    change.policy = keeps_some ? plan.policy : ResizePolicy::fresh;
  }
  outcome.resizes = std::move(plan.rules);
}

}  // namespace

std::string_view name_of(const Command& command) { return kCommandNames[command.index()]; }

EditOutcome check(const Graph& graph, const Edit& edit) {
  EditOutcome outcome{{}, graph};
  try {
    outcome.after = carried_out(graph, edit);
    outcome.report = report_between(graph, outcome.after);
    outcome.report.problems = problems_of(outcome.after);
    if (outcome.report.ok()) plan_resizes(graph, edit.policy, outcome);
  } catch (const UserError& error) {
    outcome.report.problems.push_back(error);
  }
  return outcome;
}

}  // namespace asg
