// Mistakes with attention that are not repeated.
#include <gtest/gtest.h>

#include "asg/backend/interpreter.h"
#include "asg/graph/graph.h"
#include "asg/graph/samples.h"
#include "support/compare.h"

namespace asg {
namespace {

Array attention(const Array& q, const Array& k, const Array& v, const std::optional<Array>& mask, const Attrs& attrs) {
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
  graph.set_output("y", add_op("Attention", inputs, attrs));
  Interpreter interpreter;
  return interpreter.download_all(interpreter.execute(graph, interpreter.upload_all(values))).at("y");
}

Array drawn(Sizes sizes, std::size_t number) { return sample_value(in(std::move(sizes)), "Attention", "test", number); }

Array head_of(const Array& array, std::int64_t batch, std::int64_t head) {
  return array.sliced(0, batch, 1, 1).sliced(1, head, 1, 1).copy();
}

TEST(AttentionMistakes, WorksForBatchOneAndLengthOneOnly) {
  const Array q = drawn({3, 2, 5, 4}, 0);
  const Array k = drawn({3, 2, 7, 4}, 1);
  const Array v = drawn({3, 2, 7, 6}, 2);
  for (const bool causal : {false, true}) {
    const Attrs attrs = {{"is_causal", causal}};
    const Array all = attention(q, k, v, {}, attrs);
    ASSERT_EQ(all.sizes(), (Sizes{3, 2, 5, 6}));
    for (std::int64_t batch = 0; batch < 3; ++batch) {
      for (std::int64_t head = 0; head < 2; ++head) {
        const Array alone =
            attention(head_of(q, batch, head), head_of(k, batch, head), head_of(v, batch, head), {}, attrs);
        EXPECT_TRUE(test::near(head_of(all, batch, head), alone, 1e-14)) << "batch " << batch << ", head " << head;
      }
    }
  }
}

// What is forbidden has no influence; what is allowed has.
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
    added.set(at, at % 5 == 3 ? -std::numeric_limits<double>::infinity() : 0.1 * static_cast<double>(at));
  }
  for (const Array& mask : {padding, added}) {
    EXPECT_TRUE(bit_equal(attention(q, k, v, mask, {}), attention(q, other_k, other_v, mask, {})));
  }
  EXPECT_FALSE(bit_equal(attention(q, k, v, {}, {}), attention(q, other_k, other_v, {}, {})));
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
