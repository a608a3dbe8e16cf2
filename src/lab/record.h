#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "asg/graph/attributes.h"
#include "asg/train/engine.h"
#include "lab/history.h"

namespace asg::lab {

enum class Condition : std::uint8_t { running, paused, stopped, failed };
std::string_view name_of(Condition condition);

// All that the hub knows of a training: what its events told, and how it was made.
class Record {
 public:
  struct Parent {
    train::TrainingId training;
    std::int64_t step = 0;
  };

  Record(std::string label, const train::TrainingSpec& spec);
  // One that began as a branch of another.
  Record(train::TrainingId id, std::string label, const Record& origin);

  // True where the state of the training, as to_json tells it, changed in more than its step.
  bool take(const train::Event& event);
  // What an edit that is on its way does, for its mark in the chart.
  void expect_edit(train::Sentence text) { edit_text_ = std::move(text); }
  // Those that can be returned to. True where they are others than before.
  bool set_snapshots(std::vector<train::SnapshotInfo> snapshots);

  train::TrainingId id() const { return id_; }
  void set_id(train::TrainingId id) { id_ = id; }  // given when the training is added
  Condition condition() const { return condition_; }
  bool is_gone() const { return is_gone_; }  // it was stopped or could never begin: there is no trainer any more
  std::int64_t version() const { return version_; }  // of the model; 0: there is none yet
  std::int64_t step() const { return step_; }
  const std::shared_ptr<const Graph>& model() const { return model_; }
  const std::shared_ptr<const train::StepGraph>& step_graph() const { return step_graph_; }
  const History& history() const { return history_; }

  std::string to_json() const;  // TRAINING of docs/protocol.md

 private:
  bool on(const train::events::GraphReady& event);
  bool on(const train::events::StepDone& event);
  bool on(const train::events::Paused& event);
  bool on(const train::events::EditApplied& event);
  bool on(const train::events::SnapshotTaken& event);
  bool on(const train::events::Returned& event);
  bool on(const train::events::ResetDone& event);
  bool on(const train::events::LearningRateSet& event);
  bool on(const train::events::ScheduleSet& event);
  bool on(const train::events::OptimizerSet& event);
  bool on(const train::events::Evaluated& event);
  bool on(const train::events::CheckpointSaved& event);
  bool on(const train::events::CheckpointLoaded& event);
  bool on(const train::events::Branched& event);
  bool on(const train::events::Stopped& event);
  bool on(const train::events::Failed& event);
  template <class Other>
  bool on(const Other& /*event*/) {
    return false;
  }
  void mark(std::string kind, std::string english, std::string russian);

  train::TrainingId id_;
  std::string label_;
  std::optional<Parent> parent_;
  Condition condition_ = Condition::paused;
  std::int64_t version_ = 0;
  std::int64_t step_ = 0;
  double learning_rate_ = 0;
  std::string schedule_;   // for people
  std::string optimizer_;  // its name
  Attrs settings_;         // of the optimiser, all of them
  std::vector<std::string> datasets_;
  bool can_save_ = false;
  bool is_gone_ = false;
  std::optional<std::int64_t> last_step_;  // of the course; nothing where it has no end
  std::vector<train::SnapshotInfo> snapshots_;
  std::shared_ptr<const Graph> model_;
  std::shared_ptr<const train::StepGraph> step_graph_;
  std::optional<train::Sentence> edit_text_;
  History history_;
};

}  // namespace asg::lab
