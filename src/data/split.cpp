#include "asg/data/split.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "asg/core/random.h"

namespace asg::data {
namespace {

// Fisher and Yates: the last place gets one of all, the one before it one of the rest, and so on.
void shuffle(std::vector<std::int64_t>& items, const RandomStream& random) {
  for (std::size_t left = items.size(); left > 1; --left) {
    std::swap(items[left - 1], items[random.below(left, left)]);
  }
}

}  // namespace

std::vector<std::int64_t> shuffled(std::int64_t count, std::uint64_t seed, std::uint64_t epoch) {
  std::vector<std::int64_t> result(static_cast<std::size_t>(count));
  std::iota(result.begin(), result.end(), std::int64_t{0});
  shuffle(result, RandomStream(seed, combine(0, "shuffle"), epoch));
  return result;
}

Split stratified_split(const Dataset& dataset, double held_out, std::uint64_t seed) {
  if (!(held_out >= 0 && held_out <= 1)) {
    fail(ErrorCode::bad_attribute, "a share of " + std::to_string(held_out) + " to hold out", "a number from 0 to 1");
  }
  const std::int64_t classes = std::max<std::int64_t>(dataset.classes, 1);
  std::vector<std::vector<std::int64_t>> members(static_cast<std::size_t>(classes));
  for (std::int64_t example = 0; example < dataset.count(); ++example) {
    const std::int64_t label = dataset.classes > 0 ? dataset.labels.get_i64(example) : 0;
    members[static_cast<std::size_t>(label)].push_back(example);
  }
  std::vector<std::int64_t> kept;
  std::vector<std::int64_t> held;
  for (std::size_t label = 0; label < members.size(); ++label) {
    auto& examples = members[label];
    shuffle(examples, RandomStream(seed, combine(0, "split"), label));
    const auto share = static_cast<std::ptrdiff_t>(std::llround(held_out * static_cast<double>(examples.size())));
    held.insert(held.end(), examples.begin(), examples.begin() + share);
    kept.insert(kept.end(), examples.begin() + share, examples.end());
  }
  std::sort(kept.begin(), kept.end());
  std::sort(held.begin(), held.end());
  return {take(dataset, kept), take(dataset, held)};
}

}  // namespace asg::data
