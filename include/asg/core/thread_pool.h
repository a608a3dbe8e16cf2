#pragma once

#include <cstdint>
#include <functional>
#include <memory>

namespace asg {

// A fixed set of worker threads. The split of the work depends on `count` and `grain` only, never on the
// number of threads, so that results are the same on any machine.
class ThreadPool {
 public:
  // The caller of for_ranges is one of the threads: 1 (or less) means that all runs in the calling thread. Where the
  // system gives fewer threads, the pool works with those.
  explicit ThreadPool(int threads);
  ~ThreadPool();  // no call may be under way
  // The pool of so many threads (0: as many as the processor has) that all who ask for it share, so that they do not
  // get into each other's way; it ends with the last of them.
  static std::shared_ptr<ThreadPool> shared(int threads = 0);
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int threads() const;
  // The number of the calling thread, below threads(): inside a body no other thread at work on the same call has it.
  static int current_thread();

  // Calls body(first, last) for consecutive ranges of `grain` (the last may be shorter) that cover [0, count), in
  // parallel; returns when all are done. After an exception no further range is begun, and the exception of the
  // lowest range that threw is rethrown here. May be called from several threads, and from inside a body: there it
  // runs inline, unless the outer call was a single range and left the other threads free.
  void for_ranges(std::int64_t count, std::int64_t grain,
                  const std::function<void(std::int64_t first, std::int64_t last)>& body);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace asg
