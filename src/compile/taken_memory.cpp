#include "compile/taken_memory.h"

#include <algorithm>
#include <limits>

namespace asg {
namespace {

constexpr std::int64_t kForever = std::numeric_limits<std::int64_t>::max();  // nothing is taken behind
constexpr int kMostGaps = 24;  // that fit, of which the best is taken: a search need not see all of a deep model's

}  // namespace

void MemoryRanges::add(MemoryRange range) {
  const auto first = std::lower_bound(ranges_.begin(), ranges_.end(), range.begin,
                                      [](const MemoryRange& each, std::int64_t begin) { return each.end < begin; });
  auto last = first;  // behind those that overlap or touch it
  for (; last != ranges_.end() && last->begin <= range.end; ++last) {
    range.begin = std::min(range.begin, last->begin);
    range.end = std::max(range.end, last->end);
  }
  if (first == last) {
    ranges_.insert(first, range);
    return;
  }
  *first = range;
  ranges_.erase(first + 1, last);
}

TakenMemory::TakenMemory(int steps) {
  while (width_ < steps) width_ *= 2;
  nodes_.resize(2 * static_cast<std::size_t>(width_));
}

// Shows the fewest nodes whose steps together are those from `first` to `last`, and those above them, which are told
// by false.
template <class Visit>
void TakenMemory::walk(Place at, int first, int last, const Visit& visit) {
  if (last < at.first || first >= at.first + at.count) return;
  const bool inside = first <= at.first && at.first + at.count - 1 <= last;
  visit(nodes_[at.node], inside);
  if (inside) return;
  const int half = at.count / 2;
  walk({2 * at.node, at.first, half}, first, last, visit);
  walk({2 * at.node + 1, at.first + half, half}, first, last, visit);
}

void TakenMemory::take(int first, int last, MemoryRange range) {
  walk({1, 0, width_}, first, last, [&](Node& node, bool inside) {
    node.ever.add(range);
    if (inside) node.always.add(range);
  });
}

// Behind `from`, the first offsets that are free in all lists that are left of the search.
MemoryRange TakenMemory::next_gap(std::int64_t from) {
  std::int64_t end = kForever;
  for (std::size_t k = 0; k < ahead_.size();) {
    std::span<const MemoryRange>& ranges = ahead_[k];
    while (!ranges.empty() && ranges.front().end <= from) ranges = ranges.subspan(1);
    if (ranges.empty()) {
      ranges = ahead_.back();
      ahead_.pop_back();
    } else if (ranges.front().begin <= from) {
      from = ranges.front().end;
      end = kForever;
      k = 0;
    } else {
      end = std::min(end, ranges.front().begin);
      ++k;
    }
  }
  return {from, end};
}

std::int64_t TakenMemory::best_offset(int first, int last, std::int64_t bytes) {
  ahead_.clear();
  walk({1, 0, width_}, first, last, [&](const Node& node, bool inside) {
    const MemoryRanges& ranges = inside ? node.ever : node.always;
    if (!ranges.all().empty()) ahead_.push_back(ranges.all());
  });
  std::int64_t best = -1;
  std::int64_t best_size = kForever;
  MemoryRange gap = next_gap(0);
  for (int fitting = 0; gap.end != kForever && fitting < kMostGaps; gap = next_gap(gap.end)) {
    const std::int64_t size = gap.end - gap.begin;
    if (size < bytes) continue;
    ++fitting;
    if (size < best_size) {
      best = gap.begin;
      best_size = size;
    }
    if (size == bytes) break;  // none fits better
  }
  return best >= 0 ? best : gap.begin;
}

}  // namespace asg
