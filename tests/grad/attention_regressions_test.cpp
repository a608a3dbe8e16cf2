// Mistakes with attention that are not repeated.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "asg/autograd/gradients.h"
#include "asg/backend/interpreter.h"
#include "asg/graph/graph.h"
#include "asg/graph/samples.h"
#include "support/compare.h"

namespace asg {
namespace {

constexpr double kForbidden = -std::numeric_limits<double>::infinity();

struct Attended {
  Array y;
  std::vector<Array> gradients;  // of Σ y² by query, key and value
};

Attended attend(const Array& q, const Array& k, const Array& v, const std::optional<Array>& mask, const Attrs& attrs) {
  Graph graph;
  NamedArrays values;
  std::vector<Tensor> inputs;
  const auto add = [&](const char* name, const Array& value) {
    inputs.push_back(graph.input(name, {value.dtype(), Shape::of(value.sizes())}));
    values[name] = value;
  };
  add("q", q);
  add("k", k);
  add("v", v);
  if (mask) add("mask", *mask);
  const Tensor y = add_op("Attention", inputs, attrs);
  graph.set_output("y", y);
  const Tensor loss = add_op("ReduceSum", {y * y}, {{"keepdims", false}});
  const std::vector<Value> targets = {inputs[0].value(), inputs[1].value(), inputs[2].value()};
  const Differentiated joint = differentiate(graph, loss.value(), targets, Mode::train);
  Interpreter interpreter;
  const NamedArrays all = interpreter.download_all(interpreter.execute(joint.graph, interpreter.upload_all(values)));
  return {all.at("y"), {all.at("gradient:0"), all.at("gradient:1"), all.at("gradient:2")}};
}

Array attention(const Array& q, const Array& k, const Array& v, const std::optional<Array>& mask, const Attrs& attrs) {
  return attend(q, k, v, mask, attrs).y;
}

// softmax(q kᵀ / √width + mask) v of one batch and head, as the formula stands. `mask` has a number for every pair.
Array by_formula(const Array& q, const Array& k, const Array& v, const Array& mask) {
  const std::int64_t length = q.sizes()[2];
  const std::int64_t others = k.sizes()[2];
  const std::int64_t width = q.sizes()[3];
  const std::int64_t values = v.sizes()[3];
  Array y(DType::f64, {1, 1, length, values});
  for (std::int64_t t = 0; t < length; ++t) {
    std::vector<double> weights;
    double sum = 0;
    for (std::int64_t s = 0; s < others; ++s) {
      double score = 0;
      for (std::int64_t at = 0; at < width; ++at) score += q.get(t * width + at) * k.get(s * width + at);
      weights.push_back(std::exp(score / std::sqrt(static_cast<double>(width)) + mask.get(t * others + s)));
      sum += weights.back();
    }
    for (std::int64_t at = 0; at < values; ++at) {
      double mixed = 0;
      for (std::int64_t s = 0; s < others; ++s) {
        mixed += weights[static_cast<std::size_t>(s)] / sum * v.get(s * values + at);
      }
      y.set(t * values + at, mixed);
    }
  }
  return y;
}

Array drawn(Sizes sizes, std::size_t number) { return sample_value(in(std::move(sizes)), "Attention", "test", number); }

Array head_of(const Array& array, std::int64_t batch, std::int64_t head) {
  return array.sliced(0, batch, 1, 1).sliced(1, head, 1, 1).copy();
}

// Every head of every example is the formula, whatever batch and lengths are, and has the gradients that it has alone.
TEST(AttentionMistakes, WorksForBatchOneAndLengthOneOnly) {
  const Array q = drawn({3, 2, 5, 4}, 0);
  const Array k = drawn({3, 2, 7, 4}, 1);
  const Array v = drawn({3, 2, 7, 6}, 2);
  for (const bool causal : {false, true}) {
    const Attrs attrs = {{"is_causal", causal}};
    Array mask(DType::f64, {5, 7});
    for (std::int64_t at = 0; at < mask.count(); ++at) mask.set(at, causal && at % 7 > at / 7 ? kForbidden : 0);
    const Attended all = attend(q, k, v, {}, attrs);
    ASSERT_EQ(all.y.sizes(), (Sizes{3, 2, 5, 6}));
    for (std::int64_t batch = 0; batch < 3; ++batch) {
      for (std::int64_t head = 0; head < 2; ++head) {
        SCOPED_TRACE(testing::Message() << "causal " << causal << ", batch " << batch << ", head " << head);
        const auto part = [&](const Array& array) { return head_of(array, batch, head); };
        EXPECT_TRUE(test::near(part(all.y), by_formula(part(q), part(k), part(v), mask), 1e-14));
        const Attended alone = attend(part(q), part(k), part(v), {}, attrs);
        for (std::size_t by = 0; by < 3; ++by) {
          EXPECT_TRUE(test::near(part(all.gradients[by]), alone.gradients[by], 1e-14)) << "by input " << by;
        }
      }
    }
  }
}

// A mask of bools or of numbers, for all queries or for each: what is forbidden has no influence and no gradient, what
// is allowed has both.
TEST(AttentionMistakes, MasksThatCannotBeUsed) {
  const Array q = drawn({2, 2, 3, 4}, 0);
  const Array k = drawn({2, 2, 5, 4}, 1);
  const Array v = drawn({2, 2, 5, 4}, 2);
  Array other_k = k.copy();
  Array other_v = v.copy();
  other_k.sliced(2, 3, 1, 1).assign(drawn({2, 2, 1, 4}, 3));
  other_v.sliced(2, 3, 1, 1).assign(drawn({2, 2, 1, 4}, 4));
  Array padding(DType::boolean, {2, 1, 1, 5});
  Array added(DType::f64, {3, 5});
  for (std::int64_t at = 0; at < padding.count(); ++at) padding.set(at, at % 5 == 3 ? 0 : 1);
  for (std::int64_t at = 0; at < added.count(); ++at) {
    added.set(at, at % 5 == 3 ? kForbidden : 0.1 * static_cast<double>(at));
  }
  for (const Array& mask : {padding, added}) {
    const Attended masked = attend(q, k, v, mask, {});
    EXPECT_TRUE(bit_equal(masked.y, attention(q, other_k, other_v, mask, {})));
    for (const std::size_t by : {1U, 2U}) {  // key and value
      for (std::int64_t at = 0; at < k.count(); ++at) {
        EXPECT_EQ(masked.gradients[by].get(at) == 0, at / 4 % 5 == 3) << "input " << by << ", element " << at;
      }
    }
  }
  EXPECT_FALSE(bit_equal(attention(q, k, v, {}, {}), attention(q, other_k, other_v, {}, {})));
  EXPECT_TRUE(test::near(head_of(attention(q, k, v, added, {}), 1, 1),
                         by_formula(head_of(q, 1, 1), head_of(k, 1, 1), head_of(v, 1, 1), added), 1e-14));
}

// Heads of keys and values that several heads of queries share are those heads, repeated.
TEST(AttentionMistakes, GroupedQueriesReadTheHeadOfTheirGroup) {
  const Array q = drawn({1, 4, 3, 2}, 0);
  const Array k = drawn({1, 2, 3, 2}, 1);
  const Array v = drawn({1, 2, 3, 2}, 2);
  const Array all = attention(q, k, v, {}, {});
  for (std::int64_t head = 0; head < 4; ++head) {
    const Array alone = attention(head_of(q, 0, head), head_of(k, 0, head / 2), head_of(v, 0, head / 2), {}, {});
    EXPECT_TRUE(test::near(head_of(all, 0, head), alone, 1e-14)) << "head " << head;
  }
}

}  // namespace
}  // namespace asg
