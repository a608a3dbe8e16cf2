#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "asg/core/array.h"
#include "asg/core/error.h"
#include "asg/graph/edit.h"
#include "asg/train/journal.h"
#include "asg/train/messages.h"
#include "asg/train/sentence.h"
#include "asg/train/trainer.h"

namespace asg::train {

// What a training says. Immutable values; graphs in them are shared and never change.
namespace events {

// The model, and all that is derived from it, stands ready to run.
struct GraphReady {
  std::shared_ptr<const Graph> model;
  std::shared_ptr<const StepGraph> step;  // not on the wire
  std::size_t step_nodes = 0;
  std::int64_t parameters = 0;  // numbers that are trained
  std::vector<std::string> warnings;
  std::int64_t version = 0;  // of the graph: from 1, rises with every change
};
struct StepDone {
  std::int64_t step = 0;   // from 1
  std::int64_t epoch = 0;  // from 1; 0 where the data have none
  double loss = 0;
  double learning_rate = 0;
  std::optional<double> gradient_norm;  // where the optimiser measures it
  bool committed = true;                // false: loss or gradients were not finite, nothing changed
  double seconds = 0;                   // that the step took, its batch included
};
struct EpochDone {
  std::int64_t epoch = 0;  // from 1
  std::int64_t step = 0;   // its last one
  double loss = 0;         // mean over its committed steps
  double seconds = 0;
};
// A run has come to its end, or was paused.
struct Paused {
  std::int64_t step = 0;
  std::string reason;  // "asked", "steps_done", "course_done", "early_stopping", "not_finite", "failed"
};
// Something a person should know of; the training goes on.
struct Warned {
  Sentence text;
  std::string node;  // path of the node it is about; "" where there is none
};
struct EditApplied {
  std::string how;  // "apply", "undo", "redo"
  EditReport report;
};
struct EditRefused {
  std::string how;
  std::vector<UserError> problems;
};
struct SnapshotTaken {
  SnapshotId id;
  std::string label;
  std::int64_t step = 0;
};
struct Returned {
  SnapshotId id;
  std::int64_t step = 0;
};
struct ValueRead {
  std::string path;
  Array value;
};
struct LearningRateSet {
  double rate = 0;
};
struct ValueSet {
  std::string path;
};
struct ResetDone {
  std::vector<std::string> variables;  // names
  Sentence text;                       // not on the wire; the journal tells it
};
struct ScheduleSet {
  optim::Schedule schedule;
};
struct OptimizerSet {
  std::string name;
  Attrs settings;              // all of them, in force
  bool graph_changed = false;  // GraphReady follows
};
struct Journal {
  std::vector<JournalEntry> entries;
  bool can_undo = false;
  bool can_redo = false;
};
// Beside a Warned: the first node where numbers stopped being finite.
struct NotFinite {
  std::int64_t step = 0;
  std::string path;  // in the model, inside its layers too
  std::string op;    // of the node at the path
  Sentence what;
  std::int64_t count = 0;
};
struct CheckpointSaved {
  std::int64_t step = 0;
  std::string path;
  bool is_best = false;
};
struct CheckpointLoaded {
  std::int64_t step = 0;  // of the training, from then on
  std::string path;
  std::optional<RestoreReport> part = {};  // where only a part was asked for
};
// Another training has begun where this one stands, with its model, values and journal.
struct Branched {
  TrainingId branch;
  std::string label;
  std::int64_t step = 0;
};
struct Watched {
  std::int64_t step = 0;
  std::vector<TapReading> readings;
  std::vector<std::string> paths;  // of the values, in the same order
};
struct Evaluated {
  std::string dataset;
  Evaluation result;
  std::int64_t step = 0;  // after which
};
// A message that could not be carried out, or a step that failed; the training is paused.
struct Failed {
  std::string message;  // what was asked: "read", "run" …
  ErrorDetail error;
  std::vector<Message> way_back = {};  // where a step failed: what leads back to before it, the nearest first
};
struct Stopped {
  std::int64_t step = 0;
};

}  // namespace events

using Event =
    std::variant<events::GraphReady, events::StepDone, events::EpochDone, events::Paused, events::Warned,
                 events::EditApplied, events::EditRefused, events::SnapshotTaken, events::Returned, events::ValueRead,
                 events::ValueSet, events::LearningRateSet, events::ResetDone, events::ScheduleSet,
                 events::OptimizerSet, events::Journal, events::NotFinite, events::Evaluated, events::CheckpointSaved,
                 events::CheckpointLoaded, events::Branched, events::Watched, events::Failed, events::Stopped>;

std::string_view name_of(const Event& event);  // "step_done"
// One line of JSON: {"event": "step_done", "training": 1, …}. docs/protocol.md describes each.
std::string to_json(TrainingId training, const Event& event);

}  // namespace asg::train
