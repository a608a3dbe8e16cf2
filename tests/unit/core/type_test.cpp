#include "asg/core/type.h"

#include <gtest/gtest.h>

#include "asg/core/error.h"

namespace asg {
namespace {

TEST(TensorType, PrintsAndReadsBack) {
  const Dim n = Dim::symbol("n");
  const std::pair<TensorType, const char*> rows[] = {
      {{DType::f32, {}}, "f32[]"},
      {{DType::f32, {Dim::symbol("batch"), 784}}, "f32[batch, 784]"},
      {{DType::boolean, {0}}, "bool[0]"},
      {{DType::i64, {2 * n + 1, min(n, Dim::symbol("m", 8))}}, "i64[2*n + 1, min(m<=8, n)]"},
  };
  for (const auto& [type, text] : rows) {
    EXPECT_EQ(type.to_string(), text);
    EXPECT_EQ(TensorType::parse(text), type) << text;
  }
  EXPECT_EQ(TensorType::parse("f32[ 2 ,3 ]"), (TensorType{DType::f32, {2, 3}}));
  EXPECT_EQ(TensorType::parse("f32[ ]"), (TensorType{DType::f32, {}}));
}

TEST(TensorType, ComparesBothParts) {
  const TensorType type{DType::f32, {2, 3}};
  EXPECT_NE(type, (TensorType{DType::f64, {2, 3}}));
  EXPECT_NE(type, (TensorType{DType::f32, {3, 2}}));
  EXPECT_EQ(TensorType{}, (TensorType{DType::f32, {}}));
}

TEST(TensorType, RefusesOtherText) {
  const std::pair<const char*, ErrorCode> rows[] = {
      {"", ErrorCode::bad_dtype},         {"f33[2]", ErrorCode::bad_dtype},   {"[2]", ErrorCode::bad_dtype},
      {"f32", ErrorCode::bad_shape},      {"f32[", ErrorCode::bad_shape},     {"f32[2", ErrorCode::bad_shape},
      {"f32[2] ", ErrorCode::bad_shape},  {"f32 [2]", ErrorCode::bad_dtype},  {"f32[2,]", ErrorCode::bad_dim},
      {"f32[,]", ErrorCode::bad_dim},     {"f32[2 3]", ErrorCode::bad_dim},   {"f32[2][3]", ErrorCode::bad_dim},
      {"f32[min(2]", ErrorCode::bad_dim}, {"f32[2), 3]", ErrorCode::bad_dim},
  };
  for (const auto& [text, code] : rows) {
    try {
      TensorType::parse(text);
      ADD_FAILURE() << "accepted: " << text;
    } catch (const UserError& error) {
      EXPECT_EQ(error.code(), code) << text << "\n" << error.what();
    }
  }
}

TEST(TensorType, SuggestsTheDtypeThatWasMeant) {
  try {
    TensorType::parse("F32x[2]");
    FAIL() << "nothing was thrown";
  } catch (const UserError& error) {
    EXPECT_STREQ(error.what(),
                 "bad_dtype: the type \"F32x[2]\"\n"
                 "  needed: a dtype and a shape, like f32[batch, 784]\n"
                 "  to mend: did you mean f32?");
  }
}

}  // namespace
}  // namespace asg
