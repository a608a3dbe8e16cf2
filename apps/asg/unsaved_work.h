#pragma once

#include <condition_variable>
#include <map>
#include <mutex>

#include "asg/lab/hub.h"

namespace asg::app {

// Which trainings of a Lab have done something since their last checkpoint. Events come on the engine's thread.
class UnsavedWork {
 public:
  void take(train::TrainingId training, const train::Event& event);

  // Pauses all trainings after the steps that are running, saves those that have a folder and unsaved work, and stops
  // them. False where one could not be saved, which is printed.
  bool save_and_stop(lab::Hub& hub);

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  struct State {
    bool is_unsaved = false;
    bool is_running = false;
  };
  std::map<train::TrainingId, State> living_;  // guarded by mutex_
  bool has_failed_ = false;                    // guarded by mutex_
};

}  // namespace asg::app
