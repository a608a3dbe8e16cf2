#include "asg/train/script.h"

#include <condition_variable>
#include <mutex>

#include "train/training.h"

namespace asg::train {
namespace {

// Whether an event ends the answer to a message.
bool answers(const Message& message, const Event& event) {
  if (std::holds_alternative<events::Failed>(event)) return true;
  if (std::holds_alternative<messages::Run>(message) || std::holds_alternative<messages::Pause>(message)) {
    return std::holds_alternative<events::Paused>(event);
  }
  const bool changes_graph = std::holds_alternative<messages::Apply>(message) ||
                             std::holds_alternative<messages::Undo>(message) ||
                             std::holds_alternative<messages::Redo>(message);
  if (changes_graph && std::holds_alternative<events::EditRefused>(event)) return true;
  if (changes_graph || std::holds_alternative<messages::ReturnTo>(message)) {
    return std::holds_alternative<events::GraphReady>(event);
  }
  return !std::holds_alternative<events::StepDone>(event) && !std::holds_alternative<events::Paused>(event);
}

// Stands between the engine thread, which brings events, and the thread that reads the script.
class Conversation {
 public:
  Conversation(TrainingSpec spec, const std::function<void(std::string_view)>& write)
      : write_(write),
        engine_([this](TrainingId id, const Event& event) { hear(id, event); }),
        training_(engine_.add(std::move(spec))) {
    std::unique_lock lock(mutex_);
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
      Message message = message_from_json(line);
      // A run without an end is answered by its first step; later messages find it running.
      const auto* run = std::get_if<messages::Run>(&message);
      const bool waits = run == nullptr || run->steps >= 0;
      {
        const std::lock_guard lock(mutex_);
        asked_ = message;
        answered_ = !waits;
      }
      engine_.post(training_, std::move(message));
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
  void hear(TrainingId id, const Event& event) {
    const std::lock_guard lock(mutex_);
    if (stopped_) return;
    write_(to_json(id, event));
    if (std::holds_alternative<events::GraphReady>(event)) ready_ = true;
    if (std::holds_alternative<events::Stopped>(event)) stopped_ = true;
    if (std::holds_alternative<events::Failed>(event) || std::holds_alternative<events::EditRefused>(event)) ++refused_;
    answered_ = answered_ || answers(asked_, event);
    changed_.notify_all();
  }

  std::function<void(std::string_view)> write_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool ready_ = false;  // guarded by mutex_, as all below
  Message asked_;
  bool answered_ = true;
  bool stopped_ = false;
  int refused_ = 0;
  Engine engine_;
  TrainingId training_;
};

}  // namespace

ScriptResult run_script(TrainingSpec spec, const std::function<bool(std::string& line)>& next_line,
                        const std::function<void(std::string_view event)>& write) {
  ScriptResult result;
  Conversation conversation(std::move(spec), write);
  std::string line;
  while (!conversation.over() && next_line(line)) {
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
