#include "edit_check/session.h"

#include <chrono>
#include <exception>
#include <utility>

namespace asg::edit_check {

namespace events = train::events;
namespace messages = train::messages;
using train::Event;
using train::Message;
using train::TrainingId;
using train::TrainingSpec;

namespace {

constexpr std::chrono::seconds kPatience(120);

template <class... Kinds>
bool is_event(const Event& event) {
  return (std::holds_alternative<Kinds>(event) || ...);
}

// The event that says that a message was carried out.
struct CarriedOut {
  const Event& event;

  bool operator()(const messages::Run&) const { return is_event<events::Paused>(event); }
  bool operator()(const messages::Pause&) const { return is_event<events::Paused>(event); }
  bool operator()(const messages::Apply&) const { return is_edit("apply"); }
  bool operator()(const messages::Undo&) const { return is_edit("undo"); }
  bool operator()(const messages::Redo&) const { return is_edit("redo"); }
  bool operator()(const messages::TakeSnapshot&) const { return is_event<events::SnapshotTaken>(event); }
  bool operator()(const messages::ReturnTo&) const { return is_event<events::Returned>(event); }
  bool operator()(const messages::Read&) const { return is_event<events::ValueRead>(event); }
  bool operator()(const messages::SetLearningRate&) const { return is_event<events::LearningRateSet>(event); }
  bool operator()(const messages::SetValue&) const { return is_event<events::ValueSet>(event); }
  bool operator()(const messages::Reset&) const { return is_event<events::ResetDone>(event); }
  bool operator()(const messages::SetSchedule&) const { return is_event<events::ScheduleSet>(event); }
  bool operator()(const messages::SetOptimizer&) const { return is_event<events::OptimizerSet>(event); }
  bool operator()(const messages::Journal&) const { return is_event<events::Journal>(event); }
  // Once at once; a step that runs meanwhile, or the change of a value, tells more.
  bool operator()(const messages::Watch&) const { return is_event<events::Watched>(event); }
  bool operator()(const messages::Evaluate&) const { return is_event<events::Evaluated>(event); }
  bool operator()(const messages::Save&) const { return is_event<events::CheckpointSaved>(event); }
  bool operator()(const messages::Load&) const { return is_event<events::CheckpointLoaded>(event); }
  bool operator()(const messages::Branch&) const { return is_event<events::Branched>(event); }
  bool operator()(const messages::Stop&) const { return is_event<events::Stopped>(event); }

 private:
  bool is_edit(std::string_view how) const {
    const auto* applied = std::get_if<events::EditApplied>(&event);
    return applied != nullptr && applied->how == how;
  }
};

// What else tells of carrying out such messages: a step that runs meanwhile, a schedule that a snapshot brings back.
bool may_come_again(const Message& message) {
  return std::holds_alternative<messages::Watch>(message) || std::holds_alternative<messages::Evaluate>(message) ||
         std::holds_alternative<messages::Save>(message);
}

// More steps than anybody waits for.
bool is_endless(const Message& message) {
  constexpr std::int64_t kManySteps = 1000;
  const auto* run = std::get_if<messages::Run>(&message);
  return run != nullptr && (run->steps < 0 || run->steps > kManySteps);
}

std::string words_of(const ErrorDetail& detail) {
  return std::string(asg::name_of(detail.code)) + ": " + detail.given + " / " + detail.needed +
         (detail.node.empty() ? "" : " / " + detail.node);
}

}  // namespace

Session::Session(TrainingSpec spec)
    : engine_(std::make_unique<train::Engine>([this](TrainingId id, const Event& event) { hear(id, event); })) {
  training_ = engine_->add(std::move(spec));
  fence(training_);
}

// An engine that does not answer cannot be ended either.
Session::~Session() {
  if (lost_) engine_.release();  // NOLINT: see above
}

void Session::hear(TrainingId training, const Event& event) {
  const std::lock_guard lock(mutex_);
  heard_.push_back({training, event});
  if (training == training_) {
    if (const auto* done = std::get_if<events::StepDone>(&event)) {
      steps_.push_back({done->step, done->loss, done->learning_rate, done->committed});
    }
    if (const auto* failed = std::get_if<events::Failed>(&event); failed != nullptr && failed->message == "run") {
      troubles_.push_back("a step failed: " + words_of(failed->error));
    }
    if (const auto* paused = std::get_if<events::Paused>(&event)) {
      running_ = false;
      if (paused->reason == "failed") troubles_.push_back("the training paused: failed");
    }
    if (is_event<events::Stopped>(event)) troubles_.push_back("the training stopped");
  }
  changed_.notify_all();
}

bool Session::wait_until(std::unique_lock<std::mutex>& lock, const std::function<bool()>& holds) {
  const bool came = changed_.wait_for(lock, kPatience, holds);
  if (!came) lost_ = true;
  return came;
}

bool Session::fence(TrainingId training) {
  return look_at(training, [](train::Trainer&) {}) && !lost_;
}

bool Session::look(const std::function<void(train::Trainer&)>& look) { return look_at(training_, look); }

bool Session::look_at(TrainingId training, const std::function<void(train::Trainer&)>& look) {
  struct State {
    bool done = false;
    bool found = false;
    std::exception_ptr thrown;
  };
  const auto state = std::make_shared<State>();  // the engine may look when nobody waits any more
  engine_->ask(training, [this, state, look](train::Trainer* trainer) {
    bool found = trainer != nullptr;
    std::exception_ptr thrown;
    try {
      if (found) look(*trainer);
    } catch (...) {
      thrown = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    *state = {true, found, thrown};
    changed_.notify_all();
  });
  std::unique_lock lock(mutex_);
  if (!wait_until(lock, [&] { return state->done; })) return false;
  if (state->thrown) std::rethrow_exception(state->thrown);
  return state->found;
}

bool Session::wait_for_steps(std::size_t more) {
  std::unique_lock lock(mutex_);
  const std::size_t goal = steps_.size() + more;
  return wait_until(lock, [&] { return steps_.size() >= goal || !running_; });
}

Answer Session::say(const std::string& line) { return say_to(training_, line); }

Answer Session::say_to(TrainingId training, const std::string& line) {
  Message message;
  try {
    message = train::message_from_json(line).message;
  } catch (const UserError& error) {
    Answer answer{.is_known = false, .verdicts = 1, .why = error.detail()};
    answer.steps_before = steps().size();
    return answer;
  }
  const bool endless = is_endless(message);
  {
    const std::lock_guard lock(mutex_);
    heard_.clear();
    if (endless && training == training_) running_ = true;
  }
  const auto* run = std::get_if<messages::Run>(&message);
  const bool to_an_end = run != nullptr && !endless;
  engine_->post(training, message);
  const bool there = fence(training);
  std::unique_lock lock(mutex_);
  const auto has_paused = [&] {
    for (const Heard& heard : heard_) {
      if (heard.training == training && is_event<events::Paused, events::Stopped>(heard.event)) return true;
    }
    return false;
  };
  const bool in_time = !lost_ && (!to_an_end || wait_until(lock, has_paused));
  Answer answer = judge(message, training);
  answer.in_time = in_time;
  if (!there && !lost_) answer.events.emplace_back("no such training");
  return answer;
}

// Called with the lock held.
Answer Session::judge(const Message& message, TrainingId training) {
  Answer answer;
  std::size_t ran = 0;
  const std::size_t ran_in_all =
      static_cast<std::size_t>(std::count_if(heard_.begin(), heard_.end(), [&](const Heard& heard) {
        return heard.training == training_ && is_event<events::StepDone>(heard.event);
      }));
  const std::size_t before = steps_.size() - ran_in_all;
  answer.steps_before = before;
  for (const auto& [id, event] : heard_) {
    if (id != training) continue;
    answer.events.emplace_back(train::name_of(event));
    if (is_event<events::StepDone>(event)) ++ran;
    const bool carried_out = std::visit(CarriedOut{event}, message);
    const auto* refused = std::get_if<events::EditRefused>(&event);
    const auto* failed = std::get_if<events::Failed>(&event);
    // A step that fails is no verdict: the run that it ends has one when it pauses.
    const bool is_run = std::holds_alternative<messages::Run>(message);
    const bool is_refusal =
        refused != nullptr || (!is_run && failed != nullptr && failed->message == train::name_of(message));
    if (!carried_out && !is_refusal) continue;
    if (answer.verdicts > 0 && carried_out && may_come_again(message)) continue;
    if (is_refusal && may_come_again(message)) answer.verdicts = 0;  // what came before was of a step
    ++answer.verdicts;
    answer.accepted = carried_out;
    if (refused != nullptr && !refused->problems.empty()) answer.why = refused->problems.front().detail();
    if (failed != nullptr) answer.why = failed->error;
    if (const auto* branched = std::get_if<events::Branched>(&event)) answer.branch = branched->branch;
    if (const auto* journal = std::get_if<events::Journal>(&event)) answer.journal = *journal;
    if (answer.verdicts == 1) {
      answer.steps_before = before + ran;
      answer.steps_meanwhile = static_cast<std::int64_t>(ran);
    }
  }
  if (is_endless(message)) {
    answer.accepted = answer.verdicts == 0 || answer.accepted;
    answer.verdicts = 1;
  }
  return answer;
}

bool Session::is_running() const {
  const std::lock_guard lock(mutex_);
  return running_;
}

std::vector<StepHeard> Session::steps() const {
  const std::lock_guard lock(mutex_);
  return steps_;
}

std::vector<StepHeard> Session::steps_of(TrainingId training) const {
  const std::lock_guard lock(mutex_);
  std::vector<StepHeard> result;
  for (const auto& [id, event] : heard_) {
    const auto* done = std::get_if<events::StepDone>(&event);
    if (id == training && done != nullptr) {
      result.push_back({done->step, done->loss, done->learning_rate, done->committed});
    }
  }
  return result;
}

std::vector<std::string> Session::take_troubles() {
  const std::lock_guard lock(mutex_);
  return std::exchange(troubles_, {});
}

}  // namespace asg::edit_check
