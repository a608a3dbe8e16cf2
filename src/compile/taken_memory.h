#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace asg {

// Offsets from `begin` to `end`, exclusive.
struct MemoryRange {
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

// A set of offsets, as ranges in rising order that neither overlap nor touch.
class MemoryRanges {
 public:
  void add(MemoryRange range);
  std::span<const MemoryRange> all() const& { return ranges_; }

 private:
  std::vector<MemoryRange> ranges_;
};

// Which offsets of an arena are taken at which steps: a tree over the steps, each node of which knows what is taken at
// any step below it, and what is taken at all of them. A plan leaves few gaps, so these are few ranges, and a question
// about any span of steps looks at a few nodes: much less than at all that is alive meanwhile.
class TakenMemory {
 public:
  explicit TakenMemory(int steps);

  // From step `first` to step `last`, inclusive.
  void take(int first, int last, MemoryRange range);
  // Where the smallest gap begins that has so many bytes and is free in all these steps, the lowest of several, or the
  // smallest of the first few gaps where there are many; else where the last thing ends that is taken in one of them.
  std::int64_t best_offset(int first, int last, std::int64_t bytes);

 private:
  struct Node {
    MemoryRanges ever;    // taken at some step
    MemoryRanges always;  // taken at every step by one that lives at all of them, where the node above does not say so
  };
  // The steps below a node.
  struct Place {
    std::size_t node = 1;
    int first = 0;
    int count = 1;
  };

  template <class Visit>
  void walk(Place at, int first, int last, const Visit& visit);
  MemoryRange next_gap(std::int64_t from);

  int width_ = 1;                                    // steps, rounded up to a power of two
  std::vector<Node> nodes_;                          // those below node k are 2k and 2k + 1
  std::vector<std::span<const MemoryRange>> ahead_;  // of a search: of each list what it has not passed yet
};

}  // namespace asg
