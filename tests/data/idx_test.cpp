#include "asg/data/idx.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "asg/core/error.h"

namespace asg::data {
namespace {

std::vector<std::byte> bytes(const std::vector<int>& values) {
  std::vector<std::byte> result;
  for (int value : values) result.push_back(static_cast<std::byte>(value));
  return result;
}

TEST(Idx, ReadsBytesAndBigEndianNumbers) {
  const Array small = read_idx(bytes({0, 0, 8, 2, 0, 0, 0, 2, 0, 0, 0, 3, 1, 2, 3, 4, 5, 255}));
  EXPECT_EQ(small.type_string(), "u8[2, 3]");
  EXPECT_EQ(small.get(5), 255);
  const Array wide = read_idx(bytes({0, 0, 0x0B, 1, 0, 0, 0, 2, 1, 2, 0xFF, 0xFE}));
  EXPECT_EQ(wide.get_i64(0), 258);
  EXPECT_EQ(wide.get_i64(1), -2);
  EXPECT_EQ(read_idx(bytes({0, 0, 0x0D, 0, 0x3F, 0x80, 0, 0})).get(0), 1.0);
  EXPECT_EQ(read_idx(bytes({0, 0, 8, 1, 0, 0, 0, 0})).count(), 0);
}

struct Malformed {
  const char* name;
  std::vector<int> content;
  const char* contains;
};

class MalformedIdx : public testing::TestWithParam<Malformed> {};

TEST_P(MalformedIdx, IsRefused) {
  try {
    read_idx(bytes(GetParam().content));
    FAIL() << "accepted";
  } catch (const UserError& error) {
    EXPECT_TRUE(error.code() == ErrorCode::io_error || error.code() == ErrorCode::bad_dim) << error.what();
    EXPECT_NE(std::string(error.what()).find(GetParam().contains), std::string::npos) << error.what();
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, MalformedIdx,
    testing::Values(Malformed{"empty", {}, "0 bytes"}, Malformed{"magic", {1, 0, 8, 1, 0, 0, 0, 0}, "begin like IDX"},
                    Malformed{"code", {0, 0, 7, 1, 0, 0, 0, 0}, "begin like IDX"},
                    Malformed{"short_header", {0, 0, 8, 3, 0, 0, 0, 1}, "16 bytes of header"},
                    Malformed{"short_body", {0, 0, 8, 1, 0, 0, 0, 3, 1, 2}, "3 elements"},
                    Malformed{"long_body", {0, 0, 8, 1, 0, 0, 0, 1, 1, 2}, "1 elements"},
                    Malformed{"odd_body", {0, 0, 0x0B, 1, 0, 0, 0, 1, 1, 2, 3}, "1 elements"},
                    Malformed{
                        "huge", {0, 0, 8, 3, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255}, "2^63"}),
    [](const auto& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace asg::data
