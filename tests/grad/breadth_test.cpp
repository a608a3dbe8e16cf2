#include "asg/check/gradcheck.h"
#include "ops/cards.h"

namespace asg {
namespace {

// So that a list that has become empty does not pass for a success.
TEST(CardGradients, AreCheckedForManyOps) {
  int checked = 0;
  for (const OpCard* op : test::cards_under_test()) checked += why_not_checked(*op, 1).empty() ? 1 : 0;
  EXPECT_GE(checked, 50);
}

}  // namespace
}  // namespace asg
