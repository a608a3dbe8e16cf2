#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "asg/core/array.h"

namespace asg::data {

// Examples in memory: element n of the first axis of both arrays is example n.
struct Dataset {
  std::string name;
  Array features;            // f32 [examples, …]
  Array labels;              // i64 [examples], from 0 to classes − 1
  std::int64_t classes = 0;  // 0: the labels are no classes

  std::int64_t count() const { return features.rank() == 0 ? 0 : features.sizes().front(); }
};

// Throws bad_shape where features and labels differ in number, bad_index where a label is no class.
Dataset make_dataset(std::string name, Array features, Array labels, std::int64_t classes);

// The given examples in the given order. Throws bad_index.
Dataset take(const Dataset& dataset, std::span<const std::int64_t> examples);

// Points around `classes` centres, drawn by a seed: a task that takes no file and is learnt at once.
Dataset synthetic(std::int64_t examples, Sizes example_sizes, std::int64_t classes, std::uint64_t seed);

// The examples in batches, shuffled anew in each epoch: a pure function of (seed, epoch), so that a training that
// goes on after a pause sees what it would have seen without. The last batch of an epoch is left out when it is short,
// unless there is no other.
class Batches {
 public:
  // Throws bad_dim on a batch size below 1, missing_value on a dataset without examples.
  Batches(Dataset dataset, std::int64_t batch_size, std::uint64_t seed);

  const Dataset& dataset() const { return dataset_; }
  std::int64_t per_epoch() const;
  // Batch number `step`, counted over all epochs.
  Dataset at(std::int64_t step) const;

 private:
  Dataset dataset_;
  std::int64_t batch_size_;
  std::uint64_t seed_;
};

}  // namespace asg::data
