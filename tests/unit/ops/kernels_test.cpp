// The walks below the reference kernels, against an index-by-index computation.
#include "ops/support/kernels.h"

#include <numeric>

#include "asg/graph/registry.h"
#include "asg/ops/ops.h"
#include "support/compare.h"
#include "support/run_op.h"

namespace asg::test {
namespace {

Array counting(Sizes sizes) {
  Array array(DType::f64, std::move(sizes));
  auto values = array.mutable_data<double>();
  std::iota(values.begin(), values.end(), 1.0);
  return array;
}

struct Broadcast {
  const char* name;
  Sizes a;
  Sizes b;
  Sizes c;
  Sizes out;
};

const Broadcast kBroadcasts[] = {
    {"equal", {2, 3, 4}, {2, 3, 4}, {2, 3, 4}, {2, 3, 4}},
    {"scalars", {}, {}, {}, {}},
    {"scalar_beside_array", {2, 3}, {}, {2, 3}, {2, 3}},
    {"row_and_column", {3, 1}, {1, 4}, {3, 4}, {3, 4}},
    {"missing_axes", {4}, {3, 1}, {2, 1, 1}, {2, 3, 4}},
    {"outer_axis_merges", {2, 3, 4, 5}, {4, 5}, {5}, {2, 3, 4, 5}},
    {"inner_axis_merges", {2, 3, 1, 1}, {2, 3, 4, 5}, {1, 1, 4, 5}, {2, 3, 4, 5}},
    {"alternating", {2, 1, 4, 1}, {1, 3, 1, 5}, {}, {2, 3, 4, 5}},
    {"no_elements", {2, 0, 3}, {3}, {1}, {2, 0, 3}},
};

TEST(Kernels, BroadcastLikeViews) {
  for (const Broadcast& row : kBroadcasts) {
    SCOPED_TRACE(row.name);
    const Array a = counting(row.a);
    const Array b = counting(row.b);
    const Array c = counting(row.c);
    const auto at = [&](const Array& array, std::int64_t k) { return array.broadcast_to(row.out).get(k); };
    Array two(DType::f64, row.out);
    Array three(DType::f64, row.out);
    Array mirrored(DType::f64, row.out);
    ops::binary_broadcast<double, double, double>(a, b, two, [](double x, double y) { return x * 1000 + y; });
    ops::binary_broadcast<double, double, double>(b, a, mirrored, [](double x, double y) { return x * 1000 + y; });
    ops::ternary_broadcast<double, double, double, double>(
        a, b, c, three, [](double x, double y, double z) { return x * 1e6 + y * 1000 + z; });
    for (std::int64_t k = 0; k < two.count(); ++k) {
      ASSERT_EQ(two.get(k), at(a, k) * 1000 + at(b, k)) << k;
      ASSERT_EQ(mirrored.get(k), at(b, k) * 1000 + at(a, k)) << k;
      ASSERT_EQ(three.get(k), at(a, k) * 1e6 + at(b, k) * 1000 + at(c, k)) << k;
    }
  }
}

TEST(Kernels, RunsAreAsLongAsTheyCanBe) {
  const auto runs_of = [](const Sizes& a, const Sizes& b, const Sizes& out) {
    int runs = 0;
    ops::for_each_run(ops::make_walk<2>(out, {ops::broadcast_strides(a, out), ops::broadcast_strides(b, out)}),
                      [&](const auto&, const auto&, std::int64_t) { ++runs; });
    return runs;
  };
  EXPECT_EQ(runs_of({2, 3, 4}, {2, 3, 4}, {2, 3, 4}), 1);
  EXPECT_EQ(runs_of({2, 3, 4}, {}, {2, 3, 4}), 1);
  EXPECT_EQ(runs_of({2, 3, 4}, {3, 4}, {2, 3, 4}), 2);
  EXPECT_EQ(runs_of({2, 3, 4}, {3, 1}, {2, 3, 4}), 6);
  EXPECT_EQ(runs_of({2, 0}, {}, {2, 0}), 0);
}

struct Fold {
  const char* name;
  Sizes sizes;
  std::vector<int> axes;
  std::vector<double> sums;  // of 1, 2, 3 …
};

const Fold kFolds[] = {
    {"all", {2, 3}, {0, 1}, {21}},
    {"rows", {2, 3}, {1}, {6, 15}},
    {"columns", {2, 3}, {0}, {5, 7, 9}},
    {"middle", {2, 2, 2}, {1}, {4, 6, 12, 14}},
    {"outer_and_inner", {2, 2, 2}, {0, 2}, {14, 22}},
    {"of_nothing", {2, 0}, {1}, {0, 0}},
    {"nothing_left", {0, 2}, {1}, {}},
    {"scalar", {}, {}, {1}},
    {"none", {3}, {}, {1, 2, 3}},
};

TEST(Kernels, FoldAlongAxes) {
  for (const Fold& row : kFolds) {
    SCOPED_TRACE(row.name);
    Array out(DType::f64, {static_cast<std::int64_t>(row.sums.size())});
    ops::fold_axes<double>(counting(row.sizes), row.axes, out, 0, [](double sum, double x) { return sum + x; });
    EXPECT_TRUE(identical(out, Array::of<double>({static_cast<std::int64_t>(row.sums.size())}, row.sums)));
  }
}

TEST(Kernels, FoldInOrder) {
  Array out(DType::f64, {3});
  ops::fold_axes<double>(counting({2, 3}), std::vector<int>{0}, out, 0,
                         [](double all, double x) { return all * 10 + x; });
  EXPECT_TRUE(identical(out, Array::of<double>({3}, {14, 25, 36})));
}

TEST(Kernels, ExtremesOfNothingAreTheLimitsOfTheDtype) {
  struct Row {
    DType dtype;
    std::int64_t largest;   // what ReduceMin of nothing gives
    std::int64_t smallest;  // what ReduceMax of nothing gives
  };
  const Row rows[] = {
      {DType::i8, 127, -128}, {DType::i16, 32767, -32768},        {DType::i32, INT32_MAX, INT32_MIN},
      {DType::u8, 255, 0},    {DType::i64, INT64_MAX, INT64_MIN}, {DType::u32, UINT32_MAX, 0},
      {DType::u64, -1, 0},  // all bits set
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(name_of(row.dtype));
    const Inputs nothing = {Array(row.dtype, {0})};
    const Attrs attrs = {{"keepdims", false}};
    EXPECT_EQ(run_op(Registry::global().get("ReduceMin"), attrs, nothing)[0].get_i64(0), row.largest);
    EXPECT_EQ(run_op(Registry::global().get("ReduceMax"), attrs, nothing)[0].get_i64(0), row.smallest);
  }
}

}  // namespace
}  // namespace asg::test
