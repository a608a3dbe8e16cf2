#include "compile/fusion/space.h"

#include <algorithm>

namespace asg::fusion {
namespace {

// Products of all factors from each one on: the last is 1.
Sizes tails_of(const Sizes& factors) {
  Sizes tails(factors.size() + 1, 1);
  for (std::size_t k = factors.size(); k-- > 0;) tails[k] = tails[k + 1] * factors[k];
  return tails;
}

// Which side of a division each factor of a finer space lies on, as the coarser one has it.
std::vector<bool> carried_over(const Space& coarse, const Sizes& fine) {
  if (!coarse.is_divided()) return {};
  const Sizes tails = tails_of(coarse.factors);
  const Sizes fine_tails = tails_of(fine);
  std::vector<bool> row;
  std::size_t at = 0;
  for (std::size_t k = 0; k < fine.size(); ++k) {
    while (at + 1 < tails.size() && fine_tails[k] <= tails[at + 1]) ++at;
    row.push_back(coarse.row[at]);
  }
  return row;
}

}  // namespace

std::int64_t Space::count() const {
  std::int64_t product = 1;
  for (const std::int64_t factor : factors) product *= factor;
  return product;
}

Space space_of(const Sizes& sizes) {
  Space space;
  for (const std::int64_t length : sizes) {
    if (length != 1) space.factors.push_back(length);
  }
  return space;
}

Sizes factors_of(const Space& space, bool row) {
  Sizes result;
  for (std::size_t k = 0; k < space.factors.size(); ++k) {
    if (space.is_divided() && space.row[k] == row) result.push_back(space.factors[k]);
  }
  return result;
}

std::optional<Space> common_space(const Space& a, const Space& b) {
  if (a.count() != b.count() || a.count() == 0) return std::nullopt;
  if (a.factors == b.factors) {
    if (a.is_divided() && b.is_divided() && a.row != b.row) return std::nullopt;
    return a.is_divided() ? a : b;
  }
  Sizes tails = tails_of(a.factors);
  const Sizes others = tails_of(b.factors);
  tails.insert(tails.end(), others.begin(), others.end());
  std::sort(tails.begin(), tails.end(), std::greater<>());
  tails.erase(std::unique(tails.begin(), tails.end()), tails.end());
  Space space;
  for (std::size_t k = 0; k + 1 < tails.size(); ++k) {
    if (tails[k] % tails[k + 1] != 0) return std::nullopt;
    space.factors.push_back(tails[k] / tails[k + 1]);
  }
  const std::vector<bool> of_a = carried_over(a, space.factors);
  const std::vector<bool> of_b = carried_over(b, space.factors);
  if (!of_a.empty() && !of_b.empty() && of_a != of_b) return std::nullopt;
  space.row = of_a.empty() ? of_b : of_a;
  return space;
}

std::optional<std::vector<Extent>> extents_of(const Sizes& sizes, const Sizes& factors) {
  std::vector<Extent> extents;
  std::size_t at = 0;
  for (const std::int64_t length : sizes) {
    Extent extent{at, at};
    std::int64_t product = 1;
    while (product < length && at < factors.size()) product *= factors[at++];
    if (product != length) return std::nullopt;
    extent.last = at;
    extents.push_back(extent);
  }
  if (at != factors.size()) return std::nullopt;
  return extents;
}

}  // namespace asg::fusion
