#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "asg/train/engine.h"
#include "train/models.h"

// What tests of the engine thread share.
namespace asg::test {

inline train::TrainingSpec small_spec() {
  train::TrainingSpec spec;
  spec.model = small_classifier();
  spec.backend = std::make_shared<Interpreter>();
  spec.options.optimizer = optim::Optimizer::adam(1e-2);
  spec.batch = [](std::int64_t) { return small_data().all(); };
  spec.datasets = {{"held_out", small_data()}};
  return spec;
}

// Collects events, and waits for some.
class Listener {
 public:
  train::Engine::Sink sink() {
    return [this](train::TrainingId id, const train::Event& event) {
      const std::lock_guard lock(mutex_);
      events_.emplace_back(id, event);
      changed_.notify_all();
    };
  }

  // The n-th event of a kind, counted from 1, of any training.
  template <class Kind>
  Kind wait_for(int number = 1) {
    std::unique_lock lock(mutex_);
    const Kind* found = nullptr;
    changed_.wait(lock, [&] { return (found = nth<Kind>(number)) != nullptr; });
    return *found;
  }

  // The same with its training.
  template <class Kind>
  std::pair<train::TrainingId, Kind> with_id(int number) {
    const std::lock_guard lock(mutex_);
    for (const auto& [id, event] : events_) {
      const Kind* kind = std::get_if<Kind>(&event);
      if (kind != nullptr && --number == 0) return {id, *kind};
    }
    ADD_FAILURE() << "no such event";
    return {};
  }

  std::vector<std::pair<train::TrainingId, std::string>> names() {
    const std::lock_guard lock(mutex_);
    std::vector<std::pair<train::TrainingId, std::string>> result;
    for (const auto& [id, event] : events_) result.emplace_back(id, train::name_of(event));
    return result;
  }

 private:
  template <class Kind>
  const Kind* nth(int number) const {
    for (const auto& [id, event] : events_) {
      const Kind* kind = std::get_if<Kind>(&event);
      if (kind != nullptr && --number == 0) return kind;
    }
    return nullptr;
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::pair<train::TrainingId, train::Event>> events_;
};

}  // namespace asg::test
