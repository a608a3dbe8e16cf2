#include "asg/train/trainer.h"
#include "train/told_in_model.h"

// How a changed model takes the place of the one before.
namespace asg::train {

// A batch says nothing of a model with other inputs.
void Trainer::use(Built built) {
  const auto names = [](const Graph& graph) {
    std::vector<std::string> result;
    for (const NodeId id : graph.inputs()) result.push_back(graph.node(id).path());
    return result;
  };
  if (names(built.executable->graph()) != names(built_.executable->graph())) last_batch_.reset();
  built_ = std::move(built);
  ++version_;
  outputs_.clear();
  inferences_.clear();
  glances_.clear();
}

// What is the same as before is taken over where it lies; the rest is written.
void Trainer::carry(Built& built, const TrainingState& carried, const TrainingState& old) {
  const auto put = [&](VarId id, const Array& value, const Array* before, VarId before_id) {
    const bool taken = before != nullptr && is_same_array(value, *before) &&
                       built.executable->take_variable(id, *built_.executable, before_id);
    if (!taken) built.executable->write(id, value);
  };
  for (const auto& [id, value] : carried.variables) {
    if (!built.step.graph.has(id)) continue;
    const auto before = old.variables.find(id);
    put(id, value, before == old.variables.end() ? nullptr : &before->second, id);
  }
  for (const auto& [key, id] : built.step.updates.state) {
    const auto before = old.optimizer.find(key);
    const bool has = before != old.optimizer.end();
    put(id, carried.optimizer.at(key), has ? &before->second : nullptr,
        has ? built_.step.updates.state.at(key) : VarId{});
  }
  write_learning_rate(built, carried.learning_rate);
}

Trainer::Ready Trainer::make_ready(const Model& next, const optim::Optimizer& optimizer, const Transition& transition,
                                   const TrainingState& old, bool anew) {
  Ready ready;
  if (anew) {
    ready.built = build(next.graph(), optimizer, optim::EmptyGroup::is_warning);
    ready.inferences = prepare_first_use(*ready.built, next);
  }
  ready.carried = carry_over(old, transition, ready.built ? ready.built->step : built_.step);
  if (!ready.built) return ready;
  carry(*ready.built, ready.carried, old);
  try_step(*ready.built, next);
  return ready;
}

void Trainer::accept(Ready ready, const TrainingState& old) {
  if (ready.built) {
    use(std::move(*ready.built));
    inferences_ = std::move(ready.inferences);
  } else {
    const TrainingState changed = difference(ready.carried, old);
    for (const auto& [id, value] : changed.variables) built_.executable->write(id, value);
    for (const auto& [key, value] : changed.optimizer) {
      built_.executable->write(built_.step.updates.state.at(key), value);
    }
  }
  values_changed();
}

Change Trainer::change_from_here(JournalEntry::How how, TrainingState other) const {
  other.learning_rate = learning_rate();
  return {.how = how,
          .other = std::move(other),
          .optimizer = options_.optimizer.settings,
          .rate = rate_,
          .moment = history_.moment};
}

void Trainer::note(Change change, JournalNote note) {
  note.how = change.how;
  note.step = steps_;
  history_.undo.push_back(std::make_shared<const Change>(std::move(change)));
  history_.redo.clear();
  constexpr std::size_t kBetweenCounts = 64;  // counting takes as long as the history
  if (history_.undo.size() % kBetweenCounts == 0) stay_within_budget();
  history_.notes.push_back(std::make_shared<const JournalNote>(std::move(note)));
}

// Where `auto` chose preserve and the numbers do not show it, overlap remains.
EditReport Trainer::apply(const Edit& edit, EditOutcome checked) {
  const bool may_fall_back = edit.policy == ResizePolicy::automatic && checked.report.policy == ResizePolicy::preserve;
  if (!may_fall_back) return apply_as_checked(edit, std::move(checked));
  try {
    return apply_as_checked(edit, std::move(checked));
  } catch (const UserError& error) {
    if (error.code() != ErrorCode::preserve_impossible) throw;
    EditOutcome overlap = model_.check({edit.commands, ResizePolicy::overlap});
    overlap.report.not_preserved = error;
    return apply_as_checked(edit, std::move(overlap));
  }
}

EditReport Trainer::apply_as_checked(const Edit& edit, EditOutcome checked) {
  Model next = model_;
  std::vector<ResizeRule> resizes = std::move(checked.resizes);
  EditReport report = next.apply(edit, std::move(checked));
  const TrainingState old = held_state();
  const Transition transition = {.after = next.graph(), .resizes = resizes, .seed = options_.seed};
  const std::optional<NamedArrays> expected = outputs_to_keep(report);
  Ready ready;
  try {
    ready = make_ready(next, options_.optimizer, transition, old, true);
    if (expected) check_outputs_kept(*ready.built, next, *expected);
  } catch (const UserError& error) {
    throw at_edited_node(error, edit, model_.graph(), next.graph());
  }
  const Sentence words = words_of(edit, &model_.graph());
  Change change = change_from_here(JournalEntry::How::apply, difference(old, ready.carried));
  change.resizes = inverted(resizes);
  keep_snapshot(as_it_is({"before: " + words.en, "перед: " + words.ru}, true, old));
  accept(std::move(ready), old);
  model_ = std::move(next);
  note(std::move(change), {});
  return report;
}

}  // namespace asg::train
