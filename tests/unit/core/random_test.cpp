#include "asg/core/random.h"

#include <bit>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "asg/core/error.h"

namespace asg {
namespace {

TEST(Philox, KnownAnswersOfRandom123) {
  struct Row {
    std::array<std::uint32_t, 4> counter;
    std::array<std::uint32_t, 2> key;
    std::array<std::uint32_t, 4> answer;
  };
  const Row rows[] = {
      {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
      {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
       {0xffffffff, 0xffffffff},
       {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
      {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
       {0xa4093822, 0x299f31d0},
       {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
  };
  for (const Row& row : rows) EXPECT_EQ(philox(row.counter, row.key), row.answer);
}

// Saved models carry stream keys, so these values may never change.
TEST(Combine, ValuesArePinned) {
  EXPECT_EQ(combine(0, 0), 0xA706DD2F4D197E6Fu);
  EXPECT_EQ(combine(0, 1), 0x08B4FDA8C892B50Eu);
  EXPECT_EQ(combine(1, 0), 0x5E41AB087439611Eu);
  EXPECT_EQ(combine(0xFFFFFFFFFFFFFFFFu, 0xFFFFFFFFFFFFFFFFu), 0x6309143E67A47936u);
  EXPECT_EQ(combine(0, ""), 0xB75C0D65CE427EBDu);
  EXPECT_EQ(combine(0, "dropout"), 0x075A9F86B1DC359Cu);
  EXPECT_EQ(combine(42, "encoder/block_3"), 0x4C642B4BE8A4E8CEu);
  EXPECT_EQ(combine(42, "\xff\x80"), 0xC967DC8B7DB10B1Eu);
}

TEST(Combine, DifferentPartsGiveDifferentKeys) {
  std::set<StreamKey> seen;
  std::size_t made = 0;
  const auto add = [&](StreamKey key) {
    seen.insert(key);
    ++made;
  };
  for (std::uint64_t stream = 0; stream < 100; ++stream) {
    for (std::uint64_t part = 0; part < 100; ++part) add(combine(stream, part));
  }
  const std::string zeros(20, '\0');
  for (std::size_t size = 0; size <= zeros.size(); ++size) add(combine(7, std::string_view(zeros).substr(0, size)));
  for (const char* text : {"a", "b", "ab", "ba", "12345678", "123456789"}) add(combine(7, text));
  add(combine(combine(7, "a"), "bc"));
  add(combine(combine(7, "ab"), "c"));
  EXPECT_EQ(seen.size(), made);
}

TEST(Combine, EachBitChangesAboutHalf) {
  const StreamKey base = combine(123, std::uint64_t{456});
  for (int bit = 0; bit < 64; ++bit) {
    const std::uint64_t flip = std::uint64_t{1} << bit;
    EXPECT_NEAR(std::popcount(base ^ combine(123 ^ flip, std::uint64_t{456})), 32, 16);
    EXPECT_NEAR(std::popcount(base ^ combine(123, std::uint64_t{456} ^ flip)), 32, 16);
  }
}

TEST(RandomStream, IsAFunctionOfPosition) {
  const RandomStream stream(1, 2, 3);
  const RandomStream same(1, 2, 3);
  const RandomStream others[] = {{2, 2, 3}, {1, 3, 3}, {1, 2, 4}, {2, 1, 3}, {1, 2, std::uint64_t{3} << 32}};
  std::vector<double> forward;
  for (std::uint64_t position = 0; position < 1000; ++position) forward.push_back(stream.uniform(position));
  for (std::uint64_t position = 1000; position-- > 0;) {
    ASSERT_EQ(same.uniform(position), forward[position]);
    for (const RandomStream& other : others) ASSERT_NE(other.uniform(position), forward[position]);
  }
  // Positions beyond 32 bits are positions of their own.
  EXPECT_NE(stream.bits(0), stream.bits(std::uint64_t{1} << 32));
}

TEST(RandomStream, ValuesArePinned) {
  const RandomStream stream(42, combine(0, "dropout"), 7);
  EXPECT_EQ(stream.bits(0), 4188880779u);
  EXPECT_EQ(stream.bits(std::uint64_t{1} << 40), 1763683630u);
  EXPECT_EQ(stream.uniform(5), 0x1.dd5f106fd2d24p-1);
  EXPECT_NEAR(stream.normal(5), -0.013406239786511183, 1e-14);
  EXPECT_EQ(stream.below(5, 1000000), 932365u);
}

TEST(RandomStream, UniformHas53BitsBelow1) {
  const RandomStream stream(5, 6);
  bool odd_last_bit = false;
  for (std::uint64_t position = 0; position < 10000; ++position) {
    const double value = stream.uniform(position);
    ASSERT_GE(value, 0.0);
    ASSERT_LT(value, 1.0);
    const double scaled = value * 0x1p53;
    ASSERT_EQ(scaled, std::floor(scaled));
    odd_last_bit = odd_last_bit || std::fmod(scaled, 2.0) == 1.0;
  }
  EXPECT_TRUE(odd_last_bit);
}

struct Moments {
  double mean = 0;
  double variance = 0;
  double skewness = 0;
  double kurtosis = 0;
};

template <class Draw>
Moments moments_of(std::uint64_t count, Draw draw) {
  double sums[4] = {};
  for (std::uint64_t position = 0; position < count; ++position) {
    const double value = draw(position);
    double power = 1;
    for (double& sum : sums) sum += power *= value;
  }
  for (double& sum : sums) sum /= static_cast<double>(count);
  Moments result;
  result.mean = sums[0];
  result.variance = sums[1] - sums[0] * sums[0];
  const double central3 = sums[2] - 3 * sums[0] * sums[1] + 2 * std::pow(sums[0], 3);
  const double central4 = sums[3] - 4 * sums[0] * sums[2] + 6 * sums[0] * sums[0] * sums[1] - 3 * std::pow(sums[0], 4);
  result.skewness = central3 / std::pow(result.variance, 1.5);
  result.kurtosis = central4 / (result.variance * result.variance);
  return result;
}

TEST(RandomStream, Moments) {
  constexpr std::uint64_t kCount = 400000;
  for (const std::uint64_t seed : {0u, 1u, 12345u}) {
    const RandomStream stream(seed, combine(0, "moments"));
    const Moments uniform = moments_of(kCount, [&](std::uint64_t k) { return stream.uniform(k); });
    EXPECT_NEAR(uniform.mean, 0.5, 0.002);
    EXPECT_NEAR(uniform.variance, 1.0 / 12, 0.0006);
    EXPECT_NEAR(uniform.kurtosis, 1.8, 0.01);
    const Moments normal = moments_of(kCount, [&](std::uint64_t k) { return stream.normal(k); });
    EXPECT_NEAR(normal.mean, 0, 0.007);
    EXPECT_NEAR(normal.variance, 1, 0.01);
    EXPECT_NEAR(normal.skewness, 0, 0.02);
    EXPECT_NEAR(normal.kurtosis, 3, 0.04);
  }
}

double chi_square(const std::vector<int>& counts, double expected) {
  double sum = 0;
  for (const int count : counts) sum += (count - expected) * (count - expected) / expected;
  return sum;
}

TEST(RandomStream, BucketsAreEven) {
  constexpr std::uint64_t kCount = 200000;
  constexpr std::size_t kBuckets = 100;
  const double expected = static_cast<double>(kCount) / kBuckets;
  for (const std::uint64_t seed : {3u, 4u, 5u}) {
    const RandomStream stream(seed, combine(0, "buckets"), 9);
    std::vector<int> by_uniform(kBuckets), by_below(kBuckets), by_pair(kBuckets);
    for (std::uint64_t position = 0; position < kCount; ++position) {
      const double value = stream.uniform(position);
      ++by_uniform[static_cast<std::size_t>(value * kBuckets)];
      ++by_below[stream.below(position, kBuckets)];
      // Neighbours: ten parts by ten parts.
      const double next = stream.uniform(position + 1);
      ++by_pair[static_cast<std::size_t>(value * 10) * 10 + static_cast<std::size_t>(next * 10)];
    }
    // 99 degrees of freedom: mean 99, and 0.1 % lie outside 59 to 149 on each side.
    for (const auto* counts : {&by_uniform, &by_below, &by_pair}) {
      EXPECT_GT(chi_square(*counts, expected), 59);
      EXPECT_LT(chi_square(*counts, expected), 149);
    }
  }
}

TEST(RandomStream, NormalFollowsItsDistribution) {
  constexpr std::uint64_t kCount = 200000;
  constexpr std::size_t kBuckets = 50;
  const RandomStream stream(11, 12);
  std::vector<int> counts(kBuckets);
  for (std::uint64_t position = 0; position < kCount; ++position) {
    const double below = 0.5 * std::erfc(-stream.normal(position) / std::sqrt(2.0));
    ++counts[std::min(kBuckets - 1, static_cast<std::size_t>(below * kBuckets))];
  }
  // 49 degrees of freedom: 0.1 % lie outside 23 to 85 on each side.
  EXPECT_GT(chi_square(counts, static_cast<double>(kCount) / kBuckets), 23);
  EXPECT_LT(chi_square(counts, static_cast<double>(kCount) / kBuckets), 85);
}

TEST(RandomStream, BelowStaysBelow) {
  const RandomStream stream(1, 1);
  for (const std::uint64_t limit : {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{7}, std::uint64_t{1} << 33,
                                    (std::uint64_t{1} << 63) + 1, ~std::uint64_t{0}}) {
    std::uint64_t greatest = 0;
    for (std::uint64_t position = 0; position < 2000; ++position) {
      const std::uint64_t value = stream.below(position, limit);
      ASSERT_LT(value, limit);
      greatest = std::max(greatest, value);
    }
    EXPECT_GE(greatest, limit - 1 - limit / 100);  // the whole range is reached
  }
  try {
    stream.below(0, 0);
    FAIL() << "no error";
  } catch (const UserError& error) {
    EXPECT_EQ(error.code(), ErrorCode::bad_index);
  }
}

}  // namespace
}  // namespace asg
