#include "asg/backend/event.h"

#include <condition_variable>
#include <mutex>

namespace asg {

struct Event::State {
  std::mutex mutex;
  std::condition_variable changed;
  bool happened = false;
};

Event::Event() : state_(std::make_shared<State>()) {}

void Event::signal() {
  {
    const std::lock_guard lock(state_->mutex);
    state_->happened = true;
  }
  state_->changed.notify_all();
}

bool Event::happened() const {
  const std::lock_guard lock(state_->mutex);
  return state_->happened;
}

void Event::wait() const {
  std::unique_lock lock(state_->mutex);
  state_->changed.wait(lock, [this] { return state_->happened; });
}

}  // namespace asg
