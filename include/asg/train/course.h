#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "asg/optim/schedule.h"
#include "asg/train/checkpoint.h"

namespace asg::train {

// Ends a training that no longer gets better on the data it is validated with.
struct EarlyStopping {
  std::int64_t patience = 0;  // evaluations in a row without a better one; 0: it is never ended
  std::string metric = "loss";
  BestBy::Mode mode = BestBy::Mode::min;
  double least_change = 0;  // less than this is no better
};

// What becomes of a step whose loss or gradients are not finite. It never changes a variable.
enum class WhenNotFinite : std::uint8_t {
  go_on,  // a warning names the node where it arose, the first time; the next batch may be better
  pause   // the same, and the training waits
};

struct Saving {
  std::string folder = {};  // "": checkpoints are not kept
  CheckpointOptions options = {};
  std::int64_t every = 0;  // steps; 0: at the end of each epoch. At the end of the course in any case
};

// What a training does by itself as it runs: when it ends, how the learning rate changes, when it is validated and
// saved. Plain data.
struct Course {
  std::int64_t steps = 0;            // ends after this many; 0: there is no such end
  std::int64_t epochs = 0;           // the same in epochs
  std::int64_t steps_per_epoch = 0;  // 0: the data have no epochs

  optim::Schedule schedule = {};

  std::string validate = {};        // the data set to validate with, of those that the training has; "": none
  std::int64_t validate_every = 0;  // steps; 0: at the end of each epoch
  // Of every evaluation, beside loss and accuracy; see EvaluationOptions.
  std::vector<std::string> metrics = {};
  bool evaluate_mean = false;  // with the means of the weights, which the optimiser keeps, in place of the weights
  EarlyStopping early_stopping = {};

  WhenNotFinite when_not_finite = WhenNotFinite::go_on;
  Saving saving = {};

  // Steps after which it is over; nothing where it has no end.
  std::optional<std::int64_t> last_step() const;
};

// Throws bad_attribute or missing_value where a course contradicts itself: numbers below 0, epochs without
// steps_per_epoch, early stopping without validation; and what metrics throw that do not exist.
void check_course(const Course& course);

// What a training was made with, as far as one that goes on from its checkpoint may have been made otherwise.
struct MadeWith {
  std::string optimizer = {};  // its kind; "": a checkpoint that does not tell
  double learning_rate = 0;
  std::int64_t steps_per_epoch = 0;
};

// Where a course stands. It travels in checkpoints, so that a training that goes on decides as it would have decided
// without the pause.
struct CourseState {
  double base_rate = 0;  // the learning rate before the schedule
  optim::ScheduleState schedule = {};
  double epoch_loss = 0;  // sum over the committed steps of the epoch that has begun
  std::int64_t epoch_steps = 0;
  std::optional<double> best = {};             // of the metric of early stopping
  std::int64_t waited = 0;                     // evaluations since then
  std::map<std::string, double> metrics = {};  // of the last evaluation
  MadeWith made_with = {};
  // What was set while it trained, in place of what the training was made with.
  std::optional<optim::Schedule> set_schedule = {};
  std::optional<Attrs> set_optimizer = {};  // its settings

  std::string to_json() const;
  static CourseState from_json(std::string_view json);  // throws bad_json
};

}  // namespace asg::train
