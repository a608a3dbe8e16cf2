#include "asg/graph/variable.h"

#include <gtest/gtest.h>

namespace asg {
namespace {

TEST(VarKind, NamesReadBack) {
  for (int k = 0; k <= static_cast<int>(VarKind::counter); ++k) {
    const auto kind = static_cast<VarKind>(k);
    EXPECT_EQ(parse_var_kind(name_of(kind)), kind);
  }
  EXPECT_EQ(name_of(VarKind::parameter), "parameter");
  EXPECT_EQ(parse_var_kind("weight"), std::nullopt);
}

TEST(Initializer, KindNamesReadBack) {
  for (int k = 0; k <= static_cast<int>(Initializer::Kind::given); ++k) {
    const auto kind = static_cast<Initializer::Kind>(k);
    EXPECT_EQ(parse_initializer_kind(name_of(kind)), kind);
  }
  EXPECT_EQ(parse_initializer_kind("glorot"), std::nullopt);
}

struct InitializerText {
  Initializer init;
  std::string text;
};

std::vector<InitializerText> texts() {
  return {
      {Initializer::zeros(), "zeros"},
      {Initializer::ones(), "ones"},
      {Initializer::constant(0.5), "constant(0.5)"},
      {Initializer::uniform(-0.1, 0.1), "uniform(-0.1, 0.1)"},
      {Initializer::normal(0, 0.02), "normal(0, 0.02)"},
      {Initializer::truncated_normal(0, 1e-5), "truncated_normal(0, 1e-05)"},
      {Initializer::xavier_uniform(), "xavier_uniform"},
      {Initializer::xavier_normal(1.5), "xavier_normal(1.5)"},
      {Initializer::kaiming_uniform(), "kaiming_uniform"},
      {Initializer::kaiming_normal(1), "kaiming_normal(1)"},
      {Initializer::kaiming_uniform(0, Initializer::Fan::out), "kaiming_uniform(fan out)"},
      {Initializer::kaiming_normal(2, Initializer::Fan::out), "kaiming_normal(2, fan out)"},
      {Initializer::orthogonal(), "orthogonal"},
      {Initializer::identity(), "identity"},
      {Initializer::given(Array::ints({1, 2})), "given(i64[2])"},
      {{Initializer::Kind::given, 0, 0, {}}, "given(nothing)"},
  };
}

TEST(Initializer, HasAText) {
  for (const InitializerText& row : texts()) EXPECT_EQ(row.init.to_string(), row.text);
}

TEST(Initializer, EqualsOnlyItself) {
  const auto rows = texts();
  const auto again = texts();
  for (std::size_t a = 0; a < rows.size(); ++a) {
    for (std::size_t b = 0; b < again.size(); ++b) EXPECT_EQ(rows[a].init == again[b].init, a == b) << a << ' ' << b;
  }
  EXPECT_NE(Initializer::constant(1), Initializer::constant(2));
  EXPECT_NE(Initializer::given(Array::ints({1})), Initializer::given(Array::ints({2})));
}

}  // namespace
}  // namespace asg
