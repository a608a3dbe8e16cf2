#include "asg/decode/text_stream.h"

#include <gtest/gtest.h>

namespace asg::decode {
namespace {

// A token is a byte.
std::string bytes_of_tokens(std::span<const std::int64_t> tokens) {
  std::string text;
  for (const std::int64_t token : tokens) text += static_cast<char>(token);
  return text;
}

std::vector<std::string> shown(const std::string& text) {
  TextStream stream(bytes_of_tokens);
  std::vector<std::string> parts;
  for (const char byte : text) parts.push_back(stream.add(static_cast<unsigned char>(byte)));
  parts.push_back(stream.finish());
  return parts;
}

TEST(TextStream, ShowsWholeCharacters) {
  using Parts = std::vector<std::string>;
  EXPECT_EQ(shown("ab"), (Parts{"a", "b", ""}));
  EXPECT_EQ(shown("é!"), (Parts{"", "é", "!", ""}));
  EXPECT_EQ(shown("€"), (Parts{"", "", "€", ""}));
  EXPECT_EQ(shown("😀"), (Parts{"", "", "", "😀", ""}));
  // Cut off in the middle, and what is no UTF-8 at all.
  EXPECT_EQ(shown("x\xE2\x82"), (Parts{"x", "", "", "\xE2\x82"}));
  EXPECT_EQ(shown("\x80\x80"), (Parts{"\x80", "\x80", ""}));
}

// A decoder that looks at neighbours: what it takes back is waited for, and put right at the end.
TEST(TextStream, WaitsForWhatMayChange) {
  TextStream stream([](std::span<const std::int64_t> tokens) {
    return tokens.size() == 2 ? std::string("other") : std::string(tokens.size(), 'a');
  });
  EXPECT_EQ(stream.add(1), "a");
  EXPECT_EQ(stream.add(1), "");
  EXPECT_EQ(stream.add(1), "aa");
  EXPECT_EQ(stream.finish(), "");
}

}  // namespace
}  // namespace asg::decode
