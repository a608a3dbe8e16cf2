#include "asg/data/loader.h"

#include <atomic>
#include <cmath>
#include <map>
#include <set>
#include <stdexcept>
#include <thread>

#include <gtest/gtest.h>

#include "asg/core/error.h"
#include "numbered.h"

namespace asg::data {
namespace {

using test::numbered;
using test::numbers;

LoaderOptions with(std::int64_t batch_size, std::uint64_t seed, int workers) {
  return {.batch_size = batch_size, .seed = seed, .workers = workers};
}

// The numbers of several batches, one after the other.
std::vector<float> read(Loader& loader, std::int64_t batches) {
  std::vector<float> result;
  for (std::int64_t k = 0; k < batches; ++k) {
    const auto part = numbers(loader.next().arrays);
    result.insert(result.end(), part.begin(), part.end());
  }
  return result;
}

// Counts how often it is read, can be slow, and fails where it is told to.
class Troublesome : public Source {
 public:
  std::int64_t count() const override { return 64; }
  std::span<const Field> fields() const override { return fields_; }
  void read(std::size_t, std::span<const std::int64_t> examples, const Reading&, Array& into) const override {
    ++reads;
    std::this_thread::sleep_for(std::chrono::microseconds(examples.front() % 3 * 200));
    for (std::size_t row = 0; row < examples.size(); ++row) {
      if (examples[row] == bad_example) fail(ErrorCode::io_error, "example 13 is unreadable", "a better one");
      if (examples[row] == odd_example) throw std::runtime_error("not even an error of ours");
      into.set(static_cast<std::int64_t>(row), static_cast<double>(examples[row]));
    }
  }

  mutable std::atomic<int> reads = 0;
  std::atomic<std::int64_t> bad_example = -1;
  std::atomic<std::int64_t> odd_example = -1;

 private:
  std::vector<Field> fields_ = {{.name = "features"}};
};

TEST(Loader, CoversAnEpochOnceAndShufflesTheNext) {
  Loader loader(numbered(12), with(4, 3, 1));
  ASSERT_EQ(loader.per_epoch(), 3);
  const auto first = read(loader, 3);
  EXPECT_EQ(std::set<float>(first.begin(), first.end()).size(), 12U);
  const auto second = read(loader, 3);
  EXPECT_EQ(std::set<float>(second.begin(), second.end()).size(), 12U);
  EXPECT_NE(first, second);
  const Batch batch = loader.next();
  EXPECT_EQ(batch.step, 6);
  EXPECT_EQ(batch.epoch, 2);
  EXPECT_EQ(batch.count, 4);
  EXPECT_EQ(loader.position(), 7);
}

TEST(Loader, GivesTheSameBitsOnAnyNumberOfWorkers) {
  const Dataset noisy = numbered(37).mapped(noise(0.5)).mapped(noise(0.25));
  std::vector<float> expected;
  for (const int workers : {0, 1, 2, 5}) {
    Loader loader(noisy, with(4, 9, workers));
    const auto found = read(loader, 40);
    if (workers == 0) expected = found;
    EXPECT_EQ(found, expected) << workers << " workers";
  }
  for (const int threads : {1, 2, 7}) {
    Loader loader(noisy, {.batch_size = 4, .seed = 9, .threads = threads});
    EXPECT_EQ(read(loader, 40), expected) << threads << " threads that make a batch together";
  }
}

TEST(Loader, DrawsRandomTransformsAnewInEachEpoch) {
  Loader loader(numbered(6).mapped(noise(0.5)), {.batch_size = 6, .seed = 9, .shuffle = false});
  const auto first = read(loader, 1);
  const auto second = read(loader, 1);
  ASSERT_EQ(first.size(), second.size());
  for (std::size_t k = 0; k < first.size(); ++k) EXPECT_NE(first[k], second[k]) << "example " << k;
}

TEST(Loader, GoesOnInTheMiddleOfAnEpochBitForBit) {
  const Dataset noisy = numbered(37).mapped(noise(0.5));
  Loader whole(noisy, with(4, 9, 2));
  const auto expected = read(whole, 40);
  Loader first(noisy, with(4, 9, 2));
  auto found = read(first, 13);
  Loader resumed(noisy, with(4, 9, 3));
  const auto part = numbers(resumed.at(13).arrays);
  found.insert(found.end(), part.begin(), part.end());
  const auto rest = read(resumed, 26);
  found.insert(found.end(), rest.begin(), rest.end());
  EXPECT_EQ(found, expected);
}

TEST(Loader, JumpsBackAndForth) {
  Loader loader(numbered(20), with(5, 1, 2));
  std::map<std::int64_t, std::vector<float>> seen;
  for (const std::int64_t step : {0, 1, 7, 2, 3, 0, 7, 100, 1}) {
    const Batch batch = loader.at(step);
    EXPECT_EQ(batch.step, step);
    const auto found = numbers(batch.arrays);
    if (seen.contains(step)) {
      EXPECT_EQ(found, seen[step]) << step;
    }
    seen[step] = found;
  }
}

TEST(Loader, BatchesBelongToTheirReader) {
  Loader loader(numbered(32), with(4, 1, 2));
  std::vector<Batch> kept;
  for (int k = 0; k < 16; ++k) kept.push_back(loader.next());
  Loader again(numbered(32), with(4, 1, 0));
  for (const Batch& batch : kept) EXPECT_EQ(numbers(batch.arrays), numbers(again.next().arrays));
}

TEST(Loader, LeavesOutAShortLastBatchOrNot) {
  EXPECT_EQ(Loader(numbered(10), with(4, 1, 0)).per_epoch(), 2);
  Loader all(numbered(10), {.batch_size = 4, .drop_last = false, .workers = 1});
  EXPECT_EQ(all.per_epoch(), 3);
  const auto epoch = read(all, 3);
  EXPECT_EQ(std::set<float>(epoch.begin(), epoch.end()).size(), 10U);
  EXPECT_EQ(all.at(2).count, 2);
  Loader small(numbered(3), {.batch_size = 4, .drop_last = false});
  EXPECT_EQ(small.next().count, 3);
}

TEST(Loader, ErrorsOfWorkersReachTheReader) {
  for (const int workers : {0, 1, 3}) {
    const auto source = std::make_shared<Troublesome>();
    Loader loader(Dataset("trouble", source), {.batch_size = 4, .shuffle = false, .workers = workers});
    source->bad_example = 13;
    EXPECT_EQ(read(loader, 3).size(), 12U);
    for (int attempt = 0; attempt < 2; ++attempt) {
      try {
        loader.next();
        FAIL() << "no error";
      } catch (const UserError& error) {
        EXPECT_EQ(error.detail().given, "example 13 is unreadable");
        EXPECT_EQ(error.detail().where, "batch 3 of 'trouble'");
      }
    }
    source->bad_example = -1;
    source->odd_example = 20;
    EXPECT_EQ(numbers(loader.next().arrays), (std::vector<float>{12, 13, 14, 15}));
    EXPECT_EQ(loader.next().step, 4);
    EXPECT_THROW(loader.next(), std::runtime_error);
    EXPECT_EQ(loader.at(0).step, 0);
  }
}

TEST(Loader, WorksAheadWithinItsBounds) {
  const auto source = std::make_shared<Troublesome>();
  Loader loader(Dataset("counted", source), {.batch_size = 4, .workers = 2, .prefetch = 3});
  loader.next();
  for (int wait = 0; wait < 1000 && source->reads < 7; ++wait) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  EXPECT_EQ(source->reads, 7);  // the one that was taken and six ahead
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(source->reads, 7);
}

TEST(Loader, EndsAtAnyMoment) {
  for (int taken = 0; taken < 30; ++taken) {
    const auto source = std::make_shared<Troublesome>();
    if (taken % 3 == 0) source->bad_example = taken;
    Loader loader(Dataset("ended", source), {.batch_size = 2, .shuffle = false, .workers = 3, .prefetch = 2});
    try {
      for (int k = 0; k < taken; ++k) loader.next();
    } catch (const UserError& error) {
      EXPECT_EQ(error.code(), ErrorCode::io_error);
    }
  }
}

TEST(Loader, RefusesWhatCannotBe) {
  const auto given = [](const Dataset& data, LoaderOptions options) -> std::string {
    try {
      const Loader loader(data, std::move(options));
    } catch (const UserError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_NE(given(numbered(0), {}).find("missing_value: a data set without examples"), std::string::npos);
  EXPECT_NE(given(numbered(3), {.batch_size = 4}).find("batches of 4 of 3 examples"), std::string::npos);
  EXPECT_NE(given(numbered(3), {.batch_size = 4}).find("smaller batches, or set drop_last"), std::string::npos);
  EXPECT_NE(given(numbered(3), {.batch_size = 0}).find("batches of 0"), std::string::npos);
  EXPECT_NE(given(numbered(3), {.batch_size = 1, .workers = -1}).find("-1 workers"), std::string::npos);
  EXPECT_NE(given(numbered(3), {.batch_size = 1, .workers = 1, .prefetch = 0}).find("0 batches each"),
            std::string::npos);
  Loader loader(numbered(3), {.batch_size = 1});
  EXPECT_THROW(loader.at(-1), UserError);
}

TEST(Sampler, WeightsDecideHowOftenExamplesCome) {
  const Sampler sampler = weighted_sampler({1, 0, 3, 0}, 40000, 5);
  std::map<std::int64_t, int> counts;
  for (const std::int64_t example : sampler.order(0)) ++counts[example];
  EXPECT_EQ(counts.size(), 2U);
  EXPECT_NEAR(counts[2], 30000, 400);
  EXPECT_EQ(sampler.order(3), sampler.order(3));
  EXPECT_NE(sampler.order(3), sampler.order(4));
  EXPECT_THROW(weighted_sampler({1, -1}, 3, 1), UserError);
  EXPECT_THROW(weighted_sampler({0, 0}, 3, 1), UserError);
  EXPECT_THROW(weighted_sampler({1, NAN}, 3, 1), UserError);
  EXPECT_THROW(weighted_sampler({1}, 0, 1), UserError);
}

TEST(Sampler, BalancesClasses) {
  const Dataset data = make_dataset("uneven", Array(DType::f32, {4, 1}), Array::ints({0, 0, 0, 1}), 2);
  EXPECT_EQ(balancing_weights(data), (std::vector<double>{1.0 / 3, 1.0 / 3, 1.0 / 3, 1}));
  EXPECT_THROW(balancing_weights(data, "features"), UserError);
  Loader loader(data, {.batch_size = 2, .workers = 1, .sampler = weighted_sampler(balancing_weights(data), 10, 1)});
  EXPECT_EQ(loader.per_epoch(), 5);
  EXPECT_EQ(loader.next().count, 2);
}

TEST(Sampler, AWrongOneIsFoundOut) {
  const Sampler beyond{
      .text = "beyond", .examples = 2, .order = [](std::uint64_t) { return std::vector<std::int64_t>{0, 7}; }};
  const Sampler fewer{
      .text = "fewer", .examples = 2, .order = [](std::uint64_t) { return std::vector<std::int64_t>{0}; }};
  for (const Sampler& each : {beyond, fewer}) {
    for (const int workers : {0, 1}) {
      Loader loader(numbered(3), {.batch_size = 2, .workers = workers, .sampler = each});
      EXPECT_THROW(loader.next(), UserError) << each.text;
    }
  }
}

}  // namespace
}  // namespace asg::data
