#include <limits>
#include <numeric>

#include <gtest/gtest.h>

#include "asg/core/array.h"
#include "asg/core/random.h"

namespace asg {
namespace {

constexpr std::int64_t kMostOfView = std::numeric_limits<std::int64_t>::max();

Array counting(const Sizes& sizes) {
  std::vector<std::int64_t> values(static_cast<std::size_t>(element_count(sizes)));
  std::iota(values.begin(), values.end(), 0);
  return Array::of<std::int64_t>(sizes, values);
}

template <class Call>
ErrorCode code_of_view(Call call) {
  try {
    call();
  } catch (const UserError& error) {
    return error.code();
  }
  ADD_FAILURE() << "no error";
  return ErrorCode::bad_command;
}

TEST(ArrayView, Slices) {
  struct Row {
    Sizes sizes;
    int axis;
    std::int64_t start, count, step;
    const char* text;
  };
  const Row rows[] = {
      {{5}, 0, 1, 3, 1, "[1, 2, 3]"},
      {{5}, 0, 0, 3, 2, "[0, 2, 4]"},
      {{5}, 0, 4, 5, -1, "[4, 3, 2, 1, 0]"},
      {{5}, 0, 4, 2, -3, "[4, 1]"},
      {{5}, 0, 0, 0, 1, "[]"},
      {{5}, 0, 5, 0, 1, "[]"},
      {{5}, 0, -1, 0, -1, "[]"},
      {{5}, 0, 3, 1, kMostOfView, "[3]"},
      {{2, 3}, 1, 1, 2, 1, "[[1, 2],\n [4, 5]]"},
      {{2, 3}, 0, 1, 1, 1, "[[3, 4, 5]]"},
      {{0}, 0, 0, 0, 1, "[]"},
  };
  for (const Row& row : rows) {
    const Array view = counting(row.sizes).sliced(row.axis, row.start, row.count, row.step);
    EXPECT_EQ(view.to_string(), row.text);
    EXPECT_EQ(view.sizes()[static_cast<std::size_t>(row.axis)], row.count);
    EXPECT_TRUE(bit_equal(view, view.copy()));
  }
}

TEST(ArrayView, SlicesOutsideAreRefused) {
  struct Row {
    int axis;
    std::int64_t start, count, step;
  };
  const Row rows[] = {
      {0, 0, 6, 1},           {0, 5, 1, 1},
      {0, -1, 1, 1},          {0, 0, 4, 2},
      {0, 1, 3, -1},          {0, 0, 1, 0},
      {0, 0, 0, 0},           {0, 0, -1, 1},
      {0, 1, 3, kMostOfView}, {0, 4, kMostOfView, kMostOfView},
      {1, 0, 1, 1},           {-1, 0, 1, 1},
      {0, kMostOfView, 2, 1}, {0, 2, 2, -kMostOfView - 1},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(code_of_view([&] { counting({5}).sliced(row.axis, row.start, row.count, row.step); }),
              ErrorCode::bad_index)
        << row.axis << " " << row.start << " " << row.count << " " << row.step;
  }
  EXPECT_EQ(code_of_view([] { Array::scalar_i64(1).sliced(0, 0, 1, 1); }), ErrorCode::bad_index);
}

TEST(ArrayView, Transposes) {
  const Array array = counting({2, 3, 4});
  const Array view = array.transposed({2, 0, 1});
  EXPECT_EQ(view.sizes(), (Sizes{4, 2, 3}));
  EXPECT_EQ(view.strides(), (Sizes{1, 12, 4}));
  for (std::int64_t a = 0; a < 4; ++a) {
    for (std::int64_t b = 0; b < 2; ++b) {
      for (std::int64_t c = 0; c < 3; ++c) ASSERT_EQ(view.get_i64((a * 2 + b) * 3 + c), (b * 3 + c) * 4 + a);
    }
  }
  EXPECT_EQ(view.raw(), array.raw());
  EXPECT_TRUE(bit_equal(view.transposed({1, 2, 0}), array));
  EXPECT_EQ(Array::scalar_i64(3).transposed({}).get_i64(0), 3);
  for (const std::vector<int>& perm : {std::vector<int>{0, 1}, {0, 1, 1}, {0, 1, 3}, {-1, 0, 1}, {0, 1, 2, 3}}) {
    EXPECT_EQ(code_of_view([&] { array.transposed(perm); }), ErrorCode::bad_index);
  }
}

TEST(ArrayView, Reshapes) {
  const Array array = counting({2, 6});
  EXPECT_EQ(array.reshaped({3, 4}).raw(), array.raw());  // a view
  EXPECT_EQ(array.reshaped({12}).get_i64(7), 7);
  EXPECT_EQ(counting({1}).reshaped({}).rank(), 0);
  EXPECT_EQ(counting({0, 3}).reshaped({5, 0}).sizes(), (Sizes{5, 0}));
  // Not dense: in row-major order of the view, and a copy.
  const Array turned = array.transposed({1, 0}).reshaped({4, 3});
  EXPECT_EQ(turned.to_string(), "[[0, 6, 1],\n [7, 2, 8],\n [3, 9, 4],\n [10, 5, 11]]");
  EXPECT_EQ(code_of_view([&] { array.reshaped({5}); }), ErrorCode::bad_shape);
  EXPECT_EQ(code_of_view([&] { array.reshaped({-12}); }), ErrorCode::bad_dim);
  EXPECT_EQ(code_of_view([&] { array.reshaped({kMostOfView, kMostOfView}); }), ErrorCode::bad_dim);
}

TEST(ArrayView, Broadcasts) {
  struct Row {
    Sizes from, to;
    const char* text;
  };
  const Row rows[] = {
      {{}, {2}, "[0, 0]"},
      {{3}, {2, 3}, "[[0, 1, 2],\n [0, 1, 2]]"},
      {{2, 1}, {2, 3}, "[[0, 0, 0],\n [1, 1, 1]]"},
      {{1, 2}, {2, 2}, "[[0, 1],\n [0, 1]]"},
      {{1}, {0}, "[]"},
      {{0, 1}, {0, 4}, "[]"},
      {{2}, {2}, "[0, 1]"},
  };
  for (const Row& row : rows) {
    const Array view = counting(row.from).broadcast_to(row.to);
    EXPECT_EQ(view.sizes(), row.to);
    EXPECT_EQ(view.to_string(), row.text);
    EXPECT_TRUE(bit_equal(view, view.copy()));
  }
  for (const auto& [from, to] :
       {std::pair<Sizes, Sizes>{{2}, {3}}, {{2}, {2, 1}}, {{2, 2}, {2}}, {{0}, {1}}, {{3}, {}}}) {
    EXPECT_EQ(code_of_view([&] { counting(from).broadcast_to(to); }), ErrorCode::broadcast_mismatch);
  }
  EXPECT_EQ(code_of_view([] { counting({1}).broadcast_to({-1}); }), ErrorCode::bad_dim);
  EXPECT_EQ(code_of_view([] { counting({1}).broadcast_to({kMostOfView}); }), ErrorCode::bad_dim);  // of 8 bytes each
}

// A view may be larger than any memory, as long as nobody copies it.
TEST(ArrayView, HugeBroadcast) {
  const Array view = Array::scalar(DType::u8, 7).broadcast_to({kMostOfView});
  EXPECT_EQ(view.get(kMostOfView - 1), 7);
  EXPECT_EQ(view.to_string(4), "[7, 7, ..., 7, 7]");
  EXPECT_EQ(code_of_view([&] { view.copy(); }), ErrorCode::out_of_memory);
  EXPECT_EQ(code_of_view([&] { view.cast(DType::f64); }), ErrorCode::out_of_memory);
}

TEST(ArrayView, AssignWritesThroughViews) {
  Array array(DType::i64, {2, 3});
  array.transposed({1, 0}).assign(counting({3, 2}));
  EXPECT_EQ(array.to_string(), "[[0, 2, 4],\n [1, 3, 5]]");
  array.sliced(1, 0, 2, 2).assign(Array::ints({9, 8}).reshaped({2, 1}).broadcast_to({2, 2}));
  EXPECT_EQ(array.to_string(), "[[9, 2, 9],\n [8, 3, 8]]");
  Array scalar = Array::scalar_i64(0);
  scalar.assign(Array::scalar_i64(4));
  EXPECT_EQ(scalar.get_i64(0), 4);
  Array().assign(Array());
}

TEST(ArrayView, AssignBetweenOverlappingViews) {
  Array array = counting({6});
  array.assign(array.sliced(0, 5, 6, -1));
  EXPECT_EQ(array.to_string(), "[5, 4, 3, 2, 1, 0]");
  array.sliced(0, 1, 5, 1).assign(array.sliced(0, 0, 5, 1));
  EXPECT_EQ(array.to_string(), "[5, 5, 4, 3, 2, 1]");
  array.assign(array);
  EXPECT_EQ(array.to_string(), "[5, 5, 4, 3, 2, 1]");
  // Two wraps of one memory are strangers to each other and still one memory.
  std::int32_t memory[4] = {1, 2, 3, 4};
  Array forward = Array::wrap(DType::i32, {4}, memory, nullptr);
  forward.assign(Array::wrap(DType::i32, {4}, memory + 3, nullptr, {-1}));
  EXPECT_EQ(forward.to_string(), "[4, 3, 2, 1]");
}

TEST(ArrayView, AssignNeedsTheSameType) {
  Array array(DType::f32, {2});
  EXPECT_EQ(code_of_view([&] { array.assign(Array(DType::f64, {2})); }), ErrorCode::type_mismatch);
  EXPECT_EQ(code_of_view([&] { array.assign(Array(DType::f32, {3})); }), ErrorCode::bad_shape);
  EXPECT_EQ(code_of_view([&] { array.assign(Array(DType::f32, {1})); }), ErrorCode::bad_shape);
}

// Random chains of views against the plain definition, element by element.
TEST(ArrayView, CopiesOfRandomViewsAgreeWithGet) {
  const RandomStream random(1, combine(0, "views"));
  std::uint64_t position = 0;
  const auto below = [&](std::int64_t limit) {
    return static_cast<std::int64_t>(random.below(position++, static_cast<std::uint64_t>(limit)));
  };
  for (int round = 0; round < 500; ++round) {
    const DType dtypes[] = {DType::u8, DType::bf16, DType::f32, DType::i64};
    Array view = counting({1 + below(4), 1 + below(5), 1 + below(3), 1 + below(4)}).cast(dtypes[below(4)]);
    for (int step = 0; step < 3; ++step) {
      const int axis = static_cast<int>(below(view.rank()));
      const std::int64_t size = view.sizes()[static_cast<std::size_t>(axis)];
      switch (below(3)) {
        case 0:
          view = view.sliced(axis, size - 1, size, -1);
          break;
        case 1:
          view = view.sliced(axis, 0, (size + 1) / 2, 2);
          break;
        default: {
          std::vector<int> perm(static_cast<std::size_t>(view.rank()));
          std::iota(perm.begin(), perm.end(), 0);
          std::swap(perm[static_cast<std::size_t>(axis)], perm[static_cast<std::size_t>(below(view.rank()))]);
          view = view.transposed(perm);
          if (below(2) == 0) {
            Sizes wider = view.sizes();
            wider.insert(wider.begin(), 2);
            view = view.broadcast_to(wider);
          }
        }
      }
    }
    const Array copied = view.copy();
    const Array converted = view.cast(DType::f64);
    const Array narrowed = view.cast(DType::i16);
    Array target = Array(view.dtype(), view.sizes());
    target.assign(view);
    ASSERT_TRUE(copied.is_dense());
    for (std::int64_t k = 0; k < view.count(); ++k) {
      ASSERT_EQ(copied.get(k), view.get(k));
      ASSERT_EQ(converted.get(k), view.get(k));
      ASSERT_EQ(narrowed.get(k), view.get(k));
    }
    ASSERT_TRUE(bit_equal(target, view));
  }
}

}  // namespace
}  // namespace asg
