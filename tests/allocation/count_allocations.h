#pragma once

#include <string>

namespace asg::test {

// How often memory was asked for, by operator new or by malloc and its kin.
struct Allocations {
  long ours = 0;    // by anyone but the library
  long onednn = 0;  // by oneDNN, or by the OpenMP runtime that it brings
};

// Counts what all threads allocate while it lives. One at a time.
class AllocationCounter {
 public:
  AllocationCounter();
  ~AllocationCounter();
  AllocationCounter(const AllocationCounter&) = delete;
  AllocationCounter& operator=(const AllocationCounter&) = delete;

  Allocations counted() const;
  // Where the first few of ours came from, for addr2line: offsets in this program.
  std::string first_callers() const;
};

}  // namespace asg::test
