#include "asg/core/thread_pool.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <map>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "asg/core/error.h"
#include "asg/core/log.h"
#include "asg/core/platform.h"

namespace asg {
namespace {

using Body = std::function<void(std::int64_t, std::int64_t)>;

// More than a few for each processor only cost memory, and libraries below fail where it runs out.
int most_threads() {
  static const int most = std::max(64, 4 * platform::hardware_threads());
  return most;
}

// Results do not depend on the number of threads, so that fewer than asked for are no mistake.
int sane_threads(int asked) {
  if (asked <= most_threads()) return std::max(asked, 1);
  log(LogLevel::warning,
      std::to_string(asked) + " threads are too many for this machine: using " + std::to_string(most_threads()));
  return most_threads();
}

// How long a thread looks out for work before it sleeps. Waking one costs tens of microseconds, on a virtual machine
// more, as much as a small call takes as a whole; and calls follow each other closely, with a few between them that one
// thread does alone.
constexpr std::chrono::microseconds kPatience{300};

template <class Condition>
void wait_awake(const Condition& condition) {
  const auto until = std::chrono::steady_clock::now() + kPatience;
  while (!condition() && std::chrono::steady_clock::now() < until) std::this_thread::yield();
}

// Of this thread among those at work on a call: 0 is the caller.
thread_local int thread_number = 0;

class AsCaller {
 public:
  AsCaller() : before_(std::exchange(thread_number, 0)) {}
  ~AsCaller() { thread_number = before_; }
  AsCaller(const AsCaller&) = delete;
  AsCaller& operator=(const AsCaller&) = delete;

 private:
  int before_;
};

// Whether this thread is at work on a split call, of whichever pool.
thread_local bool inside_split = false;

// One call of for_ranges. It lives on the caller's stack: the caller leaves only when no worker holds it.
struct Job {
  const Body* body;
  std::int64_t count;
  std::int64_t grain;
  std::int64_t ranges;
  std::atomic<std::int64_t> next{0};  // the first range that nobody has taken
  std::atomic<bool> failed{false};
  std::atomic<int> workers{0};  // changed under the pool's mutex
  // Guarded by the pool's mutex.
  std::condition_variable finished;
  std::int64_t failed_range = 0;
  std::exception_ptr error;

  Job(const Body& call, std::int64_t total, std::int64_t step)
      : body(&call), count(total), grain(step), ranges(total / step + (total % step != 0 ? 1 : 0)) {}

  bool has_work() const { return !failed.load() && next.load() < ranges; }

  void run_range(std::int64_t range) const {
    const std::int64_t first = range * grain;
    (*body)(first, first + std::min(grain, count - first));
  }

  // Takes ranges in order until none is left. Ranges are skipped only after a failure, so every range before
  // the first failing one has run, and the error of the lowest failing range is always the one kept:
  // which error is reported does not depend on timing.
  void work(std::mutex& mutex) {
    inside_split = true;
    while (!failed.load()) {
      const std::int64_t range = next.fetch_add(1);
      if (range >= ranges) break;
      try {
        run_range(range);
      } catch (...) {
        const std::lock_guard lock(mutex);
        failed.store(true);
        if (error == nullptr || range < failed_range) {
          failed_range = range;
          error = std::current_exception();
        }
      }
    }
    inside_split = false;
  }
};

}  // namespace

struct ThreadPool::State {
  std::mutex mutex;
  std::condition_variable wake;
  std::vector<Job*> jobs;                 // oldest first
  std::atomic<std::uint64_t> arrived{0};  // jobs so far
  bool stopping = false;
  std::vector<std::thread> workers;

  Job* job_with_work() const {
    const auto found = std::find_if(jobs.begin(), jobs.end(), [](const Job* job) { return job->has_work(); });
    return found == jobs.end() ? nullptr : *found;
  }

  void worker_loop(int number) {
    const platform::SignalsHeld quiet;  // handlers of the program run on threads of the program
    thread_number = number;
    std::unique_lock lock(mutex);
    for (;;) {
      Job* job = nullptr;
      if (!stopping && job_with_work() == nullptr) {
        const std::uint64_t seen = arrived.load();
        lock.unlock();
        wait_awake([&] { return arrived.load() != seen; });
        lock.lock();
      }
      wake.wait(lock, [&] { return stopping || (job = job_with_work()) != nullptr; });
      if (stopping) return;
      ++job->workers;
      lock.unlock();
      job->work(mutex);
      lock.lock();
      // Under the lock, because the caller may destroy the job as soon as it sees 0.
      if (--job->workers == 0) job->finished.notify_one();
    }
  }

  void stop() {
    {
      const std::lock_guard lock(mutex);
      stopping = true;
    }
    wake.notify_all();
    for (std::thread& worker : workers) worker.join();
  }
};

ThreadPool::ThreadPool(int threads) : state_(std::make_unique<State>()) {
  const int workers = sane_threads(threads) - 1;  // the caller is the one more
  state_->workers.reserve(static_cast<std::size_t>(workers));
  try {
    for (int k = 0; k < workers; ++k) {
      state_->workers.emplace_back([state = state_.get(), k] { state->worker_loop(k + 1); });
    }
  } catch (const std::system_error&) {
    // The system gives no more threads: work with those there are. Results do not depend on their number.
  }
}

ThreadPool::~ThreadPool() { state_->stop(); }

std::shared_ptr<ThreadPool> ThreadPool::shared(int threads) {
  static std::mutex mutex;
  static std::map<int, std::weak_ptr<ThreadPool>> pools;
  threads = threads <= 0 ? platform::hardware_threads() : sane_threads(threads);
  const std::lock_guard lock(mutex);
  std::weak_ptr<ThreadPool>& known = pools[threads];
  std::shared_ptr<ThreadPool> pool = known.lock();
  if (pool == nullptr) known = pool = std::make_shared<ThreadPool>(threads);
  return pool;
}

int ThreadPool::current_thread() { return thread_number; }

int ThreadPool::threads() const { return static_cast<int>(state_->workers.size()) + 1; }

void ThreadPool::for_ranges(std::int64_t count, std::int64_t grain, const Body& body) {
  internal_check(grain >= 1, "for_ranges needs a grain of at least 1");
  if (count <= 0) return;
  const AsCaller first_thread;
  Job job(body, count, grain);
  if (job.ranges == 1 || state_->workers.empty() || inside_split) {
    for (std::int64_t range = 0; range < job.ranges; ++range) job.run_range(range);
    return;
  }
  {
    const std::lock_guard lock(state_->mutex);
    state_->jobs.push_back(&job);
    state_->arrived.fetch_add(1);
  }
  const auto helpers = std::min(job.ranges - 1, static_cast<std::int64_t>(state_->workers.size()));
  for (std::int64_t k = 0; k < helpers; ++k) state_->wake.notify_one();
  job.work(state_->mutex);

  std::unique_lock lock(state_->mutex);
  std::erase(state_->jobs, &job);
  if (job.workers.load() != 0) {
    lock.unlock();
    wait_awake([&] { return job.workers.load() == 0; });
    lock.lock();
  }
  job.finished.wait(lock, [&] { return job.workers == 0; });
  if (job.error != nullptr) std::rethrow_exception(job.error);
}

}  // namespace asg
