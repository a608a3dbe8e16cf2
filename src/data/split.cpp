#include "asg/data/split.h"

#include <algorithm>
#include <cmath>

#include "asg/core/error.h"
#include "asg/core/random.h"
#include "shuffle.h"

namespace asg::data {

Split stratified_split(const Dataset& dataset, double held_out, std::uint64_t seed) {
  if (!(held_out >= 0 && held_out <= 1)) {
    fail(ErrorCode::bad_attribute, "a share of " + std::to_string(held_out) + " to hold out", "a number from 0 to 1");
  }
  const std::int64_t classes = dataset.classes();
  std::vector<std::vector<std::int64_t>> members(static_cast<std::size_t>(std::max<std::int64_t>(classes, 1)));
  const Array labels = classes > 0 ? dataset.column(kLabels) : Array();
  for (std::int64_t example = 0; example < dataset.count(); ++example) {
    members[static_cast<std::size_t>(classes > 0 ? labels.get_i64(example) : 0)].push_back(example);
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
  return {dataset.subset(std::move(kept)), dataset.subset(std::move(held))};
}

}  // namespace asg::data
