#if defined(__linux__)

#include <algorithm>
#include <csignal>
#include <fstream>
#include <thread>

#include <pthread.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "asg/core/platform.h"
#include "asg/core/thread_priority.h"

namespace asg::platform {
namespace {

thread_local int signal_holds = 0;  // on this thread, one inside the other: only the outermost asks the system
thread_local sigset_t signals_before;

}  // namespace

SignalsHeld::SignalsHeld() {
  if (signal_holds++ > 0) return;
  sigset_t held;
  sigfillset(&held);
  for (const int own : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP}) sigdelset(&held, own);
  pthread_sigmask(SIG_BLOCK, &held, &signals_before);
}

SignalsHeld::~SignalsHeld() {
  if (--signal_holds == 0) pthread_sigmask(SIG_SETMASK, &signals_before, nullptr);
}

int hardware_threads() {
  cpu_set_t allowed;
  if (::sched_getaffinity(0, sizeof(allowed), &allowed) == 0) return std::max(1, CPU_COUNT(&allowed));
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

// Linux keeps the priority of each thread by itself, under the thread's own number.
void yield_to_other_threads() {
  constexpr int kNiceness = 10;
  ::setpriority(PRIO_PROCESS, static_cast<id_t>(::syscall(SYS_gettid)), kNiceness);
}

std::string cpu_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const auto colon = line.find(':');
    if (line.rfind("model name", 0) != 0 || colon == std::string::npos) continue;
    const auto first = line.find_first_not_of(" \t", colon + 1);
    if (first != std::string::npos) return line.substr(first);
  }
  return "unknown processor";
}

std::int64_t physical_bytes() {
  const long pages = ::sysconf(_SC_PHYS_PAGES);
  const long page_bytes = ::sysconf(_SC_PAGESIZE);
  return pages > 0 && page_bytes > 0 ? std::int64_t{pages} * page_bytes : 0;
}

std::int64_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::int64_t total_pages = 0, resident_pages = 0;
  if (!(file >> total_pages >> resident_pages)) return 0;
  return resident_pages * ::sysconf(_SC_PAGESIZE);
}

std::int64_t peak_resident_bytes() {
  struct rusage usage = {};
  if (::getrusage(RUSAGE_SELF, &usage) != 0) return 0;
  return std::int64_t{usage.ru_maxrss} * 1024;
}

bool is_terminal(int file_descriptor) { return ::isatty(file_descriptor) == 1; }

int terminal_width(int file_descriptor) {
  struct winsize size = {};
  if (::ioctl(file_descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

}  // namespace asg::platform

#endif
