#include "lab/questions.h"

#include <cmath>
#include <utility>

#include "lab/answer_json.h"

namespace asg::lab {
namespace {

using Clock = std::chrono::steady_clock;

ErrorDetail too_many(std::string_view name) {
  return {.code = ErrorCode::limit_exceeded,
          .given = "'" + std::string(name) + "' while " + std::to_string(Questions::kMostDifferent) +
                   " different questions, or " + std::to_string(Questions::kMostAsked) + " in all, wait",
          .needed = "fewer questions at a time",
          .mend = "wait for answers before you ask more"};
}

}  // namespace

OpenQuestion::OpenQuestion(Questions& owner, std::uint64_t id, std::string key, std::string name, const Asker& asker)
    : owner_(owner),
      id_(id),
      key_(std::move(key)),
      name_(std::move(name)),
      client_(asker.client),
      askers_{asker},
      since_(Clock::now()) {}

OpenQuestion::~OpenQuestion() {
  owner_.refuse(owner_.close(*this), name_,
                {.code = ErrorCode::computation_error,
                 .given = "'" + name_ + "', which was given up",
                 .needed = "a training that goes on",
                 .mend = "ask again"});
}

void OpenQuestion::begin() {
  const std::lock_guard lock(owner_.mutex_);
  owner_.forget_key(*this);
}

void OpenQuestion::answer(const std::string& object) {
  answer_each([&](const Asker& asker) {
    owner_.outlet_.send(asker.client, std::make_shared<const std::string>(with_ask(object, asker.ask)), {});
  });
}

void OpenQuestion::answer_each(const std::function<void(const Asker& asker)>& send) {
  for (const Asker& asker : owner_.close(*this)) send(asker);
}

void OpenQuestion::refuse(const ErrorDetail& detail) { owner_.refuse(owner_.close(*this), name_, detail); }

void OpenQuestion::refuse(const std::exception& error) { refuse(detail_of(error)); }

Questions::Questions(Outlet& outlet, double seconds)
    : outlet_(outlet),
      patience_(std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds))),
      thread_([this] { watch(); }) {}

Questions::~Questions() {
  stop();
  thread_.join();
}

void Questions::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_one();
}

std::shared_ptr<OpenQuestion> Questions::add(std::string key, std::string name, const Asker& asker) {
  {
    const std::lock_guard lock(mutex_);
    if (stopping_) return nullptr;
    Load& load = loads_[asker.client];
    if (load.asked < kMostAsked) {
      if (const auto waiting = new_.find(key); waiting != new_.end()) {
        ++load.asked;
        open_.at(waiting->second)->askers_.push_back(asker);
        return nullptr;
      }
      if (load.different < kMostDifferent) {
        ++load.asked;
        ++load.different;
        std::shared_ptr<OpenQuestion> question(
            new OpenQuestion(*this, ++last_id_, std::move(key), std::move(name), asker));
        open_.emplace(question->id_, question.get());
        new_.emplace(question->key_, question->id_);
        if (open_.size() == 1) wake_.notify_one();
        return question;
      }
    }
  }
  refuse({asker}, name, too_many(name));
  return nullptr;
}

void Questions::forget_key(const OpenQuestion& question) {
  const auto entry = new_.find(question.key_);
  if (entry != new_.end() && entry->second == question.id_) new_.erase(entry);
}

void Questions::count_down(ClientId client, std::size_t Load::* what) {
  const auto entry = loads_.find(client);
  if (entry == loads_.end()) return;
  --(entry->second.*what);
  if (entry->second.asked == 0 && entry->second.different == 0) loads_.erase(entry);
}

std::vector<Asker> Questions::close(OpenQuestion& question) {
  const std::lock_guard lock(mutex_);
  return close_locked(question);
}

std::vector<Asker> Questions::close_locked(OpenQuestion& question) {
  std::vector<Asker> askers = std::exchange(question.askers_, {});
  if (askers.empty()) return askers;
  forget_key(question);
  open_.erase(question.id_);
  for (const Asker& asker : askers) count_down(asker.client, &Load::asked);
  count_down(question.client_, &Load::different);
  return askers;
}

void Questions::refuse(const std::vector<Asker>& askers, std::string_view name, const ErrorDetail& detail) {
  {
    const std::lock_guard lock(mutex_);
    if (stopping_) return;
  }
  for (const Asker& asker : askers) {
    outlet_.send(asker.client, std::make_shared<const std::string>(failed_json(asker.ask, name, detail)), {});
  }
}

// Those that have waited too long, taken out of what waits.
std::vector<Questions::Refusal> Questions::take_late() {
  std::vector<Refusal> late;
  while (!open_.empty() && Clock::now() - open_.begin()->second->since_ > patience_) {
    OpenQuestion& question = *open_.begin()->second;
    std::string name = question.name_;
    late.push_back({std::move(name), close_locked(question)});
  }
  return late;
}

void Questions::watch() {
  constexpr std::chrono::milliseconds kPause(100);
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    if (open_.empty()) {
      wake_.wait(lock, [this] { return stopping_ || !open_.empty(); });
    } else {
      wake_.wait_for(lock, kPause, [this] { return stopping_; });
    }
    const std::vector<Refusal> late = take_late();
    if (late.empty()) continue;
    lock.unlock();
    const double seconds = std::chrono::duration<double>(patience_).count();
    for (const auto& [name, askers] : late) {
      refuse(askers, name,
             {.code = ErrorCode::limit_exceeded,
              .given = "'" + name + "', without an answer for " + std::to_string(std::llround(seconds)) + " s",
              .needed = "a training that is not busy with one thing for so long",
              .mend = "ask again when its step or evaluation is done, or pause it"});
    }
    lock.lock();
  }
}

}  // namespace asg::lab
