// Handlers of signals while oneDNN computes: Ctrl-C, timers, profilers.
#if defined(__linux__)

#include <csignal>
#include <vector>

#include <gtest/gtest.h>
#include <sys/time.h>

#include "backend/cpu/library/library.h"
#include "backend/cpu/library/onednn_gemm.h"
#include "backend_cpu_library/library_cases.h"

namespace asg::test {
namespace {

volatile std::sig_atomic_t handled = 0;

// Calls a handler ten thousand times a second, on whatever thread takes it, while it lives.
class Interruptions {
 public:
  Interruptions() {
    handled = 0;
    struct sigaction action{};
    action.sa_handler = [](int) { handled = handled + 1; };
    action.sa_flags = SA_RESTART;
    sigaction(SIGALRM, &action, &before_);
    every(100);
  }
  ~Interruptions() {
    every(0);
    sigaction(SIGALRM, &before_, nullptr);
  }
  Interruptions(const Interruptions&) = delete;
  Interruptions& operator=(const Interruptions&) = delete;

 private:
  static void every(long microseconds) {
    const itimerval timer{.it_interval = {.tv_sec = 0, .tv_usec = microseconds},
                          .it_value = {.tv_sec = 0, .tv_usec = microseconds}};
    setitimer(ITIMER_REAL, &timer, nullptr);
  }
  struct sigaction before_{};
};

// Fewer terms lie on the stack of the caller, more in a buffer below which a handler must not write.
TEST(Signals, HandlersLeaveProductsAlone) {
  if (!cpu::has_onednn()) GTEST_SKIP() << "a build without oneDNN";
  for (const std::int64_t terms : {64, 96, 300}) {
    SCOPED_TRACE(terms);
    const cpu::GemmSizes sizes{.m = 192, .n = 192, .k = terms};
    const std::vector<float> a = numbers<float>(sizes.m * terms, 1);
    const std::vector<float> b = numbers<float>(terms * sizes.n, 2);
    const auto product = [&] {
      std::vector<float> c(static_cast<std::size_t>(sizes.m * sizes.n));
      cpu::onednn_gemm(sizes, {a.data(), terms, 1}, {b.data(), sizes.n, 1}, c.data(), sizes.n, false);
      return c;
    };
    const std::vector<float> quiet = product();
    const Interruptions interruptions;
    for (int run = 0; run < 20000 && handled < 200; ++run) ASSERT_EQ(product(), quiet);
    EXPECT_GE(handled, 200);
  }
}

}  // namespace
}  // namespace asg::test

#endif
