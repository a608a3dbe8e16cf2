#include <limits>

#include <gtest/gtest.h>

#include "asg/core/dim.h"
#include "asg/core/error.h"

namespace asg {
namespace {

struct ShapeTest : testing::Test {
  const Dim n = Dim::symbol("n");
  const Dim m = Dim::symbol("m");
};
struct BroadcastTest : ShapeTest {};

template <class Function>
void expect_error(Function function, ErrorCode code, const char* text) {
  try {
    function();
    ADD_FAILURE() << "nothing was thrown; expected " << text;
  } catch (const UserError& error) {
    EXPECT_EQ(error.code(), code);
    EXPECT_STREQ(error.what(), text);
  }
}

TEST_F(ShapeTest, Basics) {
  const Shape shape = {n, 3};
  EXPECT_EQ(shape.rank(), 2);
  EXPECT_EQ(shape[0], n);
  EXPECT_FALSE(shape.is_known());
  EXPECT_EQ(shape.to_string(), "[n, 3]");
  EXPECT_EQ(shape.element_count(), 3 * n);
  EXPECT_EQ(Shape{}.to_string(), "[]");
  EXPECT_EQ(Shape{}.element_count(), Dim(1));
  EXPECT_TRUE(Shape{}.is_known());
  EXPECT_EQ(Shape::of({2, 0}), (Shape{2, 0}));
  EXPECT_EQ((Shape{2, 3}).sizes(), (std::vector<std::int64_t>{2, 3}));
  EXPECT_NE((Shape{2, 3}), (Shape{2, 3, 1}));
  EXPECT_EQ((Shape{n + 1, 2 * n}).substitute([&](std::string_view) { return Dim(4); }), (Shape{5, 8}));
  EXPECT_EQ(Shape::parse("[n, floordiv(n - 1, 2), 3]"), (Shape{n, floor_div(n - 1, 2), 3}));
}

TEST_F(ShapeTest, Refusals) {
  expect_error([&] { Shape::of({2, -1}); }, ErrorCode::bad_dim, "bad_dim: the size -1\n  needed: a size of at least 0");
  expect_error([&] { (Shape{n, 2}).sizes(); }, ErrorCode::bad_dim,
               "bad_dim: the dimension n of the shape [n, 2]\n"
               "  needed: a known size on each axis\n"
               "  to mend: give its symbols a value");
  expect_error([&] { (Shape{2, -2}).sizes(); }, ErrorCode::bad_dim,
               "bad_dim: the dimension -2 of the shape [2, -2]\n  needed: a size of at least 0 on each axis");
  expect_error([&] { Shape::parse("2, 3"); }, ErrorCode::bad_shape,
               "bad_shape: \"2, 3\"\n  needed: dimensions between brackets, like [batch, 784] or []");
}

TEST_F(ShapeTest, CountOfElementsIsChecked) {
  const std::int64_t large = std::int64_t{1} << 40;
  expect_error([=] { (Shape{large, large}).element_count(); }, ErrorCode::bad_dim,
               "bad_dim: 1099511627776 * 1099511627776\n  needed: a dimension that fits 64 bits");
  EXPECT_EQ((Shape{large, large, 0}).element_count(), Dim(0));
  EXPECT_EQ((Shape{large, n, 2}).element_count(), 2 * large * n);
}

struct BroadcastRow {
  Shape a;
  Shape b;
  Shape result;
};

TEST_F(BroadcastTest, CountsAxesFromTheLast) {
  const BroadcastRow rows[] = {
      {{2, 3}, {2, 3}, {2, 3}}, {{2, 3}, {3}, {2, 3}},          {{2, 3}, {1, 3}, {2, 3}}, {{2, 1}, {1, 3}, {2, 3}},
      {{}, {4, 5}, {4, 5}},     {{n, 3}, {3}, {n, 3}},          {{n, 3}, {1, 1}, {n, 3}}, {{n + n}, {2 * n}, {2 * n}},
      {{0}, {1}, {0}},          {{5, 1, n}, {m, 1}, {5, m, n}},
  };
  for (const BroadcastRow& row : rows) {
    EXPECT_EQ(broadcast(row.a, row.b), row.result) << row.a.to_string() << " " << row.b.to_string();
    EXPECT_EQ(broadcast(row.b, row.a), row.result) << row.b.to_string() << " " << row.a.to_string();
    EXPECT_TRUE(can_broadcast_to(row.a, row.result)) << row.a.to_string();
    EXPECT_TRUE(can_broadcast_to(row.b, row.result)) << row.b.to_string();
  }
}

TEST_F(BroadcastTest, IsExact) {
  expect_error([&] { broadcast({2, 3}, {4}); }, ErrorCode::broadcast_mismatch,
               "broadcast_mismatch: shapes [2, 3] and [4]\n"
               "  needed: equal sizes, or 1, on each axis counted from the last\n"
               "  to mend: reshape one of them, or insert an axis of size 1");
  const std::pair<Shape, Shape> rows[] = {{{n}, {m}}, {{n}, {2}}, {{0}, {2}}, {{n}, {n + 1}}, {{2, 1}, {3, 1}}};
  for (const auto& [a, b] : rows) EXPECT_THROW(broadcast(a, b), UserError) << a.to_string() << b.to_string();
  EXPECT_FALSE(can_broadcast_to({2, 3}, {3}));
  EXPECT_FALSE(can_broadcast_to({3}, {2, 1}));
  EXPECT_FALSE(can_broadcast_to({n}, {m}));
}

TEST(Axes, AreCountedFromTheEndWhenNegative) {
  EXPECT_EQ(normalize_axis(0, 3), 0);
  EXPECT_EQ(normalize_axis(2, 3), 2);
  EXPECT_EQ(normalize_axis(-1, 3), 2);
  EXPECT_EQ(normalize_axis(-3, 3), 0);
  EXPECT_EQ(normalize_axes({-1, 0}, 3), (std::vector<int>{0, 2}));
  EXPECT_EQ(normalize_axes({}, 3), std::vector<int>{});
  expect_error([&] { normalize_axis(3, 3); }, ErrorCode::bad_index,
               "bad_index: axis 3 of a tensor of rank 3\n  needed: an axis from -3 to 2");
  expect_error([&] { normalize_axis(-1, 0); }, ErrorCode::bad_index,
               "bad_index: axis -1 of a tensor of rank 0\n  needed: a tensor of rank at least 1");
  expect_error([&] { normalize_axes({0, -3}, 3); }, ErrorCode::bad_index,
               "bad_index: axis 0 twice in a list of axes\n  needed: each axis once\n"
               "  to mend: name it once; counted from the end, axis -3 is the same");
  constexpr std::int64_t kFar = std::numeric_limits<std::int64_t>::min();
  EXPECT_THROW(normalize_axis(kFar, 3), UserError);
}

}  // namespace
}  // namespace asg
