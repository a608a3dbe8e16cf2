#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "asg/train/engine.h"
#include "train/time_budget.h"

namespace asg::train {

// One training on the engine thread: turns messages into calls of the trainer, and everything that happens, errors
// included, into events.
class Training {
 public:
  using Emit = std::function<void(Event)>;

  // Null where the training cannot be made; that has been told then.
  static std::unique_ptr<Training> make(TrainingSpec spec, Emit emit);
  // Another one that goes on from here, paused. It has told nothing yet.
  std::unique_ptr<Training> branch(Emit emit);

  bool running() const { return steps_left_ != 0; }
  Trainer& trainer() { return trainer_; }
  const std::map<std::string, double>& metrics() const { return state_.metrics; }
  std::int64_t steps() const { return trainer_.steps(); }
  void step();
  void stop_here();  // pauses, with a checkpoint where the course keeps some
  void end();        // the training is about to go
  void handle(const Message& message);
  void show(const Engine::Look& look);  // lets somebody look at the trainer
  void tell_ready();

 private:
  Training(TrainingSpec spec, Emit emit);

  void on(const messages::Run& message);
  void on(const messages::Pause& message);
  void on(const messages::Apply& message);
  void on(const messages::Undo& message);
  void on(const messages::Redo& message);
  void on(const messages::TakeSnapshot& message);
  void on(const messages::ReturnTo& message);
  void on(const messages::Read& message);
  void on(const messages::SetLearningRate& message);
  void on(const messages::SetValue& message);
  void on(const messages::Reset& message);
  void on(const messages::SetSchedule& message);
  void on(const messages::SetOptimizer& message);
  void on(const messages::Journal& message);
  void on(const messages::Watch& message);
  void on(const messages::Save& message);
  void on(const messages::Load& message);
  void on(const messages::Branch& message);
  void on(const messages::Evaluate& message);
  void on(const messages::Stop& message);

  void edit(const char* how, const std::function<EditReport()>& change);
  void tell_optimizer(bool graph_changed);
  // What can be set while it trains, to tell what of it changed.
  struct InForce {
    RateSettings rate;
    Attrs optimizer;
  };
  InForce in_force() const;
  void tell_settings(const InForce& before);
  void keep_courses();
  // Variables have other values than after the last step: no checkpoint has them, and nothing was measured of them.
  void changed();
  // The step was made anew, or its variables have other values: what was made for it or said of it is so no more.
  void forget();
  // Runs what was asked for; what it throws is the answer, and the training goes on as it was.
  void answer(std::string_view what, const std::function<void()>& action);
  // Runs a part of the training itself; what it throws becomes an event and pauses the training.
  void guarded(std::string_view what, const std::function<void()>& action);
  std::vector<Message> way_back() const;
  NamedArrays like_next_batch();
  void pause(const char* reason);

  // ---- The course, in training_course.cpp.
  void start();
  CourseState course_state() const;
  void tell_step(const StepReport& report, double seconds);
  void tell_not_finite();
  void end_epoch();
  const data::Dataset& dataset(const std::string& name) const;
  Evaluation evaluate(const std::string& name);
  void validate();
  void take_course(CourseState state);
  bool is_over() const;
  bool ends_here() const;
  void finish();
  void save();
  bool is_best_so_far() const;
  static CourseState course_of(const CheckpointData& data);
  void go_on_from(const CheckpointData& data, CourseState state, const std::string& path);
  void load_partly(const CheckpointData& data, const std::string& path);
  void compare_with(const CheckpointData& data, const MadeWith& before);
  void make_taps();
  void read_taps();
  void try_taps();
  void read_taps_at_rest();
  void read_again();
  bool can_afford_reading() const;

  TrainingSpec spec_;  // all but the model, which the trainer has
  Emit emit_;
  Trainer trainer_;
  CourseState state_;  // but for what the trainer knows, see course_state()
  std::optional<CheckpointStore> store_;
  std::int64_t steps_left_ = 0;   // below 0: no end
  std::int64_t saved_step_ = -1;  // of the last checkpoint; -1: it is not what the training is now
  bool metrics_hold_ = false;     // those of the state were measured with the variables as they are now
  bool patience_is_out_ = false;
  bool is_beyond_end_ = false;                 // the run began when the course was over
  std::map<SnapshotId, CourseState> courses_;  // where the course stood at each snapshot
  NamedArrays batch_;                          // of the last step that ran, or of the first one before it
  bool told_not_finite_ = false;
  double epoch_seconds_ = 0;

  // What is watched. Taps are made for one version of the model.
  messages::Watch watched_;
  std::vector<std::string> tapped_;  // of these, what the model has now
  std::optional<Taps> taps_;
  TimeBudget reading_ = TimeBudget(1, 0.1);  // time for readings while it trains
  std::int64_t read_step_ = -1;
};

// What an exception says, as an event carries it.
ErrorDetail detail_of(const std::exception& error);

}  // namespace asg::train
