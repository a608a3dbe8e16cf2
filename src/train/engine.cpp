#include "asg/train/engine.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>

#include "asg/core/log.h"
#include "train/onlookers.h"
#include "train/training.h"

namespace asg::train {

class Engine::Worker {
 public:
  explicit Worker(Sink sink) : sink_(std::move(sink)), thread_([this] { loop(); }) {}

  ~Worker() {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    wake_.notify_one();
    thread_.join();
  }

  TrainingId add(TrainingSpec spec) {
    TrainingId id;
    {
      const std::lock_guard lock(mutex_);
      id = TrainingId{++last_id_};
      inbox_.push_back({id, std::make_shared<TrainingSpec>(std::move(spec)), nullptr, messages::Stop{}, {}, 0});
    }
    wake_.notify_one();
    return id;
  }

  void post(TrainingId training, Message message, std::uint64_t number) {
    {
      const std::lock_guard lock(mutex_);
      inbox_.push_back({training, nullptr, nullptr, std::move(message), {}, number});
    }
    wake_.notify_one();
  }

  CarriedOut carried_out() const { return carried_out_; }

  void ask(TrainingId training, Look look) {
    {
      const std::lock_guard lock(mutex_);
      inbox_.push_back({training, nullptr, std::move(look), messages::Stop{}, {}, 0});
    }
    wake_.notify_one();
  }

  void ask(TrainingId training, Onlooker onlooker, Look look) {
    WaitingLook waiting{training, std::move(onlooker), std::move(look), Clock::now()};
    {
      const std::lock_guard lock(mutex_);
      inbox_.push_back({training, nullptr, nullptr, messages::Stop{}, std::move(waiting), 0});
    }
    wake_.notify_one();
  }

 private:
  using Clock = std::chrono::steady_clock;

  // A letter brings a message, a new training, or somebody who wants to look.
  struct Letter {
    TrainingId training;
    std::shared_ptr<TrainingSpec> spec;
    Look look;
    Message message;
    std::optional<WaitingLook> onlooker;
    std::uint64_t number;  // of a message; 0: it has none
  };

  void loop() {
    std::deque<Letter> letters;
    while (collect(letters)) {
      for (Letter& letter : letters) {
        letter.onlooker ? onlookers_.add(*std::move(letter.onlooker)) : carry_out(letter);
      }
      letters.clear();
      const Clock::time_point start = Clock::now();
      step_each();
      onlookers_.trained(seconds_since(start));
      let_look();
    }
    for (auto& [id, training] : trainings_) {
      training->end();
      emit(id, events::Stopped{training->steps()});
    }
    trainings_.clear();
  }

  bool any_running() const {
    for (const auto& [id, training] : trainings_) {
      if (training->running()) return true;
    }
    return false;
  }

  // Takes what was posted; waits for it when there is nothing to run. False: the engine is to stop.
  bool collect(std::deque<Letter>& letters) {
    const bool busy = any_running() || !onlookers_.empty();
    std::unique_lock lock(mutex_);
    if (!busy) wake_.wait(lock, [this] { return stopping_ || !inbox_.empty(); });
    letters.swap(inbox_);
    return !stopping_;
  }

  void carry_out(Letter& letter) {
    carried_out_.now = letter.number;
    if (letter.number != 0) carried_out_.last = letter.number;
    deliver(letter);
    carried_out_.now = 0;
  }

  void deliver(Letter& letter) {
    const TrainingId id = letter.training;
    const Training::Emit emit_here = [this, id](Event event) { emit(id, event); };
    if (letter.spec) {
      if (auto training = Training::make(std::move(*letter.spec), emit_here)) trainings_[id] = std::move(training);
      return;
    }
    const auto entry = trainings_.find(id);
    if (entry == trainings_.end()) return refuse(letter);
    if (letter.look) return entry->second->show(letter.look);
    if (std::holds_alternative<messages::Stop>(letter.message)) {
      entry->second->end();
      emit(id, events::Stopped{entry->second->steps()});
      trainings_.erase(entry);
      return;
    }
    if (const auto* branch = std::get_if<messages::Branch>(&letter.message)) {
      add_branch(id, *entry->second, branch->label);
      return;
    }
    entry->second->handle(letter.message);
  }

  static double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
  }

  bool has_letters() {
    const std::lock_guard lock(mutex_);
    return stopping_ || !inbox_.empty();
  }

  // After each look what was posted meanwhile comes first: nobody who looks holds up a message.
  void let_look() {
    do {
      const bool is_training = any_running();
      std::optional<WaitingLook> next = onlookers_.next(is_training);
      if (!next) break;
      const Clock::time_point start = Clock::now();
      show(*next);
      if (is_training) onlookers_.looked(next->onlooker.effort, seconds_since(start));
    } while (!has_letters());
    if (!any_running()) return;
    onlookers_.take_late(Clock::now(), [](const WaitingLook& late) {
      if (late.onlooker.turned_away) late.onlooker.turned_away();
    });
  }

  void show(const WaitingLook& waiting) {
    const auto entry = trainings_.find(waiting.training);
    try {
      waiting.look(entry == trainings_.end() ? nullptr : &entry->second->trainer());
    } catch (const std::exception& error) {
      log(LogLevel::error,
          "who looked at training " + std::to_string(waiting.training.number) + " threw: " + error.what());
    }
  }

  void refuse(const Letter& letter) {
    const std::uint32_t number = letter.training.number;
    try {
      if (letter.look) letter.look(nullptr);
    } catch (const std::exception& error) {
      log(LogLevel::error, "who asked for training " + std::to_string(number) + " threw: " + error.what());
    }
    ErrorDetail error;
    error.code = ErrorCode::bad_command;
    error.given = "a message to training " + std::to_string(number);
    error.needed = "a training that was added and not stopped";
    emit(letter.training, events::Failed{letter.look ? "ask" : std::string(name_of(letter.message)), std::move(error)});
  }

  void add_branch(TrainingId origin, Training& training, const std::string& label) {
    TrainingId id;
    {
      const std::lock_guard lock(mutex_);
      id = TrainingId{++last_id_};
    }
    try {
      auto branch = training.branch([this, id](Event event) { emit(id, event); });
      emit(origin, events::Branched{id, label, training.steps()});
      branch->tell_ready();
      trainings_[id] = std::move(branch);
    } catch (const std::exception& error) {
      emit(origin, events::Failed{"branch", detail_of(error)});
    }
  }

  void step_each() {
    for (auto& [id, training] : trainings_) {
      if (training->running()) training->step();
    }
  }

  // A sink that throws must not end the trainings.
  void emit(TrainingId id, const Event& event) {
    try {
      sink_(id, event);
    } catch (const std::exception& error) {
      log(LogLevel::error, std::string("a sink of events threw: ") + error.what());
    }
  }

  Sink sink_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Letter> inbox_;                                   // guarded by mutex_
  bool stopping_ = false;                                      // guarded by mutex_
  std::uint32_t last_id_ = 0;                                  // guarded by mutex_
  std::map<TrainingId, std::unique_ptr<Training>> trainings_;  // of the thread alone
  Onlookers onlookers_;                                        // of the thread alone
  CarriedOut carried_out_;                                     // of the thread alone
  std::thread thread_;                                         // last, so that it starts when all else stands
};

Engine::Engine(Sink sink) : worker_(std::make_unique<Worker>(std::move(sink))) {}
Engine::~Engine() = default;

TrainingId Engine::add(TrainingSpec spec) { return worker_->add(std::move(spec)); }
void Engine::post(TrainingId training, Message message) { worker_->post(training, std::move(message), 0); }
void Engine::post(TrainingId training, Message message, std::uint64_t number) {
  worker_->post(training, std::move(message), number);
}
Engine::CarriedOut Engine::carried_out() const { return worker_->carried_out(); }
void Engine::ask(TrainingId training, Look look) { worker_->ask(training, std::move(look)); }
void Engine::ask(TrainingId training, Onlooker onlooker, Look look) {
  worker_->ask(training, std::move(onlooker), std::move(look));
}

}  // namespace asg::train
