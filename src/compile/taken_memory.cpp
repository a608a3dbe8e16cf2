#include "compile/taken_memory.h"

#include <algorithm>
#include <limits>

namespace asg {
namespace {

// What is in one of two lists of ranges, or in both.
void append_union(std::span<const MemoryRange> a, std::span<const MemoryRange> b, std::vector<MemoryRange>& to) {
  const std::size_t start = to.size();
  std::size_t next_a = 0;
  std::size_t next_b = 0;
  while (next_a < a.size() || next_b < b.size()) {
    const bool from_a = next_b == b.size() || (next_a < a.size() && a[next_a].begin < b[next_b].begin);
    const MemoryRange& range = from_a ? a[next_a++] : b[next_b++];
    if (to.size() > start && range.begin <= to.back().end) {
      to.back().end = std::max(to.back().end, range.end);
    } else {
      to.push_back(range);
    }
  }
}

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

// Makes one list of those that were found, by uniting them in pairs.
void TakenMemory::unite_found() {
  while (ends_.size() > 1) {
    other_found_.clear();
    other_ends_.clear();
    std::size_t begin = 0;
    for (std::size_t k = 0; k < ends_.size(); k += 2) {
      const std::span<const MemoryRange> all = found_;
      const std::size_t middle = ends_[k];
      const std::size_t end = k + 1 < ends_.size() ? ends_[k + 1] : middle;
      append_union(all.subspan(begin, middle - begin), all.subspan(middle, end - middle), other_found_);
      other_ends_.push_back(other_found_.size());
      begin = end;
    }
    found_.swap(other_found_);
    ends_.swap(other_ends_);
  }
}

std::int64_t TakenMemory::best_offset(int first, int last, std::int64_t bytes) {
  found_.clear();
  ends_.clear();
  walk({1, 0, width_}, first, last, [&](const Node& node, bool inside) {
    const auto& ranges = inside ? node.ever : node.always;
    if (ranges.all().empty()) return;
    found_.insert(found_.end(), ranges.all().begin(), ranges.all().end());
    ends_.push_back(found_.size());
  });
  unite_found();
  std::int64_t free_from = 0;
  std::int64_t best = -1;
  std::int64_t best_size = std::numeric_limits<std::int64_t>::max();
  for (const MemoryRange& range : found_) {
    const std::int64_t gap = range.begin - free_from;
    if (gap >= bytes && gap < best_size) {
      best = free_from;
      best_size = gap;
    }
    free_from = range.end;
  }
  return best >= 0 ? best : free_from;
}

}  // namespace asg
