#include <algorithm>

#include "asg/train/trainer.h"

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
  outputs_.clear();
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
EditReport Trainer::change(Model next, EditReport report, ResizePolicy policy, bool use_attic,
                           const TrainingState& old) {
  Built built = build(next.graph(), optim::EmptyGroup::is_warning);
  const Transition transition = {.before = model_.graph(),
                                 .after = next.graph(),
                                 .policy = policy,
                                 .seed = options_.seed,
                                 .attic = use_attic ? &attic_ : nullptr};
  const TrainingState carried = carry_over(old, transition, built.step);
  carry(built, carried, old);
  put_away(old, next.graph(), attic_);
  model_ = std::move(next);
  use(std::move(built));
  inference_is_fresh_ = false;
  return report;
}

EditReport Trainer::apply(const Edit& edit) {
  Model next = model_;
  EditReport report = next.apply(edit);
  const TrainingState old = held_state();
  const SnapshotId before = keep_snapshot("before an edit", true, old);
  try {
    return change(std::move(next), std::move(report), edit.policy, false, old);
  } catch (...) {
    snapshots_.erase(before);
    throw;
  }
}

EditReport Trainer::undo() {
  Model next = model_;
  EditReport report = next.undo();
  return change(std::move(next), std::move(report), ResizePolicy::overlap, true, held_state());
}

EditReport Trainer::redo() {
  Model next = model_;
  EditReport report = next.redo();
  return change(std::move(next), std::move(report), ResizePolicy::overlap, true, held_state());
}

SnapshotId Trainer::keep_snapshot(std::string label, bool automatic, TrainingState state) {
  const SnapshotId id{++last_snapshot_};
  snapshots_.emplace(id, Snapshot{std::move(label), automatic, model_, std::move(state)});
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

SnapshotId Trainer::snapshot(std::string label) { return keep_snapshot(std::move(label), false, held_state()); }

void Trainer::return_to(SnapshotId id) {
  const auto entry = snapshots_.find(id);
  if (entry == snapshots_.end()) {
    std::string known;
    for (const auto& [each, snapshot] : snapshots_) known += (known.empty() ? "" : ", ") + std::to_string(each.number);
    fail(ErrorCode::no_such_snapshot, "snapshot " + std::to_string(id.number),
         known.empty() ? "a snapshot that was taken" : "one of " + known, "take one with `snapshot` first");
  }
  const TrainingState left = held_state();
  go_to(entry->second.model, entry->second.state);
  put_away(left, model_.graph(), attic_);
}

// Everything that may fail happens before the first member changes. The same graph needs no compiling.
void Trainer::go_to(const Model& model, const TrainingState& state) {
  if (model.graph() == model_.graph()) {
    write_state(built_, state);
  } else {
    Built built = build(model.graph(), optim::EmptyGroup::is_warning);
    write_state(built, state);
    use(std::move(built));
  }
  model_ = model;
  steps_ = state.steps;
  committed_ = state.committed;
  updates_ = state.updates;
  inference_is_fresh_ = false;
}

CheckpointData Trainer::checkpoint() {
  return {.model = model_, .state = held_state(), .attic = attic_, .seed = options_.seed};
}

void Trainer::restore(const CheckpointData& data) {
  go_to(data.model, data.state);
  attic_ = data.attic;
  options_.seed = data.seed;
}

std::vector<SnapshotId> Trainer::snapshots() const {
  std::vector<SnapshotId> result;
  for (const auto& [id, snapshot] : snapshots_) result.push_back(id);
  return result;
}

namespace {

// By name, or by the label that people see ("Add#17").
Value find_value(const Graph& graph, std::string_view path) {
  if (const NodeId id = graph.find_node(path)) return {id, 0};
  for (NodeId id : graph.node_ids()) {
    if (graph.node(id).path() == path) return {id, 0};
  }
  return {};
}

}  // namespace

std::span<const Array> Trainer::last_batch() const {
  if (!last_batch_) {
    fail(ErrorCode::missing_value, "a look at values before any step", "a batch to compute on", "run a step first");
  }
  return *last_batch_;
}

std::optional<NotFinite> Trainer::find_not_finite() const {
  return train::find_not_finite(built_.step, *built_.executable, last_batch());
}

Taps Trainer::watch_paths(std::span<const std::string> paths, std::int64_t preview) {
  std::vector<Value> values;
  for (const std::string& path : paths) {
    values.push_back(find_value(model_.graph(), path));
    if (!values.back()) fail_unknown_path(path);
  }
  return watch(std::move(values), preview);
}

void Trainer::set_value(std::string_view name, std::span<const double> values) {
  const Graph& graph = built_.step.graph;
  const VarId id = graph.find_variable(name);
  if (!id) fail_unknown_path(name);
  const TensorType& type = graph.variable(id).type;
  Array array(type.dtype, type.shape.sizes());
  if (values.size() != 1 && static_cast<std::int64_t>(values.size()) != array.count()) {
    fail(ErrorCode::bad_shape,
         std::to_string(values.size()) + " numbers for '" + std::string(name) + "' of type " + type.to_string(),
         "one number, or " + std::to_string(array.count()));
  }
  for (std::int64_t k = 0; k < array.count(); ++k) {
    array.set(k, values[values.size() == 1 ? 0 : static_cast<std::size_t>(k)]);
  }
  built_.executable->write(id, array);
  inference_is_fresh_ = false;
}

void Trainer::fail_unknown_path(std::string_view path) const {
  std::vector<std::string> names;
  for (NodeId id : model_.graph().node_ids()) names.push_back(model_.graph().node(id).path());
  for (VarId id : built_.step.graph.variable_ids()) names.push_back(built_.step.graph.variable(id).name);
  const std::string near = nearest_name(path, names);
  fail(ErrorCode::unknown_scope, "'" + std::string(path) + "'", "the name of a variable or the path of a node",
       near.empty() ? "" : "did you mean '" + near + "'?");
}

Array Trainer::read(std::string_view path) {
  if (const VarId id = built_.step.graph.find_variable(path)) return built_.executable->read(id);
  return read_value(path);
}

// A value inside is no output of the compiled model, so a graph with that one output is run.
Array Trainer::read_value(std::string_view path) {
  const Expansion expansion = make_inference(model_.graph());
  Graph graph = expansion.graph;
  Value value = find_value(model_.graph(), path);
  value = value ? expansion.remap(value) : find_value(graph, path);
  if (!value) fail_unknown_path(path);
  if (!last_batch_) {
    fail(ErrorCode::missing_value, "the value '" + std::string(path) + "' before any step", "a batch to compute it on",
         "run a step first");
  }
  graph.set_outputs({{"value", value}});
  const auto executable = backend_->compile(graph, {.mode = Mode::eval});
  if (!executable->share_variables(*built_.executable)) {
    for (VarId id : graph.variable_ids()) executable->write(id, built_.executable->read(id));
  }
  Array result;
  executable->run_into(*last_batch_, {&result, 1});
  return result;
}

}  // namespace asg::train
