#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "asg/core/array.h"
#include "asg/core/error.h"
#include "asg/graph/edit.h"
#include "asg/train/trainer.h"

namespace asg::train {

using TrainingId = Id<struct TrainingTag>;

// What a training says. Immutable values; graphs in them are shared and never change.
namespace events {

// The model, and all that is derived from it, stands ready to run.
struct GraphReady {
  std::shared_ptr<const Graph> model;
  std::size_t step_nodes = 0;
  std::int64_t parameters = 0;  // numbers that are trained
  std::vector<std::string> warnings;
};
struct StepDone {
  std::int64_t step = 0;
  double loss = 0;
  bool committed = true;
};
// A run has come to its end, or was paused.
struct Paused {
  std::int64_t step = 0;
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
struct Evaluated {
  std::string dataset;
  Evaluation result;
};
// A message that could not be carried out, or a step that failed; the training is paused.
struct Failed {
  std::string message;  // what was asked: "read", "run" …
  ErrorDetail error;
};
struct Stopped {
  std::int64_t step = 0;
};

}  // namespace events

using Event = std::variant<events::GraphReady, events::StepDone, events::Paused, events::EditApplied,
                           events::EditRefused, events::SnapshotTaken, events::Returned, events::ValueRead,
                           events::LearningRateSet, events::Evaluated, events::Failed, events::Stopped>;

std::string_view name_of(const Event& event);  // "step_done"
// One line of JSON: {"event": "step_done", "training": 1, …}. docs/script.md describes each.
std::string to_json(TrainingId training, const Event& event);

}  // namespace asg::train
