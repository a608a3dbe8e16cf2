#include "asg/data/sampler.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "asg/core/error.h"
#include "asg/core/random.h"
#include "shuffle.h"

namespace asg::data {

void shuffle(std::vector<std::int64_t>& items, const RandomStream& random) {
  for (std::size_t left = items.size(); left > 1; --left) {
    std::swap(items[left - 1], items[random.below(left, left)]);
  }
}

std::vector<std::int64_t> shuffled(std::int64_t count, std::uint64_t seed, std::uint64_t epoch) {
  std::vector<std::int64_t> result(static_cast<std::size_t>(count));
  std::iota(result.begin(), result.end(), std::int64_t{0});
  shuffle(result, RandomStream(seed, combine(0, "shuffle"), epoch));
  return result;
}

Sampler sequential_sampler(std::int64_t count) {
  return {.text = "in order", .examples = count, .order = [count](std::uint64_t /*epoch*/) {
            std::vector<std::int64_t> result(static_cast<std::size_t>(count));
            std::iota(result.begin(), result.end(), std::int64_t{0});
            return result;
          }};
}

Sampler random_sampler(std::int64_t count, std::uint64_t seed) {
  return {.text = "shuffled in each epoch", .examples = count, .order = [count, seed](std::uint64_t epoch) {
            return shuffled(count, seed, epoch);
          }};
}

Sampler weighted_sampler(const std::vector<double>& weights, std::int64_t draws, std::uint64_t seed) {
  if (draws < 1) fail(ErrorCode::bad_dim, std::to_string(draws) + " draws in an epoch", "at least 1");
  std::vector<double> ends;  // of the stretch of [0, total) that belongs to each example
  double total = 0;
  for (const double weight : weights) {
    if (!(weight >= 0) || !std::isfinite(weight)) {
      fail(ErrorCode::bad_attribute,
           "a weight of " + std::to_string(weight) + " for example " + std::to_string(ends.size()),
           "a finite number of at least 0");
    }
    ends.push_back(total += weight);
  }
  if (!(total > 0) || !std::isfinite(total)) {
    fail(ErrorCode::bad_attribute, "weights that sum to " + std::to_string(total), "a finite sum above 0");
  }
  return {.text = "weighted, " + std::to_string(draws) + " draws",
          .examples = draws,
          .order = [ends = std::move(ends), draws, seed](std::uint64_t epoch) {
            const RandomStream random(seed, combine(0, "weighted"), epoch);
            // Rounding may lead past the end, where examples without weight may stand.
            const auto last = std::lower_bound(ends.begin(), ends.end(), ends.back());
            std::vector<std::int64_t> result;
            result.reserve(static_cast<std::size_t>(draws));
            for (std::int64_t draw = 0; draw < draws; ++draw) {
              const double at = random.uniform(static_cast<std::uint64_t>(draw)) * ends.back();
              const auto found = std::upper_bound(ends.begin(), last, at);
              result.push_back(found - ends.begin());
            }
            return result;
          }};
}

std::vector<double> balancing_weights(const Dataset& dataset, std::string_view field) {
  const std::int64_t classes = dataset.field(field).classes;
  if (classes < 1) {
    fail(ErrorCode::missing_value, "the field " + dataset.field(field).to_string() + " of '" + dataset.name() + "'",
         "a field with classes");
  }
  const Array labels = dataset.column(field);
  if (labels.count() != dataset.count()) {
    fail(ErrorCode::bad_shape, "the field " + dataset.field(field).to_string() + " of '" + dataset.name() + "'",
         "one label an example, by which it is weighted");
  }
  std::vector<double> members(static_cast<std::size_t>(classes));
  for (std::int64_t k = 0; k < labels.count(); ++k) ++members[static_cast<std::size_t>(labels.get_i64(k))];
  std::vector<double> weights;
  weights.reserve(static_cast<std::size_t>(labels.count()));
  for (std::int64_t k = 0; k < labels.count(); ++k) {
    weights.push_back(1 / members[static_cast<std::size_t>(labels.get_i64(k))]);
  }
  return weights;
}

BatchSampler::BatchSampler(Sampler sampler, std::int64_t batch_size, bool drop_last)
    : sampler_(std::move(sampler)), batch_size_(batch_size), drop_last_(drop_last) {
  if (batch_size < 1) fail(ErrorCode::bad_dim, "batches of " + std::to_string(batch_size), "at least 1 example");
  if (sampler_.examples < 1) fail(ErrorCode::missing_value, "a data set without examples", "at least one example");
  if (drop_last && batch_size > sampler_.examples) {
    fail(ErrorCode::bad_dim,
         "batches of " + std::to_string(batch_size) + " of " + std::to_string(sampler_.examples) + " examples",
         "at least one whole batch, since short ones are left out", "take smaller batches, or set drop_last to false");
  }
}

std::int64_t BatchSampler::per_epoch() const {
  return sampler_.examples / batch_size_ + (!drop_last_ && sampler_.examples % batch_size_ != 0 ? 1 : 0);
}

std::vector<std::int64_t> BatchSampler::examples_of(std::int64_t step) const {
  if (step < 0) fail(ErrorCode::bad_index, "batch " + std::to_string(step), "a number of at least 0");
  const std::lock_guard lock(mutex_);
  if (epoch_ != epoch_of(step)) {
    order_ = sampler_.order(static_cast<std::uint64_t>(epoch_of(step)));
    epoch_ = epoch_of(step);
    if (static_cast<std::int64_t>(order_.size()) != sampler_.examples) {
      epoch_ = -1;
      fail(ErrorCode::bad_shape, "an order of " + std::to_string(order_.size()) + " examples",
           std::to_string(sampler_.examples) + ", as the sampler promises");
    }
  }
  const std::int64_t first = step % per_epoch() * batch_size_;
  const std::int64_t last = std::min(first + batch_size_, sampler_.examples);
  return {order_.begin() + first, order_.begin() + last};
}

}  // namespace asg::data
