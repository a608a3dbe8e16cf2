#include "asg/train/script.h"

#include <chrono>
#include <condition_variable>
#include <mutex>

#include "train/training.h"

namespace asg::train {
namespace {

// Whether an event ends the answer to a message.
class Ends {
 public:
  explicit Ends(const Event& event) : event_(event) {}

  bool operator()(const messages::Run&) const { return is<events::Paused>(); }
  bool operator()(const messages::Pause&) const { return is<events::Paused>(); }
  bool operator()(const messages::Apply&) const { return changes_graph(); }
  bool operator()(const messages::Undo&) const { return changes_graph(); }
  bool operator()(const messages::Redo&) const { return changes_graph(); }
  bool operator()(const messages::TakeSnapshot&) const { return is<events::SnapshotTaken>(); }
  bool operator()(const messages::ReturnTo&) const { return is<events::GraphReady>(); }
  bool operator()(const messages::Read&) const { return is<events::ValueRead>(); }
  bool operator()(const messages::SetLearningRate&) const { return is<events::LearningRateSet>(); }
  bool operator()(const messages::SetValue&) const { return is<events::ValueSet>(); }
  bool operator()(const messages::Reset&) const { return is<events::ResetDone>(); }
  bool operator()(const messages::SetSchedule&) const { return is<events::ScheduleSet>(); }
  bool operator()(const messages::SetOptimizer&) const {
    const auto* set = std::get_if<events::OptimizerSet>(&event_);
    return set != nullptr ? !set->graph_changed : is<events::GraphReady>();
  }
  bool operator()(const messages::Journal&) const { return is<events::Journal>(); }
  bool operator()(const messages::Watch&) const { return is<events::Watched>(); }
  bool operator()(const messages::Evaluate&) const { return is<events::Evaluated>(); }
  bool operator()(const messages::Save&) const { return is<events::CheckpointSaved>(); }
  bool operator()(const messages::Load&) const { return is<events::GraphReady>(); }
  bool operator()(const messages::Branch&) const { return is<events::Branched>(); }
  bool operator()(const messages::Stop&) const { return is<events::Stopped>(); }

 private:
  template <typename Kind>
  bool is() const {
    return std::holds_alternative<Kind>(event_);
  }
  bool changes_graph() const { return is<events::GraphReady>() || is<events::EditRefused>(); }

  const Event& event_;
};

bool answers(const Message& message, const Event& event) {
  return std::holds_alternative<events::Failed>(event) || std::visit(Ends(event), message);
}

// Stands between the engine thread, which brings events, and the thread that reads the script.
class Conversation {
 public:
  Conversation(TrainingSpec spec, const Script& script)
      : script_(script), engine_([this](TrainingId id, const Event& event) { hear(id, event); }) {
    std::unique_lock lock(mutex_);
    training_ = engine_.add(std::move(spec));
    changed_.wait(lock, [this] { return ready_ || stopped_; });
  }

  bool over() const {
    const std::lock_guard lock(mutex_);
    return stopped_;
  }

  int refused() const {
    const std::lock_guard lock(mutex_);
    return refused_;
  }

  void say(const std::string& line) {
    try {
      AddressedMessage addressed = message_from_json(line);
      Message& message = addressed.message;
      const TrainingId training = addressed.training ? addressed.training : training_;
      // A run without an end is answered by its first step; later messages find it running.
      const auto* run = std::get_if<messages::Run>(&message);
      const bool waits = run == nullptr || run->steps >= 0;
      {
        const std::lock_guard lock(mutex_);
        asked_ = message;
        asked_of_ = training;
        answered_ = !waits;
      }
      const bool may_be_broken_off = run != nullptr && script_.is_broken_off != nullptr;
      engine_.post(training, std::move(message));
      if (may_be_broken_off) return wait_for_run(training);
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return answered_ || stopped_; });
    } catch (const UserError& error) {
      hear(training_, events::Failed{"script", error.detail()});
    }
  }

  void end() {
    if (!over()) say(R"({"do": "stop"})");
  }

 private:
  void wait_for_run(TrainingId training) {
    constexpr std::chrono::milliseconds kBetweenLooks(20);
    std::unique_lock lock(mutex_);
    while (!changed_.wait_for(lock, kBetweenLooks, [this] { return answered_ || stopped_; })) {
      if (!script_.is_broken_off()) continue;
      lock.unlock();
      engine_.post(training, messages::Pause{});
      lock.lock();
      changed_.wait(lock, [this] { return answered_ || stopped_; });
    }
  }

  void hear(TrainingId id, const Event& event) {
    const std::lock_guard lock(mutex_);
    if (stopped_) return;
    script_.sink(id, event);
    if (std::holds_alternative<events::GraphReady>(event)) ready_ = true;
    if (std::holds_alternative<events::Stopped>(event) && id == training_) stopped_ = true;
    if (std::holds_alternative<events::Failed>(event) || std::holds_alternative<events::EditRefused>(event)) ++refused_;
    answered_ = answered_ || (id == asked_of_ && answers(asked_, event));
    changed_.notify_all();
  }

  const Script& script_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool ready_ = false;  // guarded by mutex_, as all below
  Message asked_;
  TrainingId asked_of_;
  bool answered_ = true;
  bool stopped_ = false;
  int refused_ = 0;
  TrainingId training_;  // the first one
  Engine engine_;
};

}  // namespace

ScriptResult run_script(TrainingSpec spec, const Script& script) {
  ScriptResult result;
  Conversation conversation(std::move(spec), script);
  std::string line;
  while (!conversation.over() && script.next_line(line)) {
    const auto first = line.find_first_not_of(" \t\r");
    if (first == std::string::npos || line[first] == '#') continue;
    conversation.say(line);
    ++result.lines;
  }
  conversation.end();
  result.refused = conversation.refused();
  return result;
}

}  // namespace asg::train
