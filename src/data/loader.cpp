#include "asg/data/loader.h"

#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "asg/core/error.h"
#include "asg/core/random.h"
#include "asg/core/thread_pool.h"

namespace asg::data {
namespace {

Sampler sampler_of(const Dataset& dataset, LoaderOptions& options) {
  if (options.sampler) return std::move(*options.sampler);
  return options.shuffle ? random_sampler(dataset.count(), options.seed) : sequential_sampler(dataset.count());
}

// A batch or the reason why there is none.
struct Outcome {
  Batch batch = {};
  std::exception_ptr error = nullptr;
};

}  // namespace

// The workers and what they share. Steps are claimed in order, made in any order and delivered in order. A jump begins
// a new round: what was claimed in an older one is thrown away when it is done.
class Loader::Crew {
 public:
  Crew(Dataset dataset, LoaderOptions options)
      : dataset_(std::move(dataset)),
        batches_(sampler_of(dataset_, options), options.batch_size, options.drop_last),
        chance_{options.seed, 0, combine(0, "examples")},
        workers_(options.workers),
        pool_(options.workers == 0 ? ThreadPool::shared(options.threads) : nullptr),
        ahead_(std::int64_t{options.workers} * options.prefetch) {
    if (options.workers < 0 || (options.workers > 0 && options.prefetch < 1)) {
      fail(ErrorCode::bad_dim,
           std::to_string(options.workers) + " workers with " + std::to_string(options.prefetch) + " batches each",
           "at least 0 workers, and at least 1 batch for each");
    }
  }

  ~Crew() {
    {
      const std::lock_guard lock(mutex_);
      stop_ = true;
    }
    work_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  const Dataset& dataset() const { return dataset_; }
  std::int64_t per_epoch() const { return batches_.per_epoch(); }
  std::int64_t position() const { return position_; }

  Batch at(std::int64_t step) {
    if (step < 0) fail(ErrorCode::bad_index, "batch " + std::to_string(step), "a number of at least 0");
    if (!started_) start(step);
    Outcome outcome;
    if (threads_.empty()) {
      position_ = step;
      outcome = make(step, batches_.examples_of(step));
      if (!outcome.error) ++position_;
    } else {
      outcome = deliver(step);
    }
    if (outcome.error) std::rethrow_exception(outcome.error);
    return std::move(outcome.batch);
  }

 private:
  // Threads begin with the first batch that is asked for, so that a training that goes on makes none in vain. Where the
  // system gives no thread, batches are made by the caller.
  void start(std::int64_t step) {
    started_ = true;
    jump(step);
    try {
      for (int k = 0; k < workers_; ++k) threads_.emplace_back([this] { work(); });
    } catch (const std::system_error&) {
    }
  }

  Outcome make(std::int64_t step, const std::vector<std::int64_t>& examples) const {
    Outcome outcome;
    try {
      Chance chance = chance_;
      chance.epoch = static_cast<std::uint64_t>(batches_.epoch_of(step));
      outcome.batch = {.step = step,
                       .epoch = batches_.epoch_of(step),
                       .count = static_cast<std::int64_t>(examples.size()),
                       .arrays = dataset_.take(examples, {chance, buffers_}, pool_.get())};
    } catch (const UserError& error) {
      outcome.error =
          std::make_exception_ptr(error.with_where("batch " + std::to_string(step) + " of '" + dataset_.name() + "'"));
    } catch (...) {
      outcome.error = std::current_exception();
    }
    return outcome;
  }

  void jump(std::int64_t step) {
    ++round_;
    made_.clear();
    position_ = claimed_ = step;
  }

  Outcome deliver(std::int64_t step) {
    std::unique_lock lock(mutex_);
    if (step != position_) jump(step);
    hold_ = false;
    work_.notify_all();
    ready_.wait(lock, [&] { return made_.contains(step); });
    Outcome outcome = std::move(made_.extract(step).mapped());
    if (outcome.error) {
      jump(step);
      hold_ = true;
    } else {
      position_ = step + 1;
    }
    lock.unlock();
    work_.notify_one();
    return outcome;
  }

  void work() {
    std::unique_lock lock(mutex_);
    for (;;) {
      work_.wait(lock, [&] { return stop_ || (!hold_ && claimed_ < position_ + ahead_); });
      if (stop_) return;
      const std::int64_t step = claimed_++;
      const std::uint64_t round = round_;
      Outcome outcome;
      try {
        const std::vector<std::int64_t> examples = batches_.examples_of(step);
        lock.unlock();
        outcome = make(step, examples);
        lock.lock();
      } catch (...) {  // of a sampler of the user, or memory
        outcome.error = std::current_exception();
        if (!lock.owns_lock()) lock.lock();
      }
      if (round != round_) continue;
      made_.emplace(step, std::move(outcome));
      ready_.notify_one();
    }
  }

  const Dataset dataset_;
  const BatchSampler batches_;
  const Chance chance_;
  const Buffers buffers_;
  const int workers_;
  const std::shared_ptr<ThreadPool> pool_;  // of which all threads make a batch, where no worker does; or null
  const std::int64_t ahead_;
  bool started_ = false;
  std::vector<std::thread> threads_;

  std::mutex mutex_;
  std::condition_variable work_;   // there may be a step to claim
  std::condition_variable ready_;  // a batch was made
  bool stop_ = false;
  bool hold_ = false;  // after an error nothing is made until it is asked for again
  std::uint64_t round_ = 0;
  std::int64_t position_ = 0;  // the next step to deliver; changed by the caller's thread only
  std::int64_t claimed_ = 0;   // the next step to make
  std::map<std::int64_t, Outcome> made_;
};

Loader::Loader(Dataset dataset, LoaderOptions options)
    : crew_(std::make_unique<Crew>(std::move(dataset), std::move(options))) {}
Loader::~Loader() = default;

const Dataset& Loader::dataset() const { return crew_->dataset(); }
std::int64_t Loader::per_epoch() const { return crew_->per_epoch(); }
std::int64_t Loader::position() const { return crew_->position(); }
Batch Loader::next() { return crew_->at(crew_->position()); }
Batch Loader::at(std::int64_t step) { return crew_->at(step); }

}  // namespace asg::data
