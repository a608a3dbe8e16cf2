#include "asg/train/trainer.h"
#include "train/told_in_model.h"

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
  last_glance_.reset();
}

// What is the same as before is taken over where it lies; the rest is written.
void Trainer::carry(Built& built, const TrainingState& carried, const TrainingState& old) {
  const auto is_same = [](const Array& now, const Array& before) {
    return now.raw() == before.raw() && now.count() > 0;
  };
  const auto put = [&](VarId id, const Array& value, const Array* before, VarId before_id) {
    const bool taken = before != nullptr && is_same(value, *before) &&
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

// Everything that may fail happens before the first member changes.
EditReport Trainer::change(Model next, EditReport report, std::vector<ResizeRule> resizes, bool use_attic,
                           const TrainingState& old, std::optional<Sentence> snapshot) {
  const std::optional<NamedArrays> expected = outputs_to_keep(report);
  Built built = build(next.graph(), options_.optimizer, optim::EmptyGroup::is_warning);
  Inferences inferences = prepare_first_use(built, next);
  const Transition transition = {.after = next.graph(),
                                 .resizes = std::move(resizes),
                                 .seed = options_.seed,
                                 .attic = use_attic ? &attic_ : nullptr};
  const TrainingState carried = carry_over(old, transition, built.step);
  carry(built, carried, old);
  try_step(built, next);
  if (expected) check_outputs_kept(built, next, *expected);
  if (snapshot) keep_snapshot(*std::move(snapshot), true, old);
  put_away(old, next.graph(), built.step, attic_);
  model_ = std::move(next);
  edit_steps_.resize(model_.journal().size(), steps_);
  use(std::move(built));
  inferences_ = std::move(inferences);
  values_changed();
  return report;
}

// Where `auto` chose preserve and the numbers do not show it, overlap remains.
EditReport Trainer::apply(const Edit& edit, EditOutcome checked) {
  const bool may_fall_back =
      edit.policy == ResizePolicy::automatic && checked.report.policy == ResizePolicy::preserve;
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
  const Graph after = next.graph();
  const Sentence words = words_of(edit, &model_.graph());
  try {
    return change(std::move(next), std::move(report), std::move(resizes), false, held_state(),
                  Sentence{"before: " + words.en, "перед: " + words.ru});
  } catch (const UserError& error) {
    throw at_edited_node(error, edit, model_.graph(), after);
  }
}

EditReport Trainer::step_to(Model next, EditReport report) {
  std::vector<ResizeRule> resizes = plan_resize(model_.graph(), next.graph(), ResizePolicy::overlap);
  return change(std::move(next), std::move(report), std::move(resizes), true, held_state());
}

EditReport Trainer::undo() {
  Model next = model_;
  EditReport report = next.undo();
  return step_to(std::move(next), std::move(report));
}

EditReport Trainer::redo() {
  Model next = model_;
  EditReport report = next.redo();
  return step_to(std::move(next), std::move(report));
}

SnapshotId Trainer::keep_snapshot(Sentence text, bool automatic, TrainingState state) {
  const SnapshotId id{++last_snapshot_};
  snapshots_.emplace(id, Snapshot{std::move(text), automatic, model_, std::move(state), attic_, options_.optimizer,
                                  edit_steps_, resets_});
  drop_old_snapshots();
  return id;
}

// Automatic ones have a budget of bytes; the newest stays in any case.
void Trainer::drop_old_snapshots() {
  std::int64_t total = 0;
  for (const auto& [id, snapshot] : snapshots_) total += snapshot.automatic ? snapshot.state.bytes() : 0;
  for (auto entry = snapshots_.begin(); entry != snapshots_.end() && total > options_.snapshot_bytes;) {
    const bool drop = entry->second.automatic && entry->first.number != last_snapshot_;
    if (drop) total -= entry->second.state.bytes();
    entry = drop ? snapshots_.erase(entry) : std::next(entry);
  }
}

SnapshotId Trainer::snapshot(std::string label) {
  const Sentence text = label.empty() ? Sentence{"snapshot", "снимок"} : Sentence{label, label};
  return keep_snapshot(text, false, held_state());
}

void Trainer::return_to(SnapshotId id) {
  const auto entry = snapshots_.find(id);
  if (entry == snapshots_.end()) {
    std::string known;
    for (const auto& [each, snapshot] : snapshots_) known += (known.empty() ? "" : ", ") + std::to_string(each.number);
    fail(ErrorCode::no_such_snapshot, "snapshot " + std::to_string(id.number),
         known.empty() ? "a snapshot that was taken" : "one of " + known, "take one with `snapshot` first");
  }
  go_to(entry->second.model, entry->second.state, entry->second.optimizer);
  edit_steps_ = entry->second.edit_steps;
  resets_ = entry->second.resets;
  attic_ = entry->second.attic;
}

// Everything that may fail happens before the first member changes. The same graph needs no compiling.
void Trainer::go_to(const Model& model, const TrainingState& state, const optim::Optimizer& optimizer) {
  if (model.graph() == model_.graph() && optimizer.settings == options_.optimizer.settings) {
    write_state(built_, state);
  } else {
    Built built = build(model.graph(), optimizer, optim::EmptyGroup::is_warning);
    Inferences inferences = prepare_first_use(built, model);
    write_state(built, state);
    try_step(built, model);
    use(std::move(built));
    inferences_ = std::move(inferences);
  }
  options_.optimizer = optimizer;
  model_ = model;
  steps_ = state.steps;
  committed_ = state.committed;
  updates_ = state.updates;
  values_changed();
}

CheckpointData Trainer::checkpoint() {
  return {.model = model_, .state = held_state(), .attic = attic_, .seed = options_.seed, .edit_steps = edit_steps_};
}

void Trainer::restore(const CheckpointData& data, const Attrs& settings) {
  optim::Optimizer optimizer = options_.optimizer;
  optimizer.settings = settings;
  optim::check_optimizer(optimizer);
  go_to(data.model, data.state, optimizer);
  attic_ = data.attic;
  edit_steps_ = data.edit_steps;
  resets_.clear();  // their snapshots are those of another life
  edit_steps_.resize(model_.journal().size(), -1);
  options_.seed = data.seed;
}

std::vector<SnapshotInfo> Trainer::snapshots() const {
  std::vector<SnapshotInfo> result;
  for (const auto& [id, snapshot] : snapshots_) result.push_back({id, snapshot.state.steps, snapshot.text});
  return result;
}

}  // namespace asg::train
