#include <cmath>
#include <limits>
#include <set>

#include <gtest/gtest.h>

#include "asg/core/error.h"
#include "asg/lab/tensor_frame.h"
#include "lab/token.h"

namespace asg::lab {
namespace {

TEST(TensorFrame, HasTheBytesOfTheContract) {
  const std::vector<float> values = {1.0f, -2.0f};
  const std::string bytes = tensor_frame(R"({"a":1})", values);
  EXPECT_EQ(bytes, std::string("ASGT\x08\0\0\0{\"a\":1} \0\0\x80\x3F\0\0\0\xC0", 24));
}

TEST(TensorFrame, ComesBackWhateverItHolds) {
  const float infinity = std::numeric_limits<float>::infinity();
  for (std::size_t length = 2; length < 12; ++length) {
    const std::string header = "{" + std::string(length - 2, 'x') + "}";
    for (std::size_t count = 0; count < 5; ++count) {
      std::vector<float> values(count, infinity);
      if (count > 1) values[1] = -0.0f;
      const std::string bytes = tensor_frame(header, values);
      EXPECT_EQ(bytes.size() % 4, 0u);
      const TensorFrame frame = read_tensor_frame(bytes);
      EXPECT_EQ(frame.header, header);
      EXPECT_EQ(frame.values, values);
    }
  }
  EXPECT_TRUE(std::isnan(read_tensor_frame(tensor_frame("{}", std::vector{std::nanf("")})).values.at(0)));
}

TEST(TensorFrame, RefusesOtherBytes) {
  const std::string good = tensor_frame("{}", std::vector{1.0f, 2.0f});
  std::vector<std::string> bad = {"",
                                  "ASGT",
                                  "ASGT\x01\0\0",
                                  std::string("ASGT\xFF\xFF\xFF\xFF{}  ", 12),
                                  std::string("ASGT\x02\0\0\0{}", 10),
                                  "X" + good.substr(1),
                                  good + "x"};
  for (std::size_t length = 0; length < good.size(); ++length) {
    if (length != 12 && length != 16) bad.push_back(good.substr(0, length));
  }
  for (const std::string& bytes : bad) {
    try {
      read_tensor_frame(bytes);
      ADD_FAILURE() << "taken: " << bytes;
    } catch (const UserError& error) {
      EXPECT_EQ(error.code(), ErrorCode::bad_json);
    }
  }
}

TEST(Token, IsLongAndNeverTheSame) {
  std::set<std::string> tokens;
  std::set<char> letters;
  for (int count = 0; count < 100; ++count) {
    const std::string token = make_token();
    EXPECT_EQ(token.size(), 32u);
    EXPECT_TRUE(is_fit_for_token(token)) << token;
    letters.insert(token.begin(), token.end());
    tokens.insert(token);
  }
  EXPECT_EQ(tokens.size(), 100u);
  EXPECT_EQ(letters.size(), 64u);  // of 3,200 drawn, none is missing but once in 10^20 times
}

TEST(Token, MustBeLongAndOfPlainLetters) {
  EXPECT_TRUE(is_fit_for_token("abcDEF0123-_4567"));
  EXPECT_FALSE(is_fit_for_token("abcDEF0123-_456"));
  EXPECT_FALSE(is_fit_for_token("abcDEF0123-_456&"));
  EXPECT_FALSE(is_fit_for_token(""));
}

TEST(Token, IsComparedAsAWhole) {
  EXPECT_TRUE(equal_in_constant_time("abc", "abc"));
  EXPECT_TRUE(equal_in_constant_time("", ""));
  EXPECT_FALSE(equal_in_constant_time("abc", "abd"));
  EXPECT_FALSE(equal_in_constant_time("Xbc", "abc"));
  EXPECT_FALSE(equal_in_constant_time("abc", "ab"));
  EXPECT_FALSE(equal_in_constant_time("", "a"));
}

}  // namespace
}  // namespace asg::lab
