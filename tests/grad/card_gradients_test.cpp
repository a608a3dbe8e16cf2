// Every differentiable op and layer over all gradient samples of its card: gradients against central differences in
// f64, and the products with the Jacobian against each other.
#include "asg/check/gradcheck.h"
#include "ops/cards.h"
#include "support/amount.h"

namespace asg {
namespace {

std::vector<const OpCard*> checkable_ops() {
  std::vector<const OpCard*> ops;
  for (const OpCard* op : test::cards_under_test()) {
    if (why_not_checked(*op, 1).empty()) ops.push_back(op);
  }
  return ops;
}

class CardGradients : public test::OpTest {
 protected:
  void expect_all_pass(int order) const {
    const OpGradientReport report = check_gradients(op(), order);
    EXPECT_EQ(report.passed, report.failures.empty());
    for (const GradientCheck& check : report.failures) {
      ADD_FAILURE() << check.op << ", sample " << check.sample << ", order " << order << ": max error "
                    << check.max_error << " (bound " << check.bound << "). " << check.detail;
    }
  }
};

// Layers are made of ops that are looked at by themselves, and the products below run their gradients too.
bool is_left_out(const OpCard& op, int order) {
  return test::kFewCases && (op.composite || (order == 2 && op.name.size() % 8 != 0));
}

TEST_P(CardGradients, FirstOrder) {
  if (!is_left_out(op(), 1)) expect_all_pass(1);
}

TEST_P(CardGradients, SecondOrder) {
  if (why_not_checked(op(), 2).empty() && !is_left_out(op(), 2)) expect_all_pass(2);
}

TEST_P(CardGradients, JvpAndVjpAreTransposes) {
  for (const Sample& sample : op().samples) {
    if (!sample.gradient) continue;
    const ProductCheck check = check_products(op(), sample);
    EXPECT_TRUE(check.passed) << op().name << ", sample " << sample.name << ": adjoint error " << check.adjoint_error
                              << ", difference error " << check.difference_error << ". " << check.detail;
  }
}

INSTANTIATE_TEST_SUITE_P(AllOps, CardGradients, testing::ValuesIn(checkable_ops()), test::name_of_test);

}  // namespace
}  // namespace asg
