#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "asg/data/dataset.h"

namespace asg::data {

// The numbers 0 … count − 1 in an order that only (seed, epoch) decide.
std::vector<std::int64_t> shuffled(std::int64_t count, std::uint64_t seed, std::uint64_t epoch = 0);

// Which examples an epoch visits, in which order: a pure function of the number of the epoch.
struct Sampler {
  std::string text = {};      // for people: "weighted, 1000 draws"
  std::int64_t examples = 0;  // of an epoch
  std::function<std::vector<std::int64_t>(std::uint64_t epoch)> order = {};
};

Sampler sequential_sampler(std::int64_t count);
Sampler random_sampler(std::int64_t count, std::uint64_t seed);
// Draws with replacement: an example as often as its weight says. Throws bad_attribute where a weight is negative or
// not finite, or all are 0; bad_dim where nothing is drawn.
Sampler weighted_sampler(const std::vector<double>& weights, std::int64_t draws, std::uint64_t seed);
// Weights by which all classes are drawn equally often. Throws missing_value where the field has no classes, bad_shape
// where examples have several labels each.
std::vector<double> balancing_weights(const Dataset& dataset, std::string_view field = kLabels);

// The examples of a sampler in batches, counted over all epochs. Thread-safe.
class BatchSampler {
 public:
  // `drop_last` leaves out a last batch of an epoch that is short. Throws missing_value on a sampler without examples,
  // bad_dim on a batch size below 1, and on one that leaves no batch at all.
  BatchSampler(Sampler sampler, std::int64_t batch_size, bool drop_last);

  std::int64_t per_epoch() const;
  std::int64_t epoch_of(std::int64_t step) const { return step / per_epoch(); }
  std::vector<std::int64_t> examples_of(std::int64_t step) const;  // throws bad_index below 0

 private:
  Sampler sampler_;
  std::int64_t batch_size_;
  bool drop_last_;
  // The order of the epoch that was asked for last, since making it takes longer than a batch.
  mutable std::mutex mutex_;
  mutable std::int64_t epoch_ = -1;
  mutable std::vector<std::int64_t> order_;
};

}  // namespace asg::data
