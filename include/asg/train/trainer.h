#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "asg/backend/backend.h"
#include "asg/compile/executable.h"
#include "asg/data/dataset.h"
#include "asg/graph/model.h"
#include "asg/optim/optimizer.h"
#include "asg/train/state.h"
#include "asg/train/step_graph.h"

namespace asg::train {

using SnapshotId = Id<struct SnapshotTag>;

struct TrainerOptions {
  optim::Optimizer optimizer = {};
  std::uint64_t seed = 1;
  std::string loss = "loss";          // output of the model that is minimised
  std::string logits = "logits";      // output that classifies; where there is none, no accuracy is told
  std::string features = "features";  // inputs of the model that a dataset feeds
  std::string labels = "labels";
  bool profile = false;  // time every step of the executable, but for the first after each change
  std::int64_t snapshot_bytes = std::int64_t{1} << 30;  // for the snapshots that edits take by themselves
};

struct StepReport {
  std::int64_t step = 0;  // its number, from 1
  double loss = 0;
  bool committed = true;  // false: loss or gradients were not finite, nothing changed
  NamedArrays outputs;    // of the model
};

struct Evaluation {
  std::int64_t examples = 0;
  double loss = 0;                 // mean over the examples
  std::optional<double> accuracy;  // share of examples whose largest logit is at their label
};

// Trains a model that may be edited between steps. Not thread-safe: one thread owns it (see engine.h).
class Trainer {
 public:
  // Throws what `validate`, `make_step` and the backend's `compile` throw.
  Trainer(Graph model, std::shared_ptr<Backend> backend, TrainerOptions options = {});

  const Model& model() const { return model_; }
  const StepGraph& step_graph() const { return built_.step; }
  const Graph& inference_graph() const { return built_.inference->graph(); }
  Backend& backend() const { return *backend_; }
  // What the training steps since the last change of the model took; null where nothing was measured (see options).
  std::shared_ptr<const Profile> profile() const { return built_.executable->profile(); }
  std::int64_t steps() const { return steps_; }
  double learning_rate() const;
  // Committed by the next step; nothing is compiled anew. Throws bad_attribute below 0 or when not finite.
  void set_learning_rate(double rate);

  // One step on a batch. Throws missing_value, type_mismatch … ; then nothing changed.
  StepReport step(const NamedArrays& batch);
  StepReport step(const data::Dataset& batch) { return step(inputs_of(batch)); }
  // Inputs of the model by name, as a dataset feeds them.
  NamedArrays inputs_of(const data::Dataset& batch) const;

  // The model in eval mode on a batch: outputs by name.
  NamedArrays infer(const NamedArrays& batch);
  Evaluation evaluate(const data::Dataset& dataset, std::int64_t batch_size = 256);

  // Checks the edit, takes a snapshot, compiles the new step and carries the state over; or throws the first
  // problem, and nothing has changed.
  EditReport apply(const Edit& edit);
  // Inverts the last edit. What was learnt stays where it fits; what the edit had taken away comes back as it was.
  EditReport undo();
  EditReport redo();

  SnapshotId snapshot(std::string label = "");
  // Restores model, values, optimiser state and counters. Throws no_such_snapshot.
  void return_to(SnapshotId id);
  std::vector<SnapshotId> snapshots() const;

  TrainingState state() const;
  void set_state(const TrainingState& state);

  // A variable of the step by name ("head.weight", "optimizer/head.weight.mean"), or a value by the path of its node,
  // in eval mode on the last batch. Throws unknown_scope, missing_value.
  Array read(std::string_view path);

 private:
  // All that is derived from one version of the model.
  struct Built {
    StepGraph step;
    std::unique_ptr<Executable> executable;
    std::unique_ptr<Executable> inference;
  };
  struct Snapshot {
    std::string label;
    bool automatic = false;
    Model model;
    TrainingState state;
  };

  Built build(const Graph& model) const;
  void write_state(Built& built, const TrainingState& state) const;
  EditReport change(Model next, EditReport report, ResizePolicy policy, bool use_attic);
  SnapshotId keep_snapshot(std::string label, bool automatic);
  void drop_old_snapshots();
  void refresh_inference();
  Array read_value(std::string_view path);

  std::shared_ptr<Backend> backend_;
  TrainerOptions options_;
  Model model_;
  Built built_;
  TrainingState attic_;
  std::map<SnapshotId, Snapshot> snapshots_;
  std::uint32_t last_snapshot_ = 0;
  std::int64_t steps_ = 0;
  std::int64_t committed_ = 0;
  bool inference_is_fresh_ = false;
  NamedArrays last_batch_;
};

}  // namespace asg::train
