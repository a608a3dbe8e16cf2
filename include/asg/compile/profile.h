#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "asg/compile/explain.h"

namespace asg {

// Times are nanoseconds; moments count from the time when profiling was switched on.
struct StepTiming {
  std::int64_t runs = 0;
  std::int64_t total = 0;
  std::int64_t least = 0;
};

// Something that took time: a step, or a whole run.
struct TimedEvent {
  int number = 0;  // of the step, or of the run from 0
  std::int64_t start = 0;
  std::int64_t duration = 0;
};

// What the steps of an executable took. A device calls it around each step; it is used by one thread.
class StepRecorder {
 public:
  explicit StepRecorder(std::size_t steps);

  void begin_run();
  void end_run();
  void begin_step() { step_start_ = now(); }
  void end_step(std::size_t step);

  std::int64_t runs() const { return runs_; }
  const std::vector<StepTiming>& steps() const { return steps_; }
  // One by one as they happened; of a long profile the first ones only.
  const std::vector<TimedEvent>& step_events() const { return step_events_; }
  const std::vector<TimedEvent>& run_events() const { return run_events_; }

 private:
  using Clock = std::chrono::steady_clock;
  std::int64_t now() const {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - origin_).count();
  }

  Clock::time_point origin_ = Clock::now();
  std::int64_t runs_ = 0;
  std::int64_t run_start_ = 0;
  std::int64_t step_start_ = 0;
  std::vector<StepTiming> steps_;
  std::vector<TimedEvent> step_events_;
  std::vector<TimedEvent> run_events_;
};

// Times what happens while it lives: a run, or with a number one step of it. Without a recorder nothing.
class RunTimer {
 public:
  explicit RunTimer(StepRecorder* recorder) : recorder_(recorder) {
    if (recorder_ != nullptr) recorder_->begin_run();
  }
  ~RunTimer() {
    if (recorder_ != nullptr) recorder_->end_run();
  }
  RunTimer(const RunTimer&) = delete;
  RunTimer& operator=(const RunTimer&) = delete;

 private:
  StepRecorder* recorder_;
};

class StepTimer {
 public:
  StepTimer(StepRecorder* recorder, std::size_t step) : recorder_(recorder), step_(step) {
    if (recorder_ != nullptr) recorder_->begin_step();
  }
  ~StepTimer() {
    if (recorder_ != nullptr) recorder_->end_step(step_);
  }
  StepTimer(const StepTimer&) = delete;
  StepTimer& operator=(const StepTimer&) = delete;

 private:
  StepRecorder* recorder_;
  std::size_t step_;
};

// What was measured, and of what.
struct Profile {
  Explanation explanation;
  std::int64_t runs = 0;
  std::vector<StepTiming> steps = {};  // of each step of the program
  std::vector<TimedEvent> step_events = {};
  std::vector<TimedEvent> run_events = {};

  std::int64_t total() const;  // of all steps in all runs
};
Profile profile_of(Explanation explanation, const StepRecorder& recorder);

// A part of the measured time, with its part of the work, in all runs together. The time of a fused kernel is divided
// among its nodes by their FLOPs: an estimate, as nobody can tell them apart inside a loop.
struct TimeShare {
  std::string name;  // path of the node, or of the layer
  std::string op;    // of a node
  double seconds = 0;
  double forward = 0;  // seconds of it, by role
  double gradient = 0;
  double update = 0;
  double flops = 0;
  double bytes = 0;
};
// The largest first. Gradients and bodies of ops belong to the layer that they come from; what stands in no layer is
// "(model)".
std::vector<TimeShare> time_by_node(const Profile& profile);
std::vector<TimeShare> time_by_layer(const Profile& profile);

// The layer in which a node stands: "block/attention" of "gradient/block/attention/Softmax#7/Exp#9".
std::string layer_of(const Node& node);

// Trace events in the format of Chrome, which Perfetto (ui.perfetto.dev) shows: runs and steps as slices, the bytes of
// the arena that are alive as a counter.
std::string to_trace_json(const Profile& profile);

}  // namespace asg
