#include "asg/core/array.h"

#include <limits>
#include <numeric>

#include <gtest/gtest.h>

#include "asg/core/platform.h"

namespace asg {
namespace {

constexpr std::int64_t kMostElements = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kBig = std::int64_t{1} << 40;

template <class Call>
ErrorCode code_of(Call call) {
  try {
    call();
  } catch (const UserError& error) {
    EXPECT_FALSE(error.detail().given.empty());
    EXPECT_FALSE(error.detail().needed.empty());
    return error.code();
  }
  ADD_FAILURE() << "no error";
  return ErrorCode::bad_command;
}

TEST(ElementCount, Rows) {
  struct Row {
    Sizes sizes;
    std::int64_t count;
    Sizes strides;
  };
  const Row rows[] = {
      {{}, 1, {}},
      {{5}, 5, {1}},
      {{2, 3, 4}, 24, {12, 4, 1}},
      {{2, 0, 4}, 0, {4, 4, 1}},
      {{0}, 0, {1}},
      {{1, 1, 1}, 1, {1, 1, 1}},
      {{kMostElements}, kMostElements, {1}},
      {{1, kMostElements, 1}, kMostElements, {kMostElements, 1, 1}},
      {{0, kMostElements}, 0, {kMostElements, 1}},
      {{std::int64_t{1} << 31, std::int64_t{1} << 31}, std::int64_t{1} << 62, {std::int64_t{1} << 31, 1}},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(element_count(row.sizes), row.count);
    EXPECT_EQ(dense_strides(row.sizes), row.strides);
  }
}

TEST(ElementCount, ImpossibleSizesAreRefused) {
  for (const Sizes& sizes : {Sizes{-1}, Sizes{2, -3}, Sizes{0, -1}, Sizes{kMostElements, 2}, Sizes{kBig, kBig},
                             Sizes{0, kBig, kBig}, Sizes{std::numeric_limits<std::int64_t>::min()}}) {
    EXPECT_EQ(code_of([&] { element_count(sizes); }), ErrorCode::bad_dim);
    EXPECT_EQ(code_of([&] { dense_strides(sizes); }), ErrorCode::bad_dim);
    EXPECT_EQ(code_of([&] { Array(DType::f32, sizes); }), ErrorCode::bad_dim);
  }
}

TEST(Array, DefaultHasNoElements) {
  const Array array;
  EXPECT_EQ(array.dtype(), DType::f32);
  EXPECT_EQ(array.sizes(), Sizes{0});
  EXPECT_EQ(array.count(), 0);
  EXPECT_EQ(array.bytes(), 0);
  EXPECT_TRUE(array.is_dense());
  EXPECT_TRUE(array.data<float>().empty());
  EXPECT_TRUE(bit_equal(array, array.copy()));
}

TEST(Array, NewArraysAreZeroAndAligned) {
  for (const DType dtype : all_dtypes()) {
    for (const Sizes& sizes : {Sizes{}, Sizes{1}, Sizes{3, 5}, Sizes{0, 4}, Sizes{70000}}) {
      const Array array(dtype, sizes);
      EXPECT_EQ(array.dtype(), dtype);
      EXPECT_EQ(array.sizes(), sizes);
      EXPECT_EQ(array.rank(), static_cast<int>(sizes.size()));
      EXPECT_EQ(array.bytes(), element_count(sizes) * bytes_of(dtype));
      EXPECT_TRUE(array.is_dense());
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(array.raw()) % 64, 0u);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(Array::uninitialised(dtype, sizes).raw()) % 64, 0u);
      for (std::int64_t k = 0; k < array.bytes(); ++k) ASSERT_EQ(array.raw()[k], std::byte{0});
    }
  }
}

TEST(Array, MemoryThatCannotBeHad) {
  struct Row {
    DType dtype;
    Sizes sizes;
  };
  const Row rows[] = {
      {DType::u8, {kMostElements}},                   // as many bytes as there are numbers
      {DType::f64, {kMostElements}},                  // more bytes than there are numbers
      {DType::f32, {std::int64_t{1} << 61}},          // 2^63 bytes, one more than the greatest number
      {DType::u8, {kMostElements - 32}},              // overflows only with the alignment
      {DType::f32, {1 << 20, 1 << 20, 1 << 10}},      // 4 PiB
      {DType::u8, {platform::physical_bytes() + 1}},  // more than the machine
      {DType::f64, {platform::physical_bytes(), 1000}},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(code_of([&] { Array(row.dtype, row.sizes); }), ErrorCode::out_of_memory);
    EXPECT_EQ(code_of([&] { Array::uninitialised(row.dtype, row.sizes); }), ErrorCode::out_of_memory);
  }
  // The text tells the type and its bytes.
  try {
    Array(DType::f32, {1 << 20, 1 << 20, 1 << 10});
    FAIL() << "no error";
  } catch (const UserError& error) {
    EXPECT_NE(error.detail().given.find("f32[1048576, 1048576, 1024]"), std::string::npos);
    EXPECT_NE(error.detail().given.find("4503599627370496 bytes"), std::string::npos);
  }
}

TEST(Array, OfCopiesValues) {
  const Array array = Array::of<std::int32_t>({2, 2}, {1, 2, 3, 4});
  EXPECT_EQ(array.dtype(), DType::i32);
  EXPECT_EQ(array.get_i64(3), 4);
  const Array flags = Array::of<bool>({3}, {true, false, true});
  EXPECT_EQ(flags.dtype(), DType::boolean);
  EXPECT_EQ(flags.to_string(), "[true, false, true]");
  EXPECT_TRUE(flags.data<bool>()[2]);
  EXPECT_EQ(Array::of<float>({0}, {}).count(), 0);
  EXPECT_EQ(code_of([] { Array::of<float>({2}, {1.0f}); }), ErrorCode::bad_shape);
}

TEST(Array, Scalars) {
  for (const DType dtype : all_dtypes()) {
    const Array one = Array::scalar(dtype, 1.0);
    EXPECT_EQ(one.rank(), 0);
    EXPECT_EQ(one.count(), 1);
    EXPECT_EQ(one.get(0), 1.0);
    EXPECT_EQ(one.get_i64(0), 1);
  }
  EXPECT_EQ(Array::scalar_i64(kMostElements).get_i64(0), kMostElements);
  EXPECT_EQ(Array::ints({3, -1}).to_string(), "[3, -1]");
  EXPECT_EQ(Array::ints({}).sizes(), Sizes{0});
}

TEST(Array, CopiesOfTheHandleShare) {
  Array array(DType::f32, {2});
  Array handle = array;
  const Array deep = array.copy();
  handle.set(1, 5);
  EXPECT_EQ(array.get(1), 5);
  EXPECT_EQ(deep.get(1), 0);
}

TEST(Array, PositionsAreChecked) {
  Array array(DType::f32, {2, 3});
  for (const std::int64_t position : {std::int64_t{-1}, std::int64_t{6}, kMostElements}) {
    EXPECT_EQ(code_of([&] { array.get(position); }), ErrorCode::bad_index);
    EXPECT_EQ(code_of([&] { array.get_i64(position); }), ErrorCode::bad_index);
    EXPECT_EQ(code_of([&] { array.set(position, 1); }), ErrorCode::bad_index);
    EXPECT_EQ(code_of([&] { array.set_i64(position, 1); }), ErrorCode::bad_index);
  }
  EXPECT_EQ(code_of([] { Array().get(0); }), ErrorCode::bad_index);
}

TEST(Array, TypedAccessIsChecked) {
  Array array(DType::f32, {2, 3});
  EXPECT_EQ(array.data<float>().size(), 6u);
  EXPECT_EQ(code_of([&] { array.data<double>(); }), ErrorCode::type_mismatch);
  EXPECT_EQ(code_of([&] { array.mutable_data<std::int32_t>(); }), ErrorCode::type_mismatch);
  EXPECT_EQ(code_of([&] { Array(DType::f16, {1}).data<std::uint16_t>(); }), ErrorCode::type_mismatch);
  Array view = array.transposed({1, 0});
  EXPECT_EQ(code_of([&] { view.data<float>(); }), ErrorCode::bad_shape);
  EXPECT_EQ(code_of([&] { view.mutable_data<float>(); }), ErrorCode::bad_shape);
  EXPECT_EQ(view.dense().data<float>().size(), 6u);
}

TEST(Array, WrapCallsItsDeleterOnce) {
  std::vector<float> memory = {1, 2, 3, 4, 5, 6};
  int calls = 0;
  void* seen = nullptr;
  {
    Array view;
    {
      Array array = Array::wrap(DType::f32, {2, 3}, memory.data(), [&](void* data) {
        ++calls;
        seen = data;
      });
      EXPECT_EQ(array.raw(), reinterpret_cast<std::byte*>(memory.data()));
      Array handle = array;
      handle.set(0, 10);
      view = array.sliced(1, 2, 3, -1);
    }
    EXPECT_EQ(calls, 0);  // the view still needs it
    EXPECT_EQ(view.to_string(), "[[3, 2, 10],\n [6, 5, 4]]");
  }
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(seen, memory.data());
  EXPECT_EQ(memory[0], 10);
  {
    const Array empty = Array::wrap(DType::f32, {0}, nullptr, [&](void*) { ++calls; });
    EXPECT_EQ(empty.count(), 0);
  }
  EXPECT_EQ(calls, 2);
  {
    const Array kept = Array::wrap(DType::f32, {6}, memory.data(), nullptr);
  }
}

TEST(Array, WrapTakesStrides) {
  std::vector<std::int16_t> memory(12);
  std::iota(memory.begin(), memory.end(), std::int16_t{0});
  struct Row {
    Sizes sizes, strides;
    int first;
    const char* text;
    bool dense;
  };
  const Row rows[] = {
      {{2, 3}, {}, 0, "[[0, 1, 2],\n [3, 4, 5]]", true},
      {{2, 3}, {3, 1}, 1, "[[1, 2, 3],\n [4, 5, 6]]", true},
      {{2, 3}, {1, 2}, 0, "[[0, 2, 4],\n [1, 3, 5]]", false},
      {{3}, {-4}, 11, "[11, 7, 3]", false},
      {{2, 2}, {0, 1}, 4, "[[4, 5],\n [4, 5]]", false},
      {{2, 1}, {1, 77}, 0, "[[0],\n [1]]", true},  // the stride of an axis of 1 means nothing
      {{}, {}, 5, "5", true},
  };
  for (const Row& row : rows) {
    const Array array = Array::wrap(DType::i16, row.sizes, memory.data() + row.first, nullptr, row.strides);
    EXPECT_EQ(array.to_string(), row.text);
    EXPECT_EQ(array.is_dense(), row.dense) << row.text;
    EXPECT_TRUE(bit_equal(array, array.copy()));
    EXPECT_TRUE(array.copy().is_dense());
  }
}

TEST(Array, WrapRefusesWhatCannotBe) {
  alignas(16) std::byte memory[64] = {};
  struct Row {
    DType dtype;
    Sizes sizes;
    void* data;
    Sizes strides;
    ErrorCode code;
  };
  const Row rows[] = {
      {DType::f32, {2, 2}, memory, {1}, ErrorCode::bad_shape},
      {DType::f32, {2}, nullptr, {}, ErrorCode::missing_value},
      {DType::f32, {2}, memory + 2, {}, ErrorCode::type_mismatch},
      {DType::f32, {-2}, memory, {}, ErrorCode::bad_dim},
      {DType::f64, {kMostElements}, memory, {}, ErrorCode::out_of_memory},
      {DType::f32, {3, 3}, memory, {kMost / 2, 1}, ErrorCode::bad_dim},
      {DType::f32, {3, 3}, memory, {-kMostElements - 1, 1}, ErrorCode::bad_dim},
      {DType::u8, {3, 3}, memory, {kMost / 4, kMost / 4}, ErrorCode::bad_dim},
  };
  for (const Row& row : rows) {
    const auto deleter = [](void*) { ADD_FAILURE() << "the memory stays with the user"; };
    EXPECT_EQ(code_of([&] { Array::wrap(row.dtype, row.sizes, row.data, deleter, row.strides); }), row.code);
  }
}

TEST(Array, BitEqual) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Array base = Array::of<float>({2}, {nan, 0.0f});
  EXPECT_TRUE(bit_equal(base, Array::of<float>({2}, {nan, 0.0f})));
  EXPECT_FALSE(bit_equal(base, Array::of<float>({2}, {-nan, 0.0f})));
  EXPECT_FALSE(bit_equal(base, Array::of<float>({2}, {nan, -0.0f})));
  EXPECT_FALSE(bit_equal(base, base.reshaped({1, 2})));
  EXPECT_FALSE(bit_equal(Array(DType::f32, {2}), Array(DType::i32, {2})));
  EXPECT_FALSE(bit_equal(Array(DType::f32, {0, 2}), Array(DType::f32, {2, 0})));
  const Array square = Array::of<float>({2, 2}, {1, 2, 2, 1});
  EXPECT_TRUE(bit_equal(square, square.transposed({1, 0})));
}

TEST(Array, TypeString) {
  EXPECT_EQ(Array(DType::f32, {2, 3}).type_string(), "f32[2, 3]");
  EXPECT_EQ(Array(DType::boolean, {}).type_string(), "bool[]");
  EXPECT_EQ(Array(DType::bf16, {0}).type_string(), "bf16[0]");
}

}  // namespace
}  // namespace asg
