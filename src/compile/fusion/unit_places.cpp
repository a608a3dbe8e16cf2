#include "compile/fusion/unit_places.h"

#include <algorithm>

namespace asg::fusion {
namespace {

constexpr std::int64_t kRoom = std::int64_t{1} << 20;  // between places, to begin with

}  // namespace

void UnitPlaces::append(int unit) {
  const std::int64_t last = places_.empty() ? 0 : places_.rbegin()->first;
  place_of_.push_back(last + kRoom);
  places_[last + kRoom] = unit;
}

void UnitPlaces::join(int into, int from, std::vector<int> before) {
  const std::int64_t early = std::min(of(into), of(from));
  const std::int64_t late = std::max(of(into), of(from));
  places_.erase(late);
  places_[early] = into;
  place_of_[static_cast<std::size_t>(into)] = early;
  std::sort(before.begin(), before.end(), [&](int x, int y) { return of(x) < of(y); });
  make_room_before(into, static_cast<std::int64_t>(before.size()));
  const std::int64_t after = of(into);
  const auto next = places_.find(after);
  std::int64_t free = next == places_.begin() ? after - kRoom : std::prev(next)->first;
  const std::int64_t step = (after - free) / (static_cast<std::int64_t>(before.size()) + 1);
  for (const int unit : before) {
    places_.erase(of(unit));
    free += step;
    place_of_[static_cast<std::size_t>(unit)] = free;
    places_[free] = unit;
  }
}

void UnitPlaces::make_room_before(int unit, std::int64_t count) {
  const auto here = places_.find(of(unit));
  const std::int64_t previous = here == places_.begin() ? here->first - kRoom : std::prev(here)->first;
  if (here->first - previous > count) return;
  std::map<std::int64_t, int> wider;
  for (const auto& [place, each] : places_) {
    const std::int64_t at = (static_cast<std::int64_t>(wider.size()) + 1) * kRoom;
    wider[at] = each;
    place_of_[static_cast<std::size_t>(each)] = at;
  }
  places_ = std::move(wider);
}

}  // namespace asg::fusion
