#pragma once

#include "asg/core/platform.h"

// Of the OpenMP runtime that oneDNN brings. Its header is the compiler's, and not every compiler has one.
extern "C" {
int omp_get_max_threads(void);
void omp_set_num_threads(int threads);
}

namespace asg::cpu {

// While it lives, oneDNN works in the calling thread alone: our own pool divides the work, by shapes only, so that the
// bits do not depend on the number of threads. What the caller's own OpenMP code uses comes back afterwards.
//
// Nor do handlers of signals run on the thread meanwhile: products of more than 84 terms (AVX-512; 252 with AVX2, seen
// in oneDNN 2.6.3) let the stack pointer walk through a buffer on the heap, and the frame of a handler would lie over
// whatever stands below that buffer.
class OneThread {
 public:
  OneThread() : before_(omp_get_max_threads()) {
    if (before_ != 1) omp_set_num_threads(1);
  }
  ~OneThread() {
    if (before_ != 1) omp_set_num_threads(before_);
  }
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;

 private:
  platform::SignalsHeld undisturbed_;
  int before_;
};

}  // namespace asg::cpu
