// Systems without a file of their own: what the standard library can do, else what platform.h names.
#if !defined(__linux__)

#include <algorithm>
#include <thread>

#include "asg/core/platform.h"
#include "asg/core/thread_priority.h"

namespace asg::platform {

SignalsHeld::SignalsHeld() = default;
SignalsHeld::~SignalsHeld() = default;

int hardware_threads() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }
void yield_to_other_threads() {}
std::string cpu_name() { return "unknown processor"; }
std::int64_t physical_bytes() { return 0; }
std::int64_t resident_bytes() { return 0; }
std::int64_t peak_resident_bytes() { return 0; }
bool is_terminal(int) { return false; }
int terminal_width(int) { return 80; }

}  // namespace asg::platform

#endif
