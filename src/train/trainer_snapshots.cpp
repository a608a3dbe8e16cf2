#include <algorithm>
#include <set>

#include "asg/train/trainer.h"
#include "train/restore_check.h"

// Where a training can return to, and what it can be resumed from.
namespace asg::train {
namespace {

// Bytes of arrays, each memory once.
class Memory {
 public:
  void add(const TrainingState& state) {
    for (const auto& [id, value] : state.variables) add(value);
    for (const auto& [key, value] : state.optimizer) add(value);
  }
  void add(const Graph& graph) {
    constexpr std::int64_t kOfNode = 256;  // in tables of a version; versions share the nodes themselves
    bytes_ += kOfNode * static_cast<std::int64_t>(graph.node_count());
  }
  std::int64_t bytes() const { return bytes_; }

 private:
  void add(const Array& array) {
    if (array.count() > 0 && seen_.insert(array.raw()).second) bytes_ += array.bytes();
  }

  std::set<const std::byte*> seen_;
  std::int64_t bytes_ = 0;
};

}  // namespace

std::int64_t Trainer::snapshot_memory() const {
  Memory memory;
  for (const auto& [id, snapshot] : snapshots_) {
    memory.add(snapshot.state);
    memory.add(snapshot.model.graph());
  }
  for (const History::Changes* changes : {&history_.undo, &history_.redo}) {
    for (const auto& change : *changes) {
      memory.add(change->other);
      if (change->how == JournalEntry::How::apply) memory.add(model_.graph());
    }
  }
  return memory.bytes();
}

Trainer::Snapshot Trainer::as_it_is(Sentence text, bool automatic, TrainingState state) const {
  return {std::move(text), automatic, model_, std::move(state), options_.optimizer, rate_, history_, options_.seed};
}

SnapshotId Trainer::keep_snapshot(Snapshot snapshot) {
  const SnapshotId id{++last_snapshot_};
  snapshots_.emplace(id, std::move(snapshot));
  stay_within_budget();
  return id;
}

// Snapshots go the oldest first, but the very first one last of all; then the oldest changes, which can no longer be
// undone.
void Trainer::stay_within_budget() {
  const auto is_too_much = [&] {
    std::size_t count = 0;
    for (const auto& [id, snapshot] : snapshots_) count += snapshot.automatic ? 1 : 0;
    return count > 1 && (count > options_.snapshot_count || snapshot_memory() > options_.snapshot_bytes);
  };
  while (is_too_much()) {
    auto first = snapshots_.begin();
    while (!first->second.automatic) ++first;
    auto second = std::next(first);
    while (!second->second.automatic) ++second;
    snapshots_.erase(second->first.number == last_snapshot_ ? first : second);
  }
  while (history_.undo.size() > 1 && snapshot_memory() > options_.snapshot_bytes) {
    const auto some = static_cast<std::ptrdiff_t>(1 + history_.undo.size() / 8);
    history_.undo.erase(history_.undo.begin(), history_.undo.begin() + std::min(some, std::ssize(history_.undo) - 1));
  }
}

SnapshotId Trainer::snapshot(std::string label) {
  const Sentence text = label.empty() ? Sentence{"snapshot", "снимок"} : Sentence{label, label};
  return keep_snapshot(as_it_is(text, false, held_state()));
}

SnapshotId Trainer::change_with_snapshot(Sentence text, const std::function<void()>& change) {
  Snapshot before = as_it_is(std::move(text), true, held_state());
  change();
  return keep_snapshot(std::move(before));
}

void Trainer::return_to(SnapshotId id) {
  const auto entry = snapshots_.find(id);
  if (entry == snapshots_.end()) {
    std::string known;
    for (const auto& [each, snapshot] : snapshots_) known += (known.empty() ? "" : ", ") + std::to_string(each.number);
    fail(ErrorCode::no_such_snapshot, "snapshot " + std::to_string(id.number),
         known.empty() ? "a snapshot that was taken" : "one of " + known, "take one with `snapshot` first");
  }
  const Snapshot& snapshot = entry->second;
  go_to(snapshot.model, snapshot.state, snapshot.optimizer);
  history_ = snapshot.history;
  rate_ = snapshot.rate;
  options_.seed = snapshot.seed;
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
  return {.model = model_,
          .state = held_state(),
          .history = history_,
          .optimizer = options_.optimizer.kind,
          .seed = options_.seed};
}

void Trainer::restore(const CheckpointData& data, const Attrs& settings) {
  check_restorable(data, model_, options_.optimizer.kind);
  optim::Optimizer optimizer = options_.optimizer;
  optimizer.settings = settings;
  optim::check_optimizer(optimizer);
  History history = data.history.notes.empty() ? history_of(data.model) : data.history;
  go_to(data.model, data.state, optimizer);
  history_ = std::move(history);
  for (auto& note : history_.notes) {  // snapshots are those of another life
    if (!note->snapshot) continue;
    JournalNote without = *note;
    without.snapshot.reset();
    note = std::make_shared<const JournalNote>(std::move(without));
  }
  rate_ = {.base = data.state.learning_rate};
  options_.seed = data.seed;
}

std::vector<SnapshotInfo> Trainer::snapshots() const {
  std::vector<SnapshotInfo> result;
  for (const auto& [id, snapshot] : snapshots_) result.push_back({id, snapshot.state.steps, snapshot.text});
  return result;
}

}  // namespace asg::train
