#pragma once

#include <cstdint>
#include <vector>

namespace asg::fusion {

// Places of units in an order in which they could be computed, kept up to date as they are merged: what a unit reads
// has a lower place. So a search for a way between two units need not leave the places between them.
class UnitPlaces {
 public:
  // After all others. Units are numbered in the order in which they come.
  void append(int unit);
  bool is_before(int unit, int other) const { return at(unit).place < at(other).place; }
  // `into` takes in `from`, and has the place of the earlier of the two from now on; `before`, what the later one needs
  // that has a place after the earlier one, goes before it.
  void join(int into, int from, std::vector<int> before);

 private:
  struct Entry {
    std::int64_t place = 0;
    int previous = -1;  // the units that stand next to it; -1: none
    int next = -1;
  };

  Entry& at(int unit) { return entries_[static_cast<std::size_t>(unit)]; }
  const Entry& at(int unit) const { return entries_[static_cast<std::size_t>(unit)]; }
  void take_out(int unit);
  void put_before(int unit, int next);
  std::int64_t room_before(int unit) const;
  void spread();

  std::vector<Entry> entries_;  // by unit
  int first_ = -1;
  int last_ = -1;
};

}  // namespace asg::fusion
