#include "io/tokenizer/utf8.h"

#include <gtest/gtest.h>

namespace asg::io {
namespace {

struct Sequence {
  const char* name;
  std::string text;
  char32_t code;      // kNoCharacter where the bytes are none
  std::size_t bytes;  // that count as one
};

// The ends of every range of Unicode 15, table 3-7, and what lies just beyond them.
TEST(Utf8, DecodesWhatTheTableOfUnicodeAllows) {
  const Sequence rows[] = {
      {"ascii", "a", U'a', 1},
      {"last of one byte", "\x7F", 0x7F, 1},
      {"first of two bytes", "\xC2\x80", 0x80, 2},
      {"last of two bytes", "\xDF\xBF", 0x7FF, 2},
      {"first of three bytes", "\xE0\xA0\x80", 0x800, 3},
      {"before the surrogates", "\xED\x9F\xBF", 0xD7FF, 3},
      {"after the surrogates", "\xEE\x80\x80", 0xE000, 3},
      {"last of three bytes", "\xEF\xBF\xBF", 0xFFFF, 3},
      {"first of four bytes", "\xF0\x90\x80\x80", 0x10000, 4},
      {"last of all", "\xF4\x8F\xBF\xBF", 0x10FFFF, 4},
      {"a byte of the middle", "\x80", kNoCharacter, 1},
      {"last byte of the middle", "\xBF", kNoCharacter, 1},
      {"overlong nul", "\xC0\x80", kNoCharacter, 1},
      {"overlong of two bytes", "\xC1\xBF", kNoCharacter, 1},
      {"overlong of three bytes", "\xE0\x9F\xBF", kNoCharacter, 1},
      {"first surrogate", "\xED\xA0\x80", kNoCharacter, 1},
      {"last surrogate", "\xED\xBF\xBF", kNoCharacter, 1},
      {"overlong of four bytes", "\xF0\x8F\xBF\xBF", kNoCharacter, 1},
      {"beyond the last of all", "\xF4\x90\x80\x80", kNoCharacter, 1},
      {"no first byte", "\xF5\x80\x80\x80", kNoCharacter, 1},
      {"never a byte of text", "\xFF", kNoCharacter, 1},
      {"two bytes cut off", "\xC3", kNoCharacter, 1},
      {"three bytes cut off", "\xE2\x82", kNoCharacter, 2},
      {"four bytes cut off", "\xF0\x9F\x98", kNoCharacter, 3},
      {"no byte of the middle", "\xE2\x82z", kNoCharacter, 2},
      {"first byte after a first byte", "\xC3\xC3", kNoCharacter, 1},
  };
  for (const Sequence& row : rows) {
    const Decoded found = decode_at(row.text, 0);
    EXPECT_EQ(found.code, row.code) << row.name;
    EXPECT_EQ(found.bytes, row.bytes) << row.name;
    EXPECT_EQ(is_utf8(row.text), row.code != kNoCharacter) << row.name;
    if (row.code == kNoCharacter) continue;
    std::string written;
    append_utf8(written, row.code);
    EXPECT_EQ(written, row.text) << row.name;
  }
}

TEST(Utf8, ReplacesEachPartThatIsNoCharacter) {
  const std::string mark(kReplacement);
  EXPECT_EQ(with_replacements("a\xED\xA0\x80z"), "a" + mark + mark + mark + "z");
  EXPECT_EQ(with_replacements("\xE2\x82z\xC3\xA9"), mark + "z\xC3\xA9");
  EXPECT_EQ(with_replacements("\xF0\x9F\x98"), mark);
}

}  // namespace
}  // namespace asg::io
