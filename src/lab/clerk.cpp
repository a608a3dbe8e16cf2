#include "lab/clerk.h"

#include <exception>
#include <string>
#include <utility>

#include "asg/core/log.h"

namespace asg::lab {

Clerk::Clerk() : thread_([this] { loop(); }) {}

Clerk::~Clerk() { stop(); }

void Clerk::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void Clerk::post(std::function<void()> job) {
  {
    const std::lock_guard lock(mutex_);
    if (stopping_) return;
    jobs_.push_back(std::move(job));
  }
  wake_.notify_one();
}

void Clerk::loop() {
  std::unique_lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [this] { return stopping_ || !jobs_.empty(); });
    if (stopping_) return;
    const std::function<void()> job = std::move(jobs_.front());
    jobs_.pop_front();
    lock.unlock();
    try {
      job();
    } catch (const std::exception& error) {
      log(LogLevel::error, std::string("a job of the Lab threw: ") + error.what());
    }
    lock.lock();
  }
}

}  // namespace asg::lab
