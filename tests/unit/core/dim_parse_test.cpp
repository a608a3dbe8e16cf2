#include <limits>

#include <gtest/gtest.h>

#include "asg/core/dim.h"
#include "asg/core/error.h"

namespace asg {
namespace {

struct DimTextTest : testing::Test {
  const Dim n = Dim::symbol("n");
  const Dim m = Dim::symbol("m");
};

TEST_F(DimTextTest, PrintsAndReadsBack) {
  const Dim batch = Dim::symbol("batch");
  const Dim h = Dim::symbol("h");
  const Dim seq = Dim::symbol("seq", 128);
  constexpr std::int64_t kSmallest = std::numeric_limits<std::int64_t>::min();
  const std::pair<Dim, const char*> rows[] = {
      {0, "0"},
      {-7, "-7"},
      {kSmallest, "-9223372036854775808"},
      {batch, "batch"},
      {2 * batch + 1, "2*batch + 1"},
      {5 - n, "-n + 5"},
      {m - 3 * n, "m - 3*n"},
      {0 - 2 * n, "-2*n"},
      {n * n * m - n, "m*n^2 - n"},
      {n + kSmallest, "n - 9223372036854775808"},
      {n * kSmallest, "-9223372036854775808*n"},
      {floor_div(h - 1, 2) + 1, "floordiv(h - 1, 2) + 1"},
      {ceil_div(n, m), "ceildiv(n, m)"},
      {ceil_div(n, 2), "floordiv(n - 1, 2) + 1"},
      {mod(n, 4), "n - 4*floordiv(n, 4)"},
      {min(n, min(m, 3)), "min(3, m, n)"},
      {max(n - 2, 0), "max(0, n - 2)"},
      {seq, "seq<=128"},
      {2 * seq * seq + 1, "2*seq<=128^2 + 1"},
      {floor_div(seq + n, 3), "floordiv(n + seq<=128, 3)"},
      {Dim::symbol("min") + 1, "min + 1"},
      {Dim::symbol("NonZero#3.0"), "NonZero#3.0"},
  };
  for (const auto& [dim, text] : rows) {
    EXPECT_EQ(dim.to_string(), text);
    EXPECT_EQ(Dim::parse(text), dim) << text;
    EXPECT_EQ(Dim::parse(text).to_string(), text);
  }
}

TEST_F(DimTextTest, ReadsWhatPeopleWrite) {
  const std::pair<const char*, Dim> rows[] = {
      {"n+n", 2 * n},
      {"  n  +  1  ", n + 1},
      {"(n + 1)*(n - 1)", n * n - 1},
      {"-(n - m)", m - n},
      {"-n^2", 0 - n * n},
      {"(n + 1)^2", n * n + 2 * n + 1},
      {"n^0", 1},
      {"2*3*n", 6 * n},
      {"((((n))))", n},
      {"mod(n, 4)", mod(n, 4)},
      {"ceildiv(n, 4)", ceil_div(n, 4)},
      {"floordiv(-7, 2)", -4},
      {"min(n, m, n + 1)", min(n, m)},
      {"seq <= 5", Dim::symbol("seq", 5)},
      {"007", 7},
      {"9223372036854775807", std::numeric_limits<std::int64_t>::max()},
  };
  for (const auto& [text, dim] : rows) EXPECT_EQ(Dim::parse(text), dim) << text;
}

TEST_F(DimTextTest, RefusesEverythingElse) {
  const char* rows[] = {
      "",
      " ",
      "+n",
      "n +",
      "n n",
      "2n",
      "n*",
      "n*-2",
      "--n",
      "(n",
      "n)",
      "()",
      "n,",
      "n/2",
      "n^",
      "n^-1",
      "n^65",
      "2^3",
      "n^2^2",
      "n<128",
      "n<=",
      "n<=-1",
      "n<=m",
      "5<=6",
      "min(n)",
      "min()",
      "min(n,)",
      "mod(n)",
      "mod(n, 0)",
      "mod(1,2,3)",
      "f(n, m)",
      "floordiv(n, 0)",
      "1.5",
      "n\t+ 1",
      "n\n",
      "9223372036854775808",
      "-9223372036854775809",
      "n<=9223372036854775808",
      "99999999999999999999999999",
      "9223372036854775807 + 1",
      "n*9223372036854775807*2",
      "é",
      "n + \xff",
      "3*(-9223372036854775808)",
  };
  for (const char* text : rows) {
    try {
      Dim::parse(text);
      ADD_FAILURE() << "accepted: " << text;
    } catch (const UserError& error) {
      EXPECT_EQ(error.code(), ErrorCode::bad_dim) << text;
    }
  }
  EXPECT_THROW(Dim::parse(std::string_view("n\0", 2)), UserError);
}

TEST_F(DimTextTest, SaysWhereItFailed) {
  const std::pair<const char*, const char*> rows[] = {
      {"2*batch +",
       "bad_dim: \"2*batch +\" at character 10\n"
       "  needed: an integer, a symbol, a function or '('\n"
       "  to mend: write a dimension like 2*batch + 1 or floordiv(h - 1, 2)"},
      {"n + pow(n, 2)",
       "bad_dim: \"n + pow(n, 2)\" at character 5\n"
       "  needed: one of the functions floordiv, ceildiv, mod, min, max\n"
       "  to mend: write a dimension like 2*batch + 1 or floordiv(h - 1, 2)"},
      {"n 2",
       "bad_dim: \"n 2\" at character 3\n"
       "  needed: the end, or one of + - *\n"
       "  to mend: write a dimension like 2*batch + 1 or floordiv(h - 1, 2)"},
  };
  for (const auto& [text, message] : rows) {
    try {
      Dim::parse(text);
      ADD_FAILURE() << "accepted: " << text;
    } catch (const UserError& error) {
      EXPECT_STREQ(error.what(), message);
    }
  }
}

std::string repeated(std::string_view part, int count) {
  std::string text;
  for (int k = 0; k < count; ++k) text += part;
  return text;
}

TEST_F(DimTextTest, LimitsNestingAndLength) {
  EXPECT_EQ(Dim::parse(repeated("(", 64) + "n" + repeated(")", 64)), n);
  EXPECT_NO_THROW(Dim::parse(repeated("max(2*", 64) + "n" + repeated(", m)", 64)));
  const std::string rows[] = {
      repeated("(", 65) + "n" + repeated(")", 65),
      repeated("(", 1'000'000),
      repeated("min(", 10'000),
      repeated("max(2*", 65) + "n" + repeated(", m)", 65),
      repeated("n+", 1'000'000) + "n",
      repeated("-", 100'000),
      repeated("(n + m + 1)*", 200) + "1",
      "min(n" + repeated(", m", 2000) + ")",
      repeated("a", 1000),
      repeated("(n + m + 1)^20 - ", 5000) + "1",
      repeated("floordiv((n + m + k)^12, n + m + 1) + ", 3000) + "1",
      "(a + b + c + d + e)" + repeated("*(-1)", 25'000),
  };
  for (const std::string& text : rows) EXPECT_THROW(Dim::parse(text), UserError) << text.substr(0, 20);
  EXPECT_EQ(Dim::parse(repeated("n + ", 20'000) + "n"), 20'001 * n);
}

TEST_F(DimTextTest, TheDeepestExpressionReadsBack) {
  Dim dim = n;
  Dim last = n;
  try {
    for (int count = 0; count < 1000; ++count) {
      last = dim;
      dim = max(2 * dim, m);
    }
  } catch (const UserError&) {
  }
  EXPECT_EQ(Dim::parse(last.to_string()), last);
}

}  // namespace
}  // namespace asg
