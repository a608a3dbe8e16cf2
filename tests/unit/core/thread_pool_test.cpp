#include "asg/core/thread_pool.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "asg/core/error.h"
#include "asg/core/log.h"
#include "asg/core/platform.h"

namespace asg {
namespace {

using Ranges = std::vector<std::pair<std::int64_t, std::int64_t>>;

Ranges ranges_of(ThreadPool& pool, std::int64_t count, std::int64_t grain) {
  std::mutex mutex;
  Ranges ranges;
  pool.for_ranges(count, grain, [&](std::int64_t first, std::int64_t last) {
    const std::lock_guard lock(mutex);
    ranges.emplace_back(first, last);
  });
  std::sort(ranges.begin(), ranges.end());
  return ranges;
}

TEST(ThreadPool, SplitDependsOnCountAndGrainOnly) {
  constexpr std::int64_t kHuge = std::int64_t{1} << 62;
  struct Row {
    std::int64_t count, grain;
    Ranges expected;
  };
  const Row rows[] = {
      {0, 1, {}},
      {-5, 1, {}},
      {1, 1, {{0, 1}}},
      {10, 100, {{0, 10}}},
      {10, 10, {{0, 10}}},
      {11, 10, {{0, 10}, {10, 11}}},
      {7, 3, {{0, 3}, {3, 6}, {6, 7}}},
      {4, 1, {{0, 1}, {1, 2}, {2, 3}, {3, 4}}},
      {kHuge, kHuge - 1, {{0, kHuge - 1}, {kHuge - 1, kHuge}}},
      {INT64_MAX, INT64_MAX, {{0, INT64_MAX}}},
      {INT64_MAX, kHuge, {{0, kHuge}, {kHuge, INT64_MAX}}},
  };
  for (const int threads : {1, 2, 3, 8}) {
    ThreadPool pool(threads);
    for (const Row& row : rows) EXPECT_EQ(ranges_of(pool, row.count, row.grain), row.expected) << row.count;
  }
}

TEST(ThreadPool, CountOfThreads) {
  struct Row {
    int asked, given;
  };
  for (const Row& row : {Row{-3, 1}, Row{0, 1}, Row{1, 1}, Row{2, 2}, Row{5, 5}}) {
    EXPECT_EQ(ThreadPool(row.asked).threads(), row.given);
  }
}

TEST(ThreadPool, MoreThreadsThanAreSaneAreFewerAndSaidSo) {
  std::string said;
  set_log_sink([&](LogLevel level, std::string_view message) {
    said += std::string(message);
    EXPECT_EQ(level, LogLevel::warning);
  });
  const int most = std::max(64, 4 * platform::hardware_threads());
  EXPECT_LE(ThreadPool(20'000).threads(), most);  // fewer where the system gives no more
  EXPECT_EQ(said, "20000 threads are too many for this machine: using " + std::to_string(most));
  EXPECT_EQ(ThreadPool::shared(20'000), ThreadPool::shared(1 << 30));
  set_log_sink(nullptr);
}

TEST(ThreadPool, OneThreadRunsInOrderInTheCaller) {
  ThreadPool pool(1);
  const auto caller = std::this_thread::get_id();
  std::int64_t expected = 0;
  pool.for_ranges(100, 7, [&](std::int64_t first, std::int64_t last) {
    EXPECT_EQ(std::this_thread::get_id(), caller);
    EXPECT_EQ(first, expected);
    expected = last;
  });
  EXPECT_EQ(expected, 100);
}

TEST(ThreadPool, SumsAreTheSameBitsOnAnyNumberOfThreads) {
  const auto sum_with = [](int threads) {
    ThreadPool pool(threads);
    constexpr std::int64_t kCount = 100000, kGrain = 1000;
    std::vector<float> parts(kCount / kGrain);
    pool.for_ranges(kCount, kGrain, [&](std::int64_t first, std::int64_t last) {
      float sum = 0;
      for (std::int64_t k = first; k < last; ++k) sum += 1.0f / static_cast<float>(k + 1);
      parts[static_cast<std::size_t>(first / kGrain)] = sum;
    });
    float total = 0;
    for (const float part : parts) total += part;
    return total;
  };
  const float expected = sum_with(1);
  for (const int threads : {2, 3, 7}) EXPECT_EQ(sum_with(threads), expected);
}

TEST(ThreadPool, WorkersTakePart) {
  ThreadPool pool(3);
  // Each range waits until all three are under way, which no single thread could bring about.
  std::atomic<int> arrived{0};
  std::mutex mutex;
  std::set<std::thread::id> threads;
  pool.for_ranges(3, 1, [&](std::int64_t, std::int64_t) {
    {
      const std::lock_guard lock(mutex);
      threads.insert(std::this_thread::get_id());
    }
    ++arrived;
    while (arrived.load() < 3) std::this_thread::yield();
  });
  EXPECT_EQ(threads.size(), 3u);
}

TEST(ThreadPool, LowestFailingRangeIsReported) {
  for (const int threads : {1, 2, 4}) {
    ThreadPool pool(threads);
    for (int round = 0; round < 200; ++round) {
      std::atomic<int> ran{0};
      try {
        pool.for_ranges(64, 1, [&](std::int64_t first, std::int64_t) {
          ++ran;
          if (first >= 20 && first % 4 == 0) throw std::runtime_error(std::to_string(first));
        });
        FAIL() << "no error";
      } catch (const std::runtime_error& error) {
        EXPECT_STREQ(error.what(), "20");
      }
      EXPECT_GE(ran.load(), 21);  // all before it, and itself
      // The pool is as good as new.
      EXPECT_EQ(ranges_of(pool, 5, 2), (Ranges{{0, 2}, {2, 4}, {4, 5}}));
    }
  }
}

TEST(ThreadPool, UserErrorsKeepTheirFields) {
  ThreadPool pool(2);
  try {
    pool.for_ranges(8, 1, [](std::int64_t, std::int64_t) { fail(ErrorCode::bad_index, "given", "needed", "mend"); });
    FAIL() << "no error";
  } catch (const UserError& error) {
    EXPECT_EQ(error.code(), ErrorCode::bad_index);
    EXPECT_EQ(error.detail().given, "given");
  }
}

TEST(ThreadPool, NestedCallsRunInline) {
  ThreadPool pool(4);
  ThreadPool other(2);
  std::atomic<std::int64_t> total{0};
  pool.for_ranges(16, 1, [&](std::int64_t, std::int64_t) {
    const auto outer_thread = std::this_thread::get_id();
    for (ThreadPool* inner : {&pool, &other}) {
      inner->for_ranges(10, 3, [&](std::int64_t first, std::int64_t last) {
        EXPECT_EQ(std::this_thread::get_id(), outer_thread);
        total += last - first;
      });
    }
  });
  EXPECT_EQ(total.load(), 16 * 2 * 10);
}

// An outer call of one range leaves the other threads free, so the inner one may have them.
TEST(ThreadPool, NestedCallsInASingleRangeAreSplit) {
  ThreadPool pool(2);
  std::atomic<int> arrived{0};
  pool.for_ranges(5, 5, [&](std::int64_t, std::int64_t) {
    pool.for_ranges(2, 1, [&](std::int64_t, std::int64_t) {
      ++arrived;
      while (arrived.load() < 2) std::this_thread::yield();
    });
  });
  EXPECT_EQ(arrived.load(), 2);
}

TEST(ThreadPool, NestedErrorsComeThrough) {
  ThreadPool pool(2);
  EXPECT_THROW(pool.for_ranges(4, 1,
                               [&](std::int64_t, std::int64_t) {
                                 pool.for_ranges(4, 1, [](std::int64_t, std::int64_t) { throw std::logic_error("x"); });
                               }),
               std::logic_error);
  EXPECT_EQ(ranges_of(pool, 2, 1), (Ranges{{0, 1}, {1, 2}}));
}

TEST(ThreadPool, SeveralCallers) {
  ThreadPool pool(3);
  std::vector<std::thread> callers;
  std::atomic<int> wrong{0};
  for (int caller = 0; caller < 4; ++caller) {
    callers.emplace_back([&pool, &wrong, caller] {
      for (int round = 0; round < 200; ++round) {
        std::vector<int> touched(100 + static_cast<std::size_t>(caller), 0);
        pool.for_ranges(static_cast<std::int64_t>(touched.size()), 1 + round % 9,
                        [&](std::int64_t first, std::int64_t last) {
                          for (std::int64_t k = first; k < last; ++k) ++touched[static_cast<std::size_t>(k)];
                        });
        if (std::count(touched.begin(), touched.end(), 1) != static_cast<std::ptrdiff_t>(touched.size())) ++wrong;
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(wrong.load(), 0);
}

TEST(ThreadPool, ManyShortCalls) {
  ThreadPool pool(4);
  std::int64_t total = 0;
  for (int round = 0; round < 5000; ++round) {
    std::vector<std::int64_t> parts(4);
    pool.for_ranges(4, 1, [&](std::int64_t first, std::int64_t) { parts[static_cast<std::size_t>(first)] = first; });
    for (const std::int64_t part : parts) total += part;
  }
  EXPECT_EQ(total, 5000 * 6);
}

TEST(ThreadPool, StartsAndStopsCleanly) {
  for (int round = 0; round < 50; ++round) {
    ThreadPool unused(4);
    ThreadPool used(3);
    std::atomic<int> ran{0};
    used.for_ranges(6, 1, [&](std::int64_t, std::int64_t) { ++ran; });
    EXPECT_EQ(ran.load(), 6);
  }
}

TEST(ThreadPool, GrainBelow1IsOurMistake) {
  ThreadPool pool(2);
  EXPECT_THROW(pool.for_ranges(4, 0, [](std::int64_t, std::int64_t) {}), InternalError);
}

}  // namespace
TEST(ThreadPool, IsSharedByAllWhoAskForTheSameNumberOfThreads) {
  const auto pool = ThreadPool::shared(3);
  EXPECT_EQ(pool->threads(), 3);
  EXPECT_EQ(ThreadPool::shared(3), pool);
  EXPECT_NE(ThreadPool::shared(2), pool);
  EXPECT_EQ(ThreadPool::shared()->threads(), platform::hardware_threads());
}

}  // namespace asg
