// Every differentiable op and layer against central differences in f64, over all gradient samples of its card.
#include "asg/check/gradcheck.h"
#include "ops/cards.h"

namespace asg {
namespace {

std::vector<const OpCard*> checkable_ops() {
  std::vector<const OpCard*> ops;
  for (const OpCard* op : test::cards_under_test()) {
    if (has_checkable_gradient(*op)) ops.push_back(op);
  }
  return ops;
}

class CardGradients : public test::OpTest {
 protected:
  void expect_all_pass(int order) const {
    for (const GradientCheck& check : check_gradients(op(), order)) {
      EXPECT_TRUE(check.passed) << check.op << ", sample " << check.sample << ", order " << order << ": max error "
                                << check.max_error << " (bound " << check.bound << "). " << check.detail;
    }
  }
};

TEST_P(CardGradients, FirstOrder) { expect_all_pass(1); }
TEST_P(CardGradients, SecondOrder) {
  if (op().gradient_bounds.twice) expect_all_pass(2);
}

INSTANTIATE_TEST_SUITE_P(AllOps, CardGradients, testing::ValuesIn(checkable_ops()), test::name_of_test);

}  // namespace
}  // namespace asg
