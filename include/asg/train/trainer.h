#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "asg/backend/backend.h"
#include "asg/compile/executable.h"
#include "asg/data/dataset.h"
#include "asg/graph/model.h"
#include "asg/optim/optimizer.h"
#include "asg/train/accumulation.h"
#include "asg/train/checkpoint.h"
#include "asg/train/companion.h"
#include "asg/train/evaluation.h"
#include "asg/train/feed.h"
#include "asg/train/history.h"
#include "asg/train/restore_report.h"
#include "asg/train/state.h"
#include "asg/train/step_graph.h"
#include "asg/train/taps.h"

namespace asg::train {

struct Derived;

// A snapshot that can be returned to.
struct SnapshotInfo {
  SnapshotId id;
  std::int64_t step = 0;  // at which it was taken
  Sentence text;          // why, or as it was called
};

struct TrainerOptions {
  optim::Optimizer optimizer = {};
  std::uint64_t seed = 1;
  std::string loss = "loss";          // output of the model that is minimised
  std::string logits = "logits";      // output that classifies; where there is none, no accuracy is told
  std::string features = "features";  // inputs of the model that a dataset feeds
  std::string labels = "labels";
  bool profile = false;  // time every step of the executable, but for the first after each change
  bool bf16 = false;     // products may round their operands to bf16, see CompileOptions
  optim::EmptyGroup empty_group = optim::EmptyGroup::is_error;  // of the optimiser, in the first model
  // For what undo may bring back and the snapshots that changes take by themselves: memory of both, and the number of
  // these. The newest snapshot and change stay in any case, the first snapshot as long as there is another one to drop.
  std::int64_t snapshot_bytes = std::int64_t{1} << 30;
  std::size_t snapshot_count = 32;
};

struct StepFigures {
  std::int64_t step = 0;  // its number, from 1
  double loss = 0;
  bool committed = true;  // false: loss or gradients were not finite, nothing changed
  bool updated = true;    // false: not committed, or more micro-batches are to come
};

struct StepReport : StepFigures {
  NamedArrays outputs = {};  // of the model
};

// Trains a model that may be edited between steps. Not thread-safe: one thread owns it (see engine.h).
class Trainer {
 public:
  // Throws what `validate`, `make_step` and the backend's `compile` throw.
  Trainer(Graph model, std::shared_ptr<Backend> backend, TrainerOptions options = {});

  const Model& model() const { return model_; }
  // Of all that is derived from the model: from 1, one more whenever it was made anew.
  std::int64_t version() const { return version_; }
  // All that was changed, by hand, since the training began.
  std::vector<JournalEntry> journal() const { return journal_of(model_, history_.notes); }
  bool can_undo() const { return !history_.undo.empty(); }
  bool can_redo() const { return !history_.redo.empty(); }
  const TrainerOptions& options() const { return options_; }
  // What the device makes of the step for batches of the last one's sizes; null from devices that run graphs as they
  // are, and before the first batch.
  std::shared_ptr<const Explanation> explain() const;
  const optim::Optimizer& optimizer() const { return options_.optimizer; }
  const StepGraph& step_graph() const { return built_.step; }
  Backend& backend() const { return *backend_; }
  // What the training steps since the last change of the model took; null where nothing was measured (see options).
  std::shared_ptr<const Profile> profile() const { return built_.executable->profile(); }
  // Whether steps are measured from now on.
  void set_profiling(bool on);
  std::int64_t steps() const { return steps_; }
  std::int64_t updates() const { return updates_; }  // of the parameters, which schedules count
  double learning_rate() const;
  // Committed by the next step; nothing is compiled anew, and nothing is noted. Throws bad_attribute below 0, or where
  // it is not finite in the type that the step has it in.
  void set_learning_rate(double rate);

  // ---- A learning rate that follows a schedule.
  const RateSettings& rate_settings() const { return rate_; }
  // The course begins, or goes on, with these. No change that can be undone.
  void begin_rate(RateSettings rate) { rate_ = std::move(rate); }
  void follow_schedule();                                                              // before a step
  void observe(double metric) { optim::observe(rate_.schedule, metric, rate_.seen); }  // after an evaluation
  // Changes that can be undone. Throw as set_learning_rate does; then nothing changed.
  void set_base_rate(double rate);
  void set_schedule(optim::Schedule schedule);  // what was seen of a metric begins anew

  // Other numbers for the same optimiser: {"weight_decay": 0.1}. Its state stays, bit by bit, where it still applies;
  // what it needs besides begins. True where the step was made anew. Throws unknown_attribute, bad_attribute; then
  // nothing changed.
  bool set_optimizer(const Attrs& settings);

  // One step on a batch. Throws missing_value, type_mismatch … ; then nothing changed.
  StepReport step(const NamedArrays& batch);
  // The same on all examples of a small data set at once.
  StepReport step(const data::Dataset& batch) { return step(inputs_of(batch)); }
  // The same by position, in the order of step_graph().graph.inputs(). After the first step with given sizes nothing is
  // allocated, where the backend can.
  StepFigures step(std::span<const Array> batch);
  // Makes an update of the micro-batches that are there, as at the end of an epoch. False where there are none.
  bool flush();
  // What the last step by position gave, in the order of step_graph().graph.outputs(). The next one writes over it.
  std::span<const Array> outputs() const { return outputs_; }
  // Inputs of the model by name, as the fields of a data set feed them: all its examples, or those of a batch.
  NamedArrays inputs_of(const data::Dataset& batch) const { return inputs_of(batch.all()); }
  NamedArrays inputs_of(NamedArrays batch) const;
  const std::string& input_of(const std::string& field) const;  // that a field of a data set feeds

  // The model in eval mode on a batch: outputs by name. Inputs may be left out, such as labels: then only the outputs
  // that do not need them are there. Throws missing_value where all need them.
  NamedArrays infer(const NamedArrays& batch);
  // Throws what metrics throw, and missing_value for the means of weights where the optimiser keeps none.
  Evaluation evaluate(const data::Dataset& dataset, const EvaluationOptions& options = {});

  // What the steps and evaluations to come are given. From then on a change of the model (an edit, undo, redo, a
  // return, a checkpoint, another optimiser) is refused where the next step or an evaluation could not work after it.
  // Without it, or where it leaves the batch out, the sizes of the last batch are what must work.
  void set_feed(Feed feed) { feed_ = std::move(feed); }

  // Checks the edit, compiles the new step for the sizes in use, takes a snapshot and carries the state over; or throws
  // the first problem, with the node that the edit names, and nothing has changed.
  EditReport apply(const Edit& edit) { return apply(edit, model_.check(edit)); }
  // The same with what `check` of the model has just said of it.
  EditReport apply(const Edit& edit, EditOutcome checked);
  // Takes back the last change: an edit, a reset, a value, the learning rate, the schedule, settings of the optimizer.
  // Where no step was made since, all values and all state of the optimizer are again what they were before it, bit by
  // bit; else what was learned since stays where it fits, and what the change had taken away comes back as it was.
  EditReport undo();
  EditReport redo();  // the same for an undo

  // Statistics of values of the model, see Taps. Good for this version of the model: not after the next edit. Throws
  // unknown_node where the step has no such value.
  Taps watch(const std::vector<Value>& values, TapOptions options = {});
  // The same by names: of variables, of nodes ("block", or "block:1" for another output than the first), and of nodes
  // inside layers ("block/feed_forward/activation"). Throws unknown_scope.
  Taps watch_paths(std::span<const std::string> paths, TapOptions options = {});
  bool has_value(std::string_view path) const;                       // whether watch_paths knows it
  [[noreturn]] void fail_unknown_path(std::string_view path) const;  // with the nearest one that there is
  // Of the last step, by position. Throws missing_value before the first.
  std::span<const Array> last_batch() const;
  bool has_batch() const { return last_batch_.has_value(); }
  // Takes over the last batch of another trainer of the same model, to look at values on it.
  void look_on_batch_of(const Trainer& other) { last_batch_ = other.last_batch_; }
  // Where the step on the last batch, from the variables as they are now, is not finite. Throws missing_value before
  // the first step.
  std::optional<NotFinite> find_not_finite() const;
  // The node of the model, or inside its layers, that such a node comes from.
  ModelPlace place_of(const NotFinite& found) const;

  // First values, by seed and id as at the start, for the variables of these layers or scopes, or of these names; of
  // all for no path. Their optimiser state begins anew; counters of random ops go on. A snapshot is taken before.
  // Returns the names. Throws unknown_scope, unknown_variable; then nothing changed.
  std::vector<std::string> reset(std::span<const std::string> paths = {});

  SnapshotId snapshot(std::string label = "");
  // Makes a change that undo does not take back, such as `restore`, with a snapshot of how it was before. None where
  // the change throws.
  SnapshotId change_with_snapshot(Sentence text, const std::function<void()>& change);
  // Restores model, values, optimiser with its state, counters, and what undo and redo would bring back. Throws
  // no_such_snapshot.
  void return_to(SnapshotId id);
  std::vector<SnapshotInfo> snapshots() const;  // oldest first

  TrainingState state() const;
  void set_state(const TrainingState& state);

  // All that is needed to go on elsewhere with the same bits, without extras and metrics. Nobody may change its arrays.
  CheckpointData checkpoint();
  // Resumes from there: model and journal, values, optimizer state, counters, seed. Throws bad_attribute for the state
  // of another kind of optimizer, and type_mismatch, with what differs, where the checkpoint is of another model whose
  // variables have other shapes; then nothing changed. Another version of the same model, by its edits, is accepted.
  void restore(const CheckpointData& data) { restore(data, options_.optimizer.settings); }
  // The same with other settings of the optimizer.
  void restore(const CheckpointData& data, const Attrs& settings);
  // Takes over the values that fit, by name, type and shape, and their optimizer state where that is of the same kind;
  // the model, the optimizer and all counters stay as they are.
  RestoreReport restore_partly(const CheckpointData& data);

  // A variable of the step by name ("head.weight", "optimizer/head.weight.mean"), or a value as in `watch_paths`, in
  // eval mode on the last batch. Throws unknown_scope, missing_value.
  Array read(std::string_view path);
  // A value as in `watch_paths`, whole, in train mode on the last batch; or the gradient of the loss by it, and nothing
  // where the loss does not depend on it. Throws as `read`.
  std::optional<Array> look(std::string_view path, bool gradient = false);
  // Other numbers for a variable of the step, by name: one for all its elements, or as many as it has, by rows. Throws
  // unknown_scope, bad_shape, and bad_attribute for a number that its type does not hold.
  void set_value(std::string_view name, std::span<const double> values);

 private:
  // All that is derived from one version of the model.
  struct Built {
    StepGraph step;
    std::unique_ptr<Executable> executable;
    std::unique_ptr<Accumulation> accumulation;  // null where every batch makes an update
    std::size_t loss = 0;                        // its place among the outputs of the step
  };
  // The outputs that follow from some inputs or all, by the names of these. Made when they are first asked for, or when
  // a change is accepted, for the evaluations to come.
  struct Inference {
    Companion outputs;
    bool is_fresh = false;  // has the values of the training
  };
  using Inferences = std::map<std::vector<std::string>, Inference>;
  TrainingState state_by(const std::function<Array(VarId)>& value_of) const;
  // The state without copies where the device can; nobody may change its arrays.
  TrainingState held_state();

  struct Snapshot {
    Sentence text;
    bool automatic = false;
    Model model;
    TrainingState state;
    optim::Optimizer optimizer;
    RateSettings rate;
    History history;
    std::uint64_t seed = 1;
  };

  Built build(const Graph& model, const optim::Optimizer& optimizer, optim::EmptyGroup empty) const;
  static void write_learning_rate(Built& built, double rate);
  static void check_learning_rate(const Built& built, double rate);
  void write_state(Built& built, const TrainingState& state) const;
  void use(Built built);
  // Optimizer state of a parameter of a checkpoint, where it fits that of one of the model.
  void take_slots(const CheckpointData& data, VarId from, VarId to, TrainingState& state) const;
  void go_to(const Model& model, const TrainingState& state, const optim::Optimizer& optimizer);

  // ---- A change is made ready, which may fail and changes nothing; then it is accepted.
  struct Ready {
    std::optional<Built> built;  // nothing where the step stays
    Inferences inferences;
    TrainingState carried;
  };
  // `old` is the state now; `anew`: the step must be made anew.
  Ready make_ready(const Model& next, const optim::Optimizer& optimizer, const Transition& transition,
                   const TrainingState& old, bool anew);
  void accept(Ready ready, const TrainingState& old);
  EditReport apply_as_checked(const Edit& edit, EditOutcome checked);
  void carry(Built& built, const TrainingState& carried, const TrainingState& old);
  // The change from the state now, of which `other` differs.
  Change change_from_here(JournalEntry::How how, TrainingState other) const;
  void note(Change change, JournalNote note);
  // Undo and redo: the last of `from` is inverted and put on `to`.
  EditReport invert(History::Changes& from, History::Changes& to, JournalEntry::How how);

  Snapshot as_it_is(Sentence text, bool automatic, TrainingState state) const;
  SnapshotId keep_snapshot(Snapshot snapshot);
  void stay_within_budget();
  std::int64_t snapshot_memory() const;  // and that of the history
  StepFigures run_step(std::span<const Array> batch, std::span<Array> outputs);
  std::vector<Array> by_position(const NamedArrays& batch) const;
  Inference& inference_from(const NamedArrays& batch);
  Inference make_inference_from(const Graph& graph, Executable& training) const;
  // Makes a new version ready for what it is going to be run on, or throws why it cannot work (first_use.cpp). Nothing
  // of the trainer changes.
  Inferences prepare_first_use(Built& built, const Model& next) const;
  void prepare_step(Built& built, const Model& next) const;
  void check_fed_values(const Graph& next, const NamedArrays& batch) const;
  Inferences prepare_evaluations(Built& built, const Model& next) const;
  bool can_evaluate(const data::Dataset& dataset) const;  // the model as it is now
  // Only a run shows whether shapes that the data decide fit each other. `built` has the values of its variables.
  void try_step(Built& built, const Model& next) const;
  NamedArrays known_batch() const;  // that steps get, by input; empty before the first
  NamedArrays last_known_batch() const;
  // What the model gives in eval mode on the last batch, where an edit with this report must not change that. Nothing
  // for other edits, and before the first batch (preserve_check.cpp).
  std::optional<NamedArrays> outputs_to_keep(const EditReport& report);
  // Throws preserve_impossible where the new version gives something else. `built` has the values of its variables.
  void check_outputs_kept(Built& built, const Model& next, const NamedArrays& expected) const;
  // What the run of a graph of the model threw, with the node of the model and, where a number of the batch is the
  // cause, that number.
  UserError error_of_run(const Graph& ran, const NamedArrays& batch, const UserError& error) const;
  UserError error_of_step(std::span<const Array> batch, const UserError& error) const;
  // Whoever has copies of variables must bring them anew.
  void values_changed();
  Evaluation evaluate_as_it_is(const data::Dataset& dataset, const EvaluationOptions& options);
  Array read_value(std::string_view path);
  // Runs a graph of which only one value is wanted.
  Companion glance_at(Graph graph, Value value, Mode mode) const;
  Array run(const Companion& glance);  // on the last batch
  Derived derived() const;             // the step, as names are looked up in it

  std::shared_ptr<Backend> backend_;
  TrainerOptions options_;
  Model model_;
  Built built_;
  std::int64_t version_ = 1;
  RateSettings rate_;
  History history_;
  std::map<SnapshotId, Snapshot> snapshots_;
  std::uint32_t last_snapshot_ = 0;
  std::int64_t steps_ = 0;
  std::int64_t committed_ = 0;
  std::int64_t updates_ = 0;
  std::optional<std::vector<Array>> last_batch_;  // by position
  std::vector<Array> outputs_;
  // Whoever looks mostly looks again, so programs for the last values are kept.
  struct Glance {
    std::string path;
    bool gradient;
    Mode mode;
    Companion value;
  };
  const Companion* known_glance(std::string_view path, bool gradient, Mode mode) const;  // null: none is kept
  const Companion& keep_glance(Glance glance);
  std::deque<Glance> glances_;
  Inferences inferences_;
  Feed feed_;
};

}  // namespace asg::train
