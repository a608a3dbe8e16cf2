#include "lab/clerk.h"

#include <exception>
#include <string>
#include <utility>

#include "asg/core/log.h"
#include "asg/core/thread_priority.h"

namespace asg::lab {

Clerk::Clerk(Priority priority) : thread_([this, priority] { loop(priority); }) {}

Clerk::~Clerk() { stop(); }

void Clerk::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void Clerk::post(std::uint64_t owner, std::function<void()> job) {
  {
    const std::lock_guard lock(mutex_);
    if (stopping_) return;
    jobs_.push(owner, std::move(job));
  }
  wake_.notify_one();
}

void Clerk::loop(Priority priority) {
  if (priority == Priority::below_training) platform::yield_to_other_threads();
  std::unique_lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [this] { return stopping_ || !jobs_.empty(); });
    if (stopping_) return;
    std::function<void()> job = jobs_.pop();
    lock.unlock();
    try {
      job();
    } catch (const std::exception& error) {
      log(LogLevel::error, std::string("a job of the Lab threw: ") + error.what());
    }
    job = nullptr;  // what it holds may take the mutex when it goes
    lock.lock();
  }
}

}  // namespace asg::lab
