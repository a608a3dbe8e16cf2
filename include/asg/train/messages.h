#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "asg/graph/edit.h"
#include "asg/optim/schedule.h"
#include "asg/train/trainer.h"

namespace asg::train {

using TrainingId = Id<struct TrainingTag>;

// What can be asked of a training. Each is answered by one or more events; all but Run and Pause are answered
// between two steps, also while the training runs.
namespace messages {

// Ends with the course too, unless that is over when the run begins: then it goes on beyond.
struct Run {
  std::int64_t steps = -1;     // below 0: until paused
  bool within_course = false;  // a course that is over stays over; not on the wire
};
struct Pause {};
struct Apply {
  Edit edit;
};
struct Undo {};
struct Redo {};
struct TakeSnapshot {
  std::string label;
};
struct ReturnTo {
  SnapshotId id;
};
struct Read {
  std::string path;
};
// The rate that the schedule of the training scales.
struct SetLearningRate {
  double rate = 0;
};
// Of a variable, by name: one number for all its elements, or as many as it has, by rows.
struct SetValue {
  std::string path;
  std::vector<double> values;
};
// Statistics of values, as Trainer::watch_paths names them, after every so many steps; no paths: no more.
struct Watch {
  std::vector<std::string> paths;
  std::int64_t every = 1;
  bool gradients = false;  // of the loss by these values too
  // Readings that would take more than this share of the time are left out while the training runs; the next one
  // comes when it is affordable, and in any case when the training pauses.
  double share = 1;
};
// First values again for variables, and their optimiser state begins anew; no paths: all of them.
struct Reset {
  std::vector<std::string> paths;  // names of variables, layers, scopes
};
// The course goes on under another schedule from the next step.
struct SetSchedule {
  optim::Schedule schedule;
};
// Other numbers for the same optimiser, by name.
struct SetOptimizer {
  Attrs settings;
};
struct Journal {};
struct Save {};
// "latest", "best", or the folder of a checkpoint.
struct Load {
  std::string which = "latest";
  bool partial = false;  // only the values that fit the model: see Trainer::restore_partly
};
// Another training that goes on from here beside this one.
struct Branch {
  std::string label;
};
struct Evaluate {
  std::string dataset;
};
struct Stop {};

}  // namespace messages

using Message =
    std::variant<messages::Run, messages::Pause, messages::Apply, messages::Undo, messages::Redo,
                 messages::TakeSnapshot, messages::ReturnTo, messages::Read, messages::SetLearningRate,
                 messages::SetValue, messages::Reset, messages::SetSchedule, messages::SetOptimizer, messages::Journal,
                 messages::Watch, messages::Evaluate, messages::Save, messages::Load, messages::Branch, messages::Stop>;
std::string_view name_of(const Message& message);  // "set_learning_rate"

struct AddressedMessage {
  TrainingId training;  // none: it does not say
  Message message;
};

// Reads {"do": "run", "steps": 10} and its like; docs/protocol.md lists them. Throws bad_json, bad_command.
AddressedMessage message_from_json(std::string_view json);

}  // namespace asg::train
