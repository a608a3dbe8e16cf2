#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <utility>

#include "asg/train/engine.h"
#include "train/fair_queue.h"
#include "train/time_budget.h"

namespace asg::train {

// A look that waits for its turn.
struct WaitingLook {
  TrainingId training;
  Engine::Onlooker onlooker;
  Engine::Look look;
  std::chrono::steady_clock::time_point since;
};

// The looks of onlookers, and the time that they may take. While trainings run, small and large looks have a budget
// each, so that cheap questions are answered however dear the others are; while all wait there is no limit.
class Onlookers {
 public:
  using Time = std::chrono::steady_clock::time_point;

  bool empty() const {
    return std::all_of(kinds_.begin(), kinds_.end(), [](const Kind& each) { return each.empty(); });
  }
  void add(WaitingLook look) {
    const auto who = look.onlooker.who;
    kind(look.onlooker.effort).queue.push(who, std::move(look));
  }

  // That may be shown something now.
  std::optional<WaitingLook> next(bool is_training) {
    for (Kind& each : kinds_) {
      if (!each.empty() && (!is_training || each.budget.is_left())) return each.queue.pop();
    }
    return std::nullopt;
  }

  void trained(double seconds) {
    for (Kind& each : kinds_) each.budget.earn(seconds);
    patience_ = std::max<Time::duration>(
        kPatience, std::chrono::duration_cast<Time::duration>(std::chrono::duration<double>(kChances * seconds)));
  }
  void looked(Engine::Effort effort, double seconds) { kind(effort).budget.spend(seconds); }

  // Those who have waited too long. A look has its turn between two steps, so where these take long it gets some turns.
  template <typename Use>
  void take_late(Time now, const Use& use) {
    for (Kind& each : kinds_) {
      each.queue.take_while([&](const WaitingLook& look) { return now - look.since > patience_; }, use);
    }
  }

 private:
  static constexpr std::chrono::milliseconds kPatience{1500};
  static constexpr double kChances = 3;
  static constexpr double kSmallShare = 0.003, kSmallSaved = 0.05;
  static constexpr double kLargeShare = 0.006, kLargeSaved = 0.08;

  struct Kind {
    bool empty() const { return queue.empty(); }
    TimeBudget budget;
    FairQueue<WaitingLook> queue = {};
  };
  Kind& kind(Engine::Effort effort) { return kinds_[static_cast<std::size_t>(effort)]; }

  Time::duration patience_ = kPatience;
  std::array<Kind, 2> kinds_ = {Kind{TimeBudget(kSmallShare, kSmallSaved)}, Kind{TimeBudget(kLargeShare, kLargeSaved)}};
};

}  // namespace asg::train
