#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include "asg/core/array.h"

namespace asg::cpu {

// Work memory that executables share, since a program needs it only while it runs: a training step, the model in eval
// mode and the step after an edit use the same pages. From any thread; runs at the same time get memory of their own.
class ArenaPool {
 public:
  // Memory for one run, of any content and aligned for buffers.
  class Lease {
   public:
    Lease(ArenaPool& pool, std::int64_t bytes) : pool_(pool), memory_(pool.take(bytes)) {}
    ~Lease() { pool_.give_back(std::move(memory_)); }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;

    std::byte* memory() { return memory_.raw(); }

   private:
    ArenaPool& pool_;
    Array memory_;
  };

 private:
  Array take(std::int64_t bytes);
  void give_back(Array memory);

  std::mutex mutex_;
  std::vector<Array> free_;
};

}  // namespace asg::cpu
