#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "asg/graph/edit.h"
#include "asg/train/trainer.h"

namespace asg::train {

// What can be asked of a training. Each is answered by one or more events; all but Run and Pause are answered
// between two steps, also while the training runs.
namespace messages {

struct Run {
  std::int64_t steps = -1;  // below 0: until paused
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
struct SetLearningRate {
  double rate = 0;
};
struct Evaluate {
  std::string dataset;
};
struct Stop {};

}  // namespace messages

using Message = std::variant<messages::Run, messages::Pause, messages::Apply, messages::Undo, messages::Redo,
                             messages::TakeSnapshot, messages::ReturnTo, messages::Read, messages::SetLearningRate,
                             messages::Evaluate, messages::Stop>;
std::string_view name_of(const Message& message);  // "set_learning_rate"

// Reads {"do": "run", "steps": 10} and its like; docs/script.md lists them. Throws bad_json, bad_command.
Message message_from_json(std::string_view json);

}  // namespace asg::train
