#include "asg/io/npy.h"

#include <gtest/gtest.h>

#include "asg/core/platform.h"

namespace asg::io {
namespace {

// A file as numpy.save writes it.
std::string file_of(const std::string& dictionary, const std::string& elements, char version = 1) {
  const std::string header = dictionary + "\n";
  std::string bytes = "\x93NUMPY";
  bytes += version;
  bytes += '\0';
  bytes += static_cast<char>(header.size());
  bytes += '\0';
  if (version > 1) bytes += std::string(2, '\0');
  return bytes + header + elements;
}

template <class T>
std::string raw(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

TEST(Npy, ReadsWhatNumpyWrites) {
  const Array array =
      read_npy(file_of("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", raw<float>({1, 2, 3, 4, 5, 6})));
  EXPECT_TRUE(bit_equal(array, Array::of<float>({2, 3}, {1, 2, 3, 4, 5, 6})));
  const Array scalar =
      read_npy(file_of("{'descr': '<i8', 'fortran_order': False, 'shape': (), }", raw<std::int64_t>({-7})));
  EXPECT_TRUE(bit_equal(scalar, Array::scalar_i64(-7)));
  const Array vector =
      read_npy(file_of("{'descr': '|b1', 'fortran_order': False, 'shape': (3,), }", std::string("\1\0\7", 3)));
  EXPECT_EQ(vector.type_string(), "bool[3]");
  EXPECT_EQ(vector.get(2), 1);
  const Array newer =
      read_npy(file_of("{'descr': '<u2', 'fortran_order': False, 'shape': (1,), }", raw<std::uint16_t>({65535}), 3));
  EXPECT_EQ(newer.get(0), 65535);
}

TEST(Npy, ReadsTheOtherOrders) {
  const Array turned =
      read_npy(file_of("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }", raw<float>({1, 4, 2, 5, 3, 6})));
  EXPECT_TRUE(bit_equal(turned, Array::of<float>({2, 3}, {1, 2, 3, 4, 5, 6})));
  const Array swapped = read_npy(
      file_of("{'descr': '>i4', 'fortran_order': False, 'shape': (2,), }", std::string("\0\0\1\0\0\0\0\2", 8)));
  EXPECT_EQ(swapped.get_i64(0), 256);
  EXPECT_EQ(swapped.get_i64(1), 2);
}

TEST(Npy, ThereAndBack) {
  for (const DType dtype : all_dtypes()) {
    if (dtype == DType::bf16) continue;
    for (const Sizes& sizes : {Sizes{}, Sizes{3}, Sizes{2, 0, 4}, Sizes{2, 3, 4}}) {
      Array array(dtype, sizes);
      for (std::int64_t k = 0; k < array.count(); ++k) array.set(k, static_cast<double>(k % 2));
      const std::string bytes = to_npy(array);
      EXPECT_EQ((bytes.size() - static_cast<std::size_t>(array.bytes())) % 64, 0U);
      EXPECT_TRUE(bit_equal(read_npy(bytes), array)) << array.type_string();
    }
  }
  const Array view = Array::of<float>({2, 3}, {1, 2, 3, 4, 5, 6}).transposed({1, 0});
  EXPECT_TRUE(bit_equal(read_npy(to_npy(view)), view.copy()));
}

struct BadFile {
  const char* name;
  std::string bytes;
  ErrorCode code;
  const char* contains;
};

TEST(Npy, RefusesWithWords) {
  const std::string good = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }";
  const std::string two = raw<float>({1, 2});
  const std::vector<BadFile> rows = {
      {"nothing", "", ErrorCode::io_error, "begin like .npy"},
      {"text", "hello, world", ErrorCode::io_error, "begin like .npy"},
      {"version", file_of(good, two, 9), ErrorCode::io_error, "version 9"},
      {"cut header", file_of(good, two).substr(0, 30), ErrorCode::io_error, "bytes of header"},
      {"too short", file_of(good, "1234567"), ErrorCode::io_error, "7 bytes of elements"},
      {"too long", file_of(good, two + "x"), ErrorCode::io_error, "9 bytes of elements"},
      {"objects", file_of("{'descr': '|O', 'fortran_order': False, 'shape': (2,), }", two), ErrorCode::bad_dtype, "|O"},
      {"complex", file_of("{'descr': '<c8', 'fortran_order': False, 'shape': (1,), }", two), ErrorCode::bad_dtype,
       "<c8"},
      {"records", file_of("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,), }", two),
       ErrorCode::io_error, "records"},
      {"no dictionary", file_of("[1]", two), ErrorCode::io_error, "'{'"},
      {"unknown key", file_of("{'colour': 'red'}", two), ErrorCode::io_error, "colour"},
      {"missing key", file_of("{'descr': '<f4', 'shape': (2,)}", two), ErrorCode::io_error, "lacks a key"},
      {"open text", file_of("{'descr", two), ErrorCode::io_error, "closing quote"},
      {"no truth", file_of("{'fortran_order': 3}", two), ErrorCode::io_error, "True or False"},
      {"negative", file_of("{'shape': (-2,)}", two), ErrorCode::io_error, "a length"},
      {"huge", file_of("{'descr': '<f4', 'fortran_order': False, 'shape': (999999999999999999, 99999), }", two),
       ErrorCode::io_error, "2^63"}};
  for (const BadFile& row : rows) {
    try {
      read_npy(row.bytes);
      ADD_FAILURE() << row.name << " was read";
    } catch (const UserError& error) {
      EXPECT_EQ(error.code(), row.code) << row.name << ": " << error.what();
      EXPECT_NE(std::string(error.what()).find(row.contains), std::string::npos) << row.name << ": " << error.what();
    }
  }
  EXPECT_THROW(to_npy(Array(DType::bf16, {2})), UserError);
  EXPECT_THROW(read_npy_file("/nowhere.npy"), UserError);
}

}  // namespace
}  // namespace asg::io
