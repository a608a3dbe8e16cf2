#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>

#include "train/fair_queue.h"

namespace asg::lab {

// One thread that does one thing after the other, for work that neither the server nor the engine should wait for.
class Clerk {
 public:
  // Threads have the priority of the thread that starts them: who starts threads that compute is a `usual` one.
  enum class Priority { usual, below_training };

  explicit Clerk(Priority priority);
  ~Clerk();  // stops
  Clerk(const Clerk&) = delete;
  Clerk& operator=(const Clerk&) = delete;

  // From any thread. What a job throws is logged. Owners take turns, so that nobody waits for all that another wants.
  void post(std::uint64_t owner, std::function<void()> job);
  // Returns when the job at hand is done; the others, and all that are posted later, are dropped.
  void stop();

 private:
  void loop(Priority priority);

  std::mutex mutex_;
  std::condition_variable wake_;
  train::FairQueue<std::function<void()>> jobs_;  // guarded by mutex_
  bool stopping_ = false;                         // guarded by mutex_
  std::thread thread_;                            // last, so that it starts when all else stands
};

}  // namespace asg::lab
