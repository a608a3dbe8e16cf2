#include "compile/fusion/unit_places.h"

#include <algorithm>

namespace asg::fusion {
namespace {

constexpr std::int64_t kRoom = std::int64_t{1} << 32;  // between places, to begin with

}  // namespace

void UnitPlaces::append(int unit) {
  const std::int64_t after = last_ < 0 ? 0 : at(last_).place;
  entries_.push_back({.place = after + kRoom, .previous = last_});
  (last_ < 0 ? first_ : at(last_).next) = unit;
  last_ = unit;
}

void UnitPlaces::take_out(int unit) {
  const Entry entry = at(unit);
  (entry.previous < 0 ? first_ : at(entry.previous).next) = entry.next;
  (entry.next < 0 ? last_ : at(entry.next).previous) = entry.previous;
}

void UnitPlaces::put_before(int unit, int next) {
  const int previous = at(next).previous;
  at(unit).previous = previous;
  at(unit).next = next;
  (previous < 0 ? first_ : at(previous).next) = unit;
  at(next).previous = unit;
}

void UnitPlaces::join(int into, int from, std::vector<int> before) {
  if (is_before(into, from)) {
    take_out(from);
  } else {
    take_out(into);
    put_before(into, from);
    take_out(from);
    at(into).place = at(from).place;
  }
  if (before.empty()) return;
  std::sort(before.begin(), before.end(), [&](int x, int y) { return is_before(x, y); });
  const auto count = static_cast<std::int64_t>(before.size());
  if (room_before(into) <= count) spread();
  const std::int64_t step = room_before(into) / (count + 1);
  std::int64_t place = at(into).place - step * (count + 1);
  for (const int unit : before) {
    take_out(unit);
    put_before(unit, into);
    at(unit).place = place += step;
  }
}

// How far the one before it is away.
std::int64_t UnitPlaces::room_before(int unit) const {
  const int previous = at(unit).previous;
  return previous < 0 ? kRoom : at(unit).place - at(previous).place;
}

// Gives all room again.
void UnitPlaces::spread() {
  std::int64_t place = 0;
  for (int unit = first_; unit >= 0; unit = at(unit).next) at(unit).place = place += kRoom;
}

}  // namespace asg::fusion
