#include "asg/graph/model.h"

#include <utility>

#include "edit_report.h"

namespace asg {

Model::Model(Graph graph) : first_(graph), graph_(std::move(graph)) {}

EditReport Model::apply(const Edit& edit, EditOutcome checked) {
  if (!checked.report.ok()) throw UserError(checked.report.problems.front());
  undo_.push_back(std::make_shared<const Graph>(std::exchange(graph_, std::move(checked.after))));
  redo_.clear();
  journal_.push_back({Entry::Kind::apply, std::make_shared<const Edit>(edit)});
  return std::move(checked.report);
}

// Takes the last version off `from` and leaves the present one on `to`. Ids that were ever handed out are not handed
// out again.
EditReport Model::step(Versions& from, Versions& to, Entry::Kind kind) {
  if (from.empty()) {
    const std::string name = kind == Entry::Kind::undo ? "undo" : "redo";
    fail(ErrorCode::nothing_to_undo, name + " of a model with no edit to " + name,
         kind == Entry::Kind::undo ? "an edit that was applied" : "an edit that was undone, and no new one since");
  }
  Graph version = *from.back();
  from.pop_back();
  version.reserve_ids(graph_.next_node_id(), graph_.next_variable_id());
  to.push_back(std::make_shared<const Graph>(std::exchange(graph_, std::move(version))));
  journal_.push_back({kind});
  return report_between(*to.back(), graph_);
}

EditReport Model::undo() { return step(undo_, redo_, Entry::Kind::undo); }
EditReport Model::redo() { return step(redo_, undo_, Entry::Kind::redo); }

Model Model::replay(Graph first, const std::vector<Entry>& journal) {
  Model model(std::move(first));
  for (const Entry& entry : journal) {
    switch (entry.kind) {
      case Entry::Kind::apply: {
        // The structure alone: what became of values is no part of a model.
        EditOutcome outcome = model.check({entry.edit->commands, ResizePolicy::fresh});
        model.apply(*entry.edit, std::move(outcome));
        break;
      }
      case Entry::Kind::undo:
        model.undo();
        break;
      case Entry::Kind::redo:
        model.redo();
        break;
    }
  }
  return model;
}

}  // namespace asg
