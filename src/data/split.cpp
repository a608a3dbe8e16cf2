#include "asg/data/split.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "asg/core/error.h"
#include "asg/core/random.h"
#include "shuffle.h"

namespace asg::data {
namespace {

// How many examples of each class are held out. Each gives the whole part of its share, and those with the largest
// remainders one more until the total is right: of many small classes some give one, where rounding each by itself
// would take none of all.
std::vector<std::int64_t> shares_of(const std::vector<std::vector<std::int64_t>>& members, double held_out,
                                    std::int64_t examples, std::uint64_t seed) {
  std::vector<std::int64_t> shares;
  std::vector<double> remainders;
  std::int64_t left = std::llround(held_out * static_cast<double>(examples));
  for (const auto& each : members) {
    const double share = held_out * static_cast<double>(each.size());
    shares.push_back(static_cast<std::int64_t>(share));
    remainders.push_back(share - std::floor(share));
    left -= shares.back();
  }
  // Chance decides among equal ones, so that it is not always the first classes that give.
  std::vector<std::int64_t> order(members.size());
  std::iota(order.begin(), order.end(), std::int64_t{0});
  std::vector<std::int64_t> lots = order;
  shuffle(lots, RandomStream(seed, combine(0, "split remainders"), 0));
  std::sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
    const auto rank = [&](std::int64_t label) {
      return std::pair(-remainders[static_cast<std::size_t>(label)], lots[static_cast<std::size_t>(label)]);
    };
    return rank(a) < rank(b);
  });
  for (const std::int64_t each : order) {
    const auto label = static_cast<std::size_t>(each);
    if (left <= 0) break;
    if (shares[label] == static_cast<std::int64_t>(members[label].size())) continue;
    ++shares[label];
    --left;
  }
  return shares;
}

}  // namespace

Split stratified_split(const Dataset& dataset, double held_out, std::uint64_t seed) {
  if (!(held_out >= 0 && held_out <= 1)) {
    fail(ErrorCode::bad_attribute, "a share of " + std::to_string(held_out) + " to hold out", "a number from 0 to 1");
  }
  const std::int64_t classes = dataset.classes();
  std::vector<std::vector<std::int64_t>> members(static_cast<std::size_t>(std::max<std::int64_t>(classes, 1)));
  const Array labels = classes > 0 ? dataset.column(kLabels) : Array();
  if (classes > 0 && labels.count() != dataset.count()) {
    fail(ErrorCode::bad_shape, "the field " + dataset.field(kLabels).to_string() + " of '" + dataset.name() + "'",
         "one label an example, since the share is taken of each class",
         "hold the end of a text out: cut its tokens in two, and make windows of each part");
  }
  for (std::int64_t example = 0; example < dataset.count(); ++example) {
    members[static_cast<std::size_t>(classes > 0 ? labels.get_i64(example) : 0)].push_back(example);
  }
  const std::vector<std::int64_t> shares = shares_of(members, held_out, dataset.count(), seed);
  std::vector<std::int64_t> kept;
  std::vector<std::int64_t> held;
  for (std::size_t label = 0; label < members.size(); ++label) {
    auto& examples = members[label];
    shuffle(examples, RandomStream(seed, combine(0, "split"), label));
    held.insert(held.end(), examples.begin(), examples.begin() + shares[label]);
    kept.insert(kept.end(), examples.begin() + shares[label], examples.end());
  }
  std::sort(kept.begin(), kept.end());
  std::sort(held.begin(), held.end());
  return {dataset.subset(std::move(kept)), dataset.subset(std::move(held))};
}

}  // namespace asg::data
