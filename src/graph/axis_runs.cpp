#include "axis_runs.h"

#include <algorithm>

namespace asg {
namespace {

constexpr std::size_t kMostRuns = std::size_t{1} << 20;

}  // namespace

AxisRuns AxisRuns::old(const Dim& length) {
  AxisRuns runs;
  runs.add(length, false);
  return runs;
}

AxisRuns AxisRuns::appended(const Dim& before, const Dim& now) {
  AxisRuns runs = old(before);
  runs.add(now - before, true);
  return runs;
}

void AxisRuns::add(const Dim& length, bool is_new) {
  if (length == Dim(0)) return;
  if (!runs_.empty() && runs_.back().is_new == is_new) {
    runs_.back().length = runs_.back().length + length;
  } else {
    runs_.push_back({length, is_new});
  }
}

void AxisRuns::add(const AxisRuns& runs) {
  for (const Run& run : runs.runs_) add(run.length, run.is_new);
}

Dim AxisRuns::length() const {
  Dim total;
  for (const Run& run : runs_) total = total + run.length;
  return total;
}

Dim AxisRuns::old_length() const {
  Dim total;
  for (const Run& run : runs_) {
    if (!run.is_new) total = total + run.length;
  }
  return total;
}

bool AxisRuns::has_new() const {
  return std::any_of(runs_.begin(), runs_.end(), [](const Run& run) { return run.is_new; });
}

bool AxisRuns::is_appended() const { return *this == appended(old_length(), length()); }

AxisRuns AxisRuns::scaled(const Dim& factor) const {
  AxisRuns result;
  for (const Run& run : runs_) result.add(run.length * factor, run.is_new);
  return result;
}

std::optional<AxisRuns> AxisRuns::divided(const Dim& factor) const {
  if (factor == Dim(0)) return std::nullopt;
  AxisRuns result;
  for (const Run& run : runs_) {
    const Dim share = floor_div(run.length, factor);
    if (share * factor != run.length) return std::nullopt;
    result.add(share, run.is_new);
  }
  return result;
}

std::optional<AxisRuns> AxisRuns::repeated(const Dim& times) const {
  if (times == Dim(1)) return *this;
  const auto count = times.known();
  if (!count || *count < 0 || static_cast<std::size_t>(*count) > kMostRuns / std::max<std::size_t>(runs_.size(), 1)) {
    return std::nullopt;
  }
  AxisRuns result;
  for (std::int64_t k = 0; k < *count; ++k) result.add(*this);
  return result;
}

std::optional<AxisRuns> AxisRuns::cut(const Dim& begin, const Dim& end) const {
  if (begin == Dim(0) && end == length()) return *this;
  if (!begin.is_known() || !end.is_known()) return std::nullopt;
  AxisRuns result;
  std::int64_t at = 0;
  for (const Run& run : runs_) {
    if (at >= end.value()) break;
    if (!run.length.is_known()) return std::nullopt;
    const std::int64_t first = std::max(at, begin.value());
    at += run.length.value();
    const std::int64_t last = std::min(at, end.value());
    if (last > first) result.add(last - first, run.is_new);
  }
  return result;
}

std::vector<KeptRun> AxisRuns::kept() const {
  std::vector<KeptRun> result;
  std::int64_t from = 0;
  std::int64_t to = 0;
  for (const Run& run : runs_) {
    const std::int64_t length = run.length.value();
    if (!run.is_new) result.push_back({from, to, length});
    from += run.is_new ? 0 : length;
    to += length;
  }
  return result;
}

}  // namespace asg
