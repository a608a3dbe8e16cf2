#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "asg/data/dataset.h"
#include "asg/data/sampler.h"

namespace asg::data {

struct LoaderOptions {
  std::int64_t batch_size = 32;
  std::uint64_t seed = 1;  // of the order and of random transforms
  bool shuffle = true;     // anew in each epoch
  bool drop_last = true;   // leave out a last batch that is short, so that all have one size
  // Threads that make batches ahead: for what is slow to read, and where a training leaves processors idle. With 0 a
  // batch is made when it is asked for, by all threads that the engine computes with.
  int workers = 0;
  int prefetch = 2;                               // batches for each worker that are ready or under way, at most
  int threads = 0;                                // of the engine; 0: as many as the processor has
  std::optional<Sampler> sampler = std::nullopt;  // instead of shuffle
};

struct Batch {
  std::int64_t step = 0;   // its number, counted over all epochs
  std::int64_t epoch = 0;  // counted from 0
  std::int64_t count = 0;  // of examples
  NamedArrays arrays = {};
};

// Makes batches of a data set, at once or by threads that work ahead. What is in batch n is a function of the data set,
// the options (but for workers, prefetch and threads) and n alone: a training that goes on at step n sees what it would
// have seen without a pause. One thread at a time may call it. It may be destroyed at any moment.
class Loader {
 public:
  // Throws missing_value on a data set without examples, bad_dim on a batch larger than the data set where short ones
  // are left out, and on sizes below 1.
  explicit Loader(Dataset dataset, LoaderOptions options = {});
  ~Loader();
  Loader(const Loader&) = delete;
  Loader& operator=(const Loader&) = delete;

  const Dataset& dataset() const;
  std::int64_t per_epoch() const;  // batches
  std::int64_t position() const;   // the step that `next` gives

  // Batch number `position()`, and then the position is one more. A batch is the caller's for as long as it likes. What
  // the making of a batch throws is thrown here, and the position stays: the next call tries again.
  Batch next();
  // Batch number `step`; the position is then step + 1. A jump throws away what was made ahead.
  Batch at(std::int64_t step);

 private:
  class Crew;
  std::unique_ptr<Crew> crew_;
};

}  // namespace asg::data
