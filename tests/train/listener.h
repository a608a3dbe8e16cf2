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

  // Until so many messages were refused or failed.
  void wait_for_refusals(int number) {
    std::unique_lock lock(mutex_);
    changed_.wait(
        lock, [&] { return count_now<train::events::EditRefused>() + count_now<train::events::Failed>() >= number; });
  }

  template <class Kind>
  int count() {
    const std::lock_guard lock(mutex_);
    return count_now<Kind>();
  }

  std::vector<std::pair<train::TrainingId, train::Event>> all() {
    const std::lock_guard lock(mutex_);
    return events_;
  }

  std::vector<std::pair<train::TrainingId, std::string>> names() {
    const std::lock_guard lock(mutex_);
    std::vector<std::pair<train::TrainingId, std::string>> result;
    for (const auto& [id, event] : events_) result.emplace_back(id, train::name_of(event));
    return result;
  }

 private:
  template <class Kind>
  int count_now() const {
    int number = 0;
    for (const auto& [id, event] : events_) number += std::holds_alternative<Kind>(event) ? 1 : 0;
    return number;
  }

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
