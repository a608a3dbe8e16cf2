#include "ops/support/indexing.h"

#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace asg::ops {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();

// The positions that a slice takes, by the definition: walk from the start until the end is passed.
std::vector<std::int64_t> walked(std::int64_t start, std::int64_t end, std::int64_t step, std::int64_t size) {
  const auto place = [&](std::int64_t position) {
    if (position < 0) position += size;
    if (position < 0) return step > 0 ? std::int64_t{0} : std::int64_t{-1};
    if (position >= size) return step > 0 ? size : size - 1;
    return position;
  };
  std::vector<std::int64_t> positions;
  const std::int64_t past = place(end);
  for (std::int64_t at = place(start); step > 0 ? at < past : at > past; at += step) positions.push_back(at);
  return positions;
}

TEST(SliceRange, TakesWhatAWalkTakes) {
  const std::vector<std::int64_t> places = {kLeast, -7, -4, -3, -1, 0, 1, 2, 3, 5, 9, kMost};
  for (std::int64_t size : {0, 1, 4, 5}) {
    for (std::int64_t start : places) {
      for (std::int64_t end : places) {
        for (std::int64_t step : {-3, -1, 1, 2, 9}) {
          const SliceRange range = slice_range(start, end, step, size);
          std::vector<std::int64_t> taken;
          for (std::int64_t k = 0; k < range.count; ++k) taken.push_back(range.start + k * range.step);
          EXPECT_EQ(taken, walked(start, end, step, size)) << start << ":" << end << ":" << step << " of " << size;
        }
      }
    }
  }
}

TEST(SliceRange, BearsTheLongestSteps) {
  EXPECT_EQ(slice_range(2, kLeast, kLeast, 5).count, 1);
  EXPECT_EQ(slice_range(kMost, kLeast, -kMost, 5).count, 1);
  EXPECT_EQ(slice_range(0, kMost, kMost, 5).count, 1);
}

// With a symbol for the size, the count is the same for every size.
TEST(SliceCount, AgreesForEverySize) {
  const std::vector<std::int64_t> places = {kLeast, -4, -1, 0, 1, 3, 9, kMost};
  const Dim symbol = Dim::symbol("n");
  for (std::int64_t start : places) {
    for (std::int64_t end : places) {
      for (std::int64_t step : {-3, -1, 1, 2}) {
        const auto count = slice_count(start, end, step, symbol);
        ASSERT_TRUE(count) << start << ":" << end << ":" << step;
        for (std::int64_t size : {0, 1, 2, 3, 4, 7, 12}) {
          const Dim known = count->substitute([&](std::string_view) { return std::optional(Dim(size)); });
          EXPECT_EQ(known.value(), slice_range(start, end, step, size).count)
              << start << ":" << end << ":" << step << " of " << size << ", by " << count->to_string();
        }
      }
    }
  }
}

TEST(SliceCount, IsOpenWhereASignIs) {
  const Dim unknown = Dim::symbol("n") - Dim::symbol("m");
  EXPECT_FALSE(slice_count(unknown, kMost, 1, Dim::symbol("n")));
  EXPECT_FALSE(slice_count(0, unknown, 1, Dim::symbol("n")));
  EXPECT_FALSE(slice_count(unknown, kLeast, -1, Dim::symbol("n")));
}

TEST(WrappedIndex, CountsFromTheEnd) {
  EXPECT_EQ(wrapped_index(2, 3, "Op"), 2);
  EXPECT_EQ(wrapped_index(-3, 3, "Op"), 0);
  for (std::int64_t bad : {std::int64_t{3}, std::int64_t{-4}, kMost, kLeast}) {
    try {
      wrapped_index(bad, 3, "Op");
      ADD_FAILURE() << bad << " was accepted";
    } catch (const UserError& error) {
      EXPECT_EQ(error.code(), ErrorCode::computation_error);
    }
  }
}

struct DifferCase {
  const char* a;
  const char* b;
  bool differ;
};

TEST(SurelyDiffer, KnowsWhatCannotBeMeant) {
  constexpr DifferCase kCases[] = {
      {"3", "3", false},       {"3", "4", true},      {"64*batch", "63*batch", true},   {"batch", "batch", false},
      {"batch", "seq", false}, {"batch", "3", false}, {"floordiv(n, 4)*4", "n", false},
  };
  for (const DifferCase& row : kCases) {
    EXPECT_EQ(surely_differ(Dim::parse(row.a), Dim::parse(row.b)), row.differ) << row.a << " and " << row.b;
  }
}

}  // namespace
}  // namespace asg::ops
