// Attention and its gradient against plain loops in double, with every option, and on several threads.
#include "backend/cpu/library/attention.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "backend_cpu_library/count_new.h"
#include "backend_cpu_library/library_cases.h"

namespace asg::test {
namespace {

using Mask = cpu::AttentionSpec::Mask;
using Steps = cpu::AttentionSpec::Steps;

constexpr std::uint64_t kSeed = 7;
constexpr std::uint64_t kStep = (std::uint64_t{5} << 32U) + 3;
constexpr StreamKey kStream = 77;

struct Case {
  const char* name;
  std::int64_t batch, heads, shared, length, others, width, value_width;
  bool causal = false;
  Mask mask = Mask::none;
  bool mask_of_queries = false;  // a mask for each query and head; else for each example
  double dropout = 0;
  bool heads_inside = false;                                   // in memory: [batch, length, heads, width]
  float forbidding = -std::numeric_limits<float>::infinity();  // what an added mask forbids by
};

// What exporters write instead of minus infinity.
constexpr float kLowest = std::numeric_limits<float>::lowest();

const Case kCases[] = {
    {"one_element", 1, 1, 1, 1, 1, 1, 1},
    {"odd", 2, 3, 3, 5, 7, 4, 6},
    {"whole_vectors", 1, 2, 2, 64, 64, 32, 64},
    {"several_blocks", 1, 2, 2, 130, 130, 16, 16, true},
    {"no_keys", 2, 1, 1, 3, 0, 2, 2},
    {"no_queries", 1, 2, 2, 0, 3, 2, 2},
    {"no_examples", 0, 2, 2, 3, 3, 2, 2},
    {"one_query", 1, 2, 1, 1, 300, 64, 64},
    {"more_queries_than_keys", 2, 1, 1, 70, 9, 3, 5, true},
    {"more_keys_than_queries", 2, 1, 1, 9, 70, 3, 5, true},
    {"shared_heads", 2, 6, 2, 65, 33, 24, 40, false, Mask::none, false, 0, true},
    {"one_shared_head", 1, 3, 1, 40, 40, 32, 32, true, Mask::none, false, 0, true},
    {"padding", 3, 2, 2, 17, 19, 8, 8, false, Mask::allowed},
    {"allowed_pairs", 2, 2, 2, 66, 19, 8, 9, true, Mask::allowed, true},
    {"added_padding", 2, 2, 1, 17, 19, 20, 8, false, Mask::added},
    {"added_pairs", 2, 2, 2, 67, 35, 8, 8, true, Mask::added, true, 0, true},
    {"added_lowest_padding", 2, 2, 1, 17, 19, 20, 8, false, Mask::added, false, 0, false, kLowest},
    {"added_lowest_pairs", 2, 2, 2, 67, 35, 8, 8, true, Mask::added, true, 0, true, kLowest},
    {"added_lowest_everywhere", 1, 1, 1, 3, 1, 4, 4, false, Mask::added, true, 0, false, kLowest},
    {"dropout", 2, 2, 2, 33, 35, 8, 8, false, Mask::none, false, 0.25},
    {"all_dropped", 1, 1, 1, 5, 6, 8, 8, false, Mask::none, false, 1},
    {"everything", 2, 4, 2, 70, 90, 12, 20, true, Mask::added, true, 0.5, true},
};

// Where the rows of a tensor [batch, heads, length, width] lie.
Steps steps_of(std::int64_t heads, std::int64_t length, std::int64_t width, bool heads_inside) {
  if (heads_inside) return {length * heads * width, width, heads * width};
  return {heads * length * width, length * width, width};
}

std::size_t place(const Steps& steps, std::int64_t batch, std::int64_t head, std::int64_t row, std::int64_t at) {
  return static_cast<std::size_t>(batch * steps.batch + head * steps.head + row * steps.row + at);
}

// Operands, and the results of the library or of the loops.
template <class T>
struct Results {
  std::vector<T> y, dq, dk, dv;
};

class AttentionCase {
 public:
  explicit AttentionCase(const Case& with) : spec_(spec_of(with)), forbidding_(with.forbidding) {
    const auto count = [&](std::int64_t heads, std::int64_t length, std::int64_t width) {
      return spec_.batch * heads * length * width;
    };
    q_ = numbers<float>(count(spec_.heads, spec_.length, spec_.width), 1);
    k_ = numbers<float>(count(spec_.shared_heads, spec_.others, spec_.width), 2);
    v_ = numbers<float>(count(spec_.shared_heads, spec_.others, spec_.value_width), 3);
    dy_ = numbers<float>(count(spec_.heads, spec_.length, spec_.value_width), 4);
    make_mask();
  }

  // Some places are forbidden, and the first query may look nowhere.
  void make_mask() {
    const auto& steps = spec_.mask_steps;
    const std::int64_t count = spec_.batch * steps[0] + spec_.heads * steps[1] + spec_.length * steps[2] + spec_.others;
    added_ = numbers<float>(count, 5);
    allowed_.resize(added_.size());
    for (std::size_t at = 0; at < added_.size(); ++at) {
      allowed_[at] = at % 3 == 1 || (steps[2] != 0 && at < static_cast<std::size_t>(spec_.others)) ? 0 : 1;
      if (allowed_[at] == 0) added_[at] = forbidding_;
    }
  }

  Results<float> by_library(int threads) const {
    const cpu::Attention attention(spec_);
    Results<float> results;
    const float nan = std::numeric_limits<float>::quiet_NaN();
    results.y.assign(dy_.size(), nan);
    results.dq.assign(q_.size(), nan);
    results.dk.assign(k_.size(), nan);
    results.dv.assign(v_.size(), nan);
    const void* mask = spec_.mask == Mask::added ? static_cast<const void*>(added_.data()) : allowed_.data();
    const cpu::AttentionOperands operands{q_.data(), k_.data(), v_.data(), mask, &kSeed, &kStep};
    ThreadPool pool(threads);
    Scratch forward(attention.scratch_bytes());
    Scratch backward(attention.gradient_scratch_bytes());
    const auto run = [&] {
      attention.run(operands, results.y.data(), forward.data(), pool);
      attention.run_gradient(operands, dy_.data(), {results.dq.data(), results.dk.data(), results.dv.data()},
                             backward.data(), pool);
    };
    run();
    const long before = allocations();
    run();
    EXPECT_EQ(allocations(), before);
    return results;
  }

  Results<double> by_loops() const {
    Results<double> results;
    results.y.assign(dy_.size(), 0);
    results.dq.assign(q_.size(), 0);
    results.dk.assign(k_.size(), 0);
    results.dv.assign(v_.size(), 0);
    for (std::int64_t batch = 0; batch < spec_.batch; ++batch) {
      for (std::int64_t head = 0; head < spec_.heads; ++head) {
        for (std::int64_t row = 0; row < spec_.length; ++row) one_query(batch, head, row, results);
      }
    }
    return results;
  }

 private:
  static cpu::AttentionSpec spec_of(const Case& with) {
    cpu::AttentionSpec spec;
    spec.batch = with.batch;
    spec.heads = with.heads;
    spec.shared_heads = with.shared;
    spec.length = with.length;
    spec.others = with.others;
    spec.width = with.width;
    spec.value_width = with.value_width;
    const bool inside = with.heads_inside;
    spec.query = spec.query_gradient = steps_of(with.heads, with.length, with.width, inside);
    spec.key = spec.key_gradient = steps_of(with.shared, with.others, with.width, inside);
    spec.value = spec.value_gradient = steps_of(with.shared, with.others, with.value_width, inside);
    spec.result = steps_of(with.heads, with.length, with.value_width, inside);
    spec.scale = 0.7;
    spec.causal = with.causal;
    spec.mask = with.mask;
    spec.mask_steps = {with.others, 0, 0, 1};
    if (with.mask_of_queries) spec.mask_steps = {0, with.length * with.others, with.others, 1};
    spec.dropout = with.dropout;
    spec.stream = kStream;
    return spec;
  }

  bool may_look(std::int64_t row, std::int64_t key, std::size_t mask) const {
    return (!spec_.causal || key <= row) && (spec_.mask == Mask::none || allowed_[mask] != 0);
  }

  void one_query(std::int64_t batch, std::int64_t head, std::int64_t row, Results<double>& to) const {
    const std::int64_t shared = head / (spec_.heads / spec_.shared_heads);
    const auto& steps = spec_.mask_steps;
    std::vector<double> scores;
    double largest = -std::numeric_limits<double>::infinity();
    for (std::int64_t key = 0; key < spec_.others; ++key) {
      const auto mask = static_cast<std::size_t>(batch * steps[0] + head * steps[1] + row * steps[2] + key * steps[3]);
      double score = spec_.mask == Mask::added ? added_[mask] : 0;
      for (std::int64_t at = 0; at < spec_.width; ++at) {
        score += spec_.scale * static_cast<double>(q_[place(spec_.query, batch, head, row, at)]) *
                 k_[place(spec_.key, batch, shared, key, at)];
      }
      scores.push_back(may_look(row, key, mask) ? score : -std::numeric_limits<double>::infinity());
      largest = std::max(largest, scores.back());
    }
    double sum = 0;
    for (double& score : scores) {
      score = std::isinf(score) ? 0 : std::exp(score - largest);
      sum += score;
    }
    for (double& score : scores) score = sum > 0 ? score / sum : 0;
    differentiate(batch, head, shared, row, scores, to);
  }

  void differentiate(std::int64_t batch, std::int64_t head, std::int64_t shared, std::int64_t row,
                     const std::vector<double>& weights, Results<double>& to) const {
    const RandomStream random(kSeed, kStream, kStep);
    std::vector<double> by_weights;
    double mean = 0;
    for (std::int64_t key = 0; key < spec_.others; ++key) {
      const double weight = weights[static_cast<std::size_t>(key)];
      const auto position = ((batch * spec_.heads + head) * spec_.length + row) * spec_.others + key;
      const bool stays = random.uniform(static_cast<std::uint64_t>(position)) >= spec_.dropout;
      const double factor = stays ? 1 / (1 - spec_.dropout) : 0;
      double by_weight = 0;
      for (std::int64_t at = 0; at < spec_.value_width; ++at) {
        const std::size_t value = place(spec_.value, batch, shared, key, at);
        const std::size_t result = place(spec_.result, batch, head, row, at);
        to.y[result] += weight * factor * v_[value];
        to.dv[value] += weight * factor * dy_[result];
        by_weight += static_cast<double>(v_[value]) * dy_[result];
      }
      by_weights.push_back(by_weight * factor);
      mean += weight * by_weights.back();
    }
    for (std::int64_t key = 0; key < spec_.others; ++key) {
      const auto number = static_cast<std::size_t>(key);
      const double by_score = weights[number] * (by_weights[number] - mean) * spec_.scale;
      for (std::int64_t at = 0; at < spec_.width; ++at) {
        const std::size_t query = place(spec_.query, batch, head, row, at);
        const std::size_t from = place(spec_.key, batch, shared, key, at);
        to.dq[query] += by_score * k_[from];
        to.dk[from] += by_score * q_[query];
      }
    }
  }

  cpu::AttentionSpec spec_;
  float forbidding_;
  std::vector<float> q_, k_, v_, dy_, added_;
  std::vector<unsigned char> allowed_;
};

void expect_near(const std::vector<float>& actual, const std::vector<double>& expected, const char* what) {
  ASSERT_EQ(actual.size(), expected.size());
  double largest = 1e-3;
  for (const double value : expected) largest = std::max(largest, std::abs(value));
  for (std::size_t at = 0; at < expected.size(); ++at) {
    ASSERT_NEAR(actual[at], expected[at], 2e-6 * largest) << what << " at " << at;
  }
}

class AttentionTest : public testing::TestWithParam<Case> {};

TEST_P(AttentionTest, IsWhatLoopsCompute) {
  const AttentionCase with(GetParam());
  const Results<float> actual = with.by_library(2);
  const Results<double> expected = with.by_loops();
  expect_near(actual.y, expected.y, "y");
  expect_near(actual.dq, expected.dq, "dq");
  expect_near(actual.dk, expected.dk, "dk");
  expect_near(actual.dv, expected.dv, "dv");
}

TEST_P(AttentionTest, HasTheSameBitsOnAnyNumberOfThreads) {
  const AttentionCase with(GetParam());
  const Results<float> expected = with.by_library(1);
  for (const int threads : {2, 3}) {
    const Results<float> actual = with.by_library(threads);
    EXPECT_EQ(actual.y, expected.y) << threads;
    EXPECT_EQ(actual.dq, expected.dq) << threads;
    EXPECT_EQ(actual.dk, expected.dk) << threads;
    EXPECT_EQ(actual.dv, expected.dv) << threads;
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, AttentionTest, testing::ValuesIn(kCases),
                         [](const auto& each) { return std::string(each.param.name); });

// What is not a number is not hidden: the gate of a training step must see it.
TEST(Attention, NanInAKeyReachesEveryQueryThatSeesIt) {
  cpu::AttentionSpec spec;
  spec.batch = spec.heads = spec.shared_heads = 1;
  spec.length = spec.others = 3;
  spec.width = spec.value_width = 1;
  spec.query = spec.key = spec.value = spec.result = {3, 3, 1};
  spec.causal = true;
  const std::vector<float> ones(3, 1);
  const std::vector<float> keys = {1, std::numeric_limits<float>::quiet_NaN(), 1};
  std::vector<float> y(3);
  const cpu::Attention attention(spec);
  ThreadPool pool(1);
  Scratch scratch(attention.scratch_bytes());
  attention.run({ones.data(), keys.data(), ones.data()}, y.data(), scratch.data(), pool);
  EXPECT_EQ(y[0], 1);
  EXPECT_TRUE(std::isnan(y[1]));
  EXPECT_TRUE(std::isnan(y[2]));
}

}  // namespace
}  // namespace asg::test
