#include <array>
#include <cstdio>

#include "asg/compile/explain.h"

namespace asg {

double Explanation::compile_seconds() const {
  double total = 0;
  for (const PassReport& pass : passes) total += pass.seconds;
  for (const StageTime& stage : stages) total += stage.seconds;
  return total;
}

double Explanation::waste() const {
  if (plan.live_bytes == 0) return 0;
  return static_cast<double>(plan.arena_bytes - plan.live_bytes) / static_cast<double>(plan.live_bytes);
}

std::int64_t Explanation::variable_bytes() const {
  std::int64_t total = 0;
  for (const Buffer& buffer : program.buffers) {
    if (buffer.kind == Buffer::Kind::variable) total += buffer.bytes();
  }
  return total;
}

std::vector<std::int64_t> Explanation::alive_by_step() const {
  const std::size_t steps = program.steps.size();
  std::vector<std::int64_t> change(steps + 2, 0);
  for (const Lifetime& life : plan.lifetimes) {
    change[static_cast<std::size_t>(life.first)] += life.bytes;
    change[static_cast<std::size_t>(life.last) + 1] -= life.bytes;
  }
  std::vector<std::int64_t> alive(steps, 0);
  std::int64_t now = 0;
  for (std::size_t step = 0; step < steps; ++step) alive[step] = now += change[step];
  return alive;
}

std::string bytes_text(std::int64_t bytes) {
  constexpr std::array<const char*, 5> kUnits = {"B", "KiB", "MiB", "GiB", "TiB"};
  constexpr double kStep = 1024;
  auto amount = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (amount >= kStep && unit + 1 < kUnits.size()) {
    amount /= kStep;
    ++unit;
  }
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), unit == 0 || amount >= 100 ? "%.0f %s" : "%.1f %s", amount, kUnits[unit]);
  return text.data();
}

}  // namespace asg
