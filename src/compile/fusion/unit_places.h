#pragma once

#include <cstdint>
#include <map>
#include <vector>

namespace asg::fusion {

// Places of units in an order in which they could be computed, kept up to date as they are merged: what a unit reads
// has a lower place. So a search for a way between two units need not leave the places between them.
class UnitPlaces {
 public:
  // After all others. Units are numbered in the order in which they come.
  void append(int unit);
  std::int64_t of(int unit) const { return place_of_[static_cast<std::size_t>(unit)]; }
  // `into` takes in `from`, and has the place of the earlier of the two from now on; `before`, what the later one needs
  // that has a place after the earlier one, goes before it.
  void join(int into, int from, std::vector<int> before);

 private:
  void make_room_before(int unit, std::int64_t count);

  std::vector<std::int64_t> place_of_;  // by unit
  std::map<std::int64_t, int> places_;  // and back
};

}  // namespace asg::fusion
