#include "asg/decode/sampler.h"

#include <array>
#include <cmath>
#include <limits>
#include <map>

#include <gtest/gtest.h>

#include "asg/core/error.h"

namespace asg::decode {
namespace {

constexpr double kNone = -std::numeric_limits<double>::infinity();

// Probabilities 0.1, 0.4, 0.2, 0.3.
const std::vector<double> kLogits = {std::log(0.1), std::log(0.4), std::log(0.2), std::log(0.3)};

std::vector<std::int64_t> tokens_of(const Sampling& how, const std::vector<double>& logits = kLogits) {
  Sampler sampler(how);
  std::vector<std::int64_t> tokens;
  for (const Sampler::Candidate& each : sampler.candidates(logits)) tokens.push_back(each.token);
  return tokens;
}

std::map<std::int64_t, double> shares_of(const Sampling& how, int draws) {
  Sampler sampler(how);
  std::map<std::int64_t, double> shares;
  for (int k = 0; k < draws; ++k) shares[sampler.draw(kLogits)] += 1.0 / draws;
  return shares;
}

using Tokens = std::vector<std::int64_t>;

TEST(Sampler, DrawsByTheProbabilities) {
  constexpr int kDraws = 20000;
  const auto plain = shares_of({.seed = 5}, kDraws);
  const std::array<double, 4> expected = {0.1, 0.4, 0.2, 0.3};
  // Five deviations of a share.
  for (std::int64_t token = 0; token < 4; ++token) {
    const double share = expected[static_cast<std::size_t>(token)];
    EXPECT_NEAR(plain.at(token), share, 5 * std::sqrt(share * (1 - share) / kDraws)) << token;
  }
  // At half the temperature probabilities are squared: 0.01, 0.16, 0.04, 0.09 of 0.3.
  const auto cold = shares_of({.temperature = 0.5, .seed = 5}, kDraws);
  EXPECT_NEAR(cold.at(1), 0.16 / 0.3, 0.02);
  EXPECT_NEAR(cold.at(0), 0.01 / 0.3, 0.01);
  const auto two = shares_of({.top_k = 2, .seed = 5}, kDraws);
  EXPECT_EQ(two.size(), 2U);
  EXPECT_NEAR(two.at(1), 4.0 / 7, 0.02);
}

TEST(Sampler, LeavesTheLikeliest) {
  EXPECT_EQ(tokens_of({}), (Tokens{1, 3, 2, 0}));
  EXPECT_EQ(tokens_of({.temperature = 0}), Tokens{1});
  EXPECT_EQ(tokens_of({.top_k = 1}), Tokens{1});
  EXPECT_EQ(tokens_of({.top_k = 3}), (Tokens{1, 3, 2}));
  EXPECT_EQ(tokens_of({.top_k = 400}), (Tokens{1, 3, 2, 0}));
  EXPECT_EQ(tokens_of({.top_p = 1e-9}), Tokens{1});
  EXPECT_EQ(tokens_of({.top_p = 0.69}), (Tokens{1, 3}));
  EXPECT_EQ(tokens_of({.top_p = 0.71}), (Tokens{1, 3, 2}));
  // Of the two that top_k leaves the first has 4/7.
  EXPECT_EQ(tokens_of({.top_k = 2, .top_p = 0.5}), Tokens{1});
  EXPECT_EQ(tokens_of({.top_k = 2, .top_p = 0.6}), (Tokens{1, 3}));
}

TEST(Sampler, TakesTheLowerOfEqualTokens) {
  const std::vector<double> equal = {1, 2, 2, 2};
  EXPECT_EQ(tokens_of({.temperature = 0}, equal), Tokens{1});
  EXPECT_EQ(tokens_of({.top_k = 2}, equal), (Tokens{1, 2}));
  EXPECT_EQ(tokens_of({.top_k = 1}, equal), Tokens{1});
}

TEST(Sampler, KnowsInfinities) {
  const std::vector<double> forbidden = {kNone, 0, kNone, 0};
  Sampler sampler({.seed = 2});
  for (int k = 0; k < 100; ++k) EXPECT_EQ(sampler.draw(forbidden) % 2, 1);
  EXPECT_EQ(tokens_of({}, {0, -kNone, 3}), Tokens{1});
  EXPECT_EQ(tokens_of({}, {1e300, -1e300, 0}), (Tokens{0, 2, 1}));
}

TEST(Sampler, DrawsTheSameBySeed) {
  const auto draws = [](std::uint64_t seed) {
    Sampler sampler({.seed = seed});
    Tokens tokens;
    for (int k = 0; k < 50; ++k) tokens.push_back(sampler.draw(kLogits));
    return tokens;
  };
  EXPECT_EQ(draws(1), draws(1));
  EXPECT_NE(draws(1), draws(2));
}

void expect_code(ErrorCode code, const std::function<void()>& call) {
  try {
    call();
    ADD_FAILURE() << "not refused";
  } catch (const UserError& error) {
    EXPECT_EQ(error.detail().code, code) << error.what();
  }
}

TEST(Sampler, RefusesWhatMeansNothing) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const Sampling& how :
       {Sampling{.temperature = -1}, Sampling{.temperature = nan}, Sampling{.temperature = -kNone},
        Sampling{.top_k = -1}, Sampling{.top_p = 0}, Sampling{.top_p = 1.5}, Sampling{.top_p = nan}}) {
    expect_code(ErrorCode::bad_attribute, [&] { Sampler{how}; });
  }
  expect_code(ErrorCode::computation_error, [&] { tokens_of({}, {0, nan}); });
  expect_code(ErrorCode::computation_error, [&] { tokens_of({.temperature = 0}, {nan, 0}); });
  expect_code(ErrorCode::computation_error, [&] { tokens_of({}, {kNone, kNone}); });
  expect_code(ErrorCode::bad_shape, [&] { tokens_of({}, {}); });
}

}  // namespace
}  // namespace asg::decode
