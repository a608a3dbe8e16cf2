#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "asg/core/dim.h"
#include "asg/graph/resize.h"

namespace asg {

// Which elements of a longer axis are those that it had before, in runs: "8 old, 2 new, 4 old" after a concatenation
// whose first part grew by 2. The old elements keep their order.
class AxisRuns {
 public:
  static AxisRuns old(const Dim& length);
  static AxisRuns appended(const Dim& before, const Dim& now);  // the new elements at the end

  void add(const Dim& length, bool is_new);
  void add(const AxisRuns& runs);

  Dim length() const;
  Dim old_length() const;
  bool has_new() const;
  bool is_appended() const;  // the old elements are the first ones

  // Each element becomes `factor` neighbouring ones.
  AxisRuns scaled(const Dim& factor) const;
  // The inverse of `scaled`; nothing where it would cut a run.
  std::optional<AxisRuns> divided(const Dim& factor) const;
  // The axis so many times, one after the other; nothing where their number is not known or is out of proportion.
  std::optional<AxisRuns> repeated(const Dim& times) const;
  // The elements from `begin` up to `end`; nothing where it is not known which they are.
  std::optional<AxisRuns> cut(const Dim& begin, const Dim& end) const;
  // Of an axis whose lengths are numbers.
  std::vector<KeptRun> kept() const;

  friend bool operator==(const AxisRuns& a, const AxisRuns& b) = default;

 private:
  struct Run {
    Dim length;
    bool is_new;
    friend bool operator==(const Run& a, const Run& b) = default;
  };
  std::vector<Run> runs_;  // old and new in turn, none empty
};

}  // namespace asg
