#include "asg/core/text.h"

#include <limits>

#include <gtest/gtest.h>

namespace asg {
namespace {

TEST(Grouped, KeepsThousandsApart) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(123456), "123,456");
  EXPECT_EQ(grouped(11689512), "11,689,512");
  EXPECT_EQ(grouped(11689512, "\u202F"), "11\u202F689\u202F512");
}

TEST(Grouped, TakesNumbersBelowZero) {
  EXPECT_EQ(grouped(-999), "-999");
  EXPECT_EQ(grouped(-1000), "-1,000");
  EXPECT_EQ(grouped(std::numeric_limits<std::int64_t>::min()), "-9,223,372,036,854,775,808");
}

}  // namespace
}  // namespace asg
