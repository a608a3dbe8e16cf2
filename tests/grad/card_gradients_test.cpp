// Every differentiable op and layer against central differences in f64, over all gradient samples of its card.
#include <cstdio>

#include <gtest/gtest.h>

#include "asg/check/gradcheck.h"
#include "asg/graph/registry.h"
#include "asg/loss/loss.h"
#include "asg/nn/nn.h"

namespace asg {
namespace {

std::vector<std::string> checkable_ops() {
  register_layers();
  register_losses();
  std::vector<std::string> names;
  for (const OpCard* op : Registry::global().all()) {
    if (has_checkable_gradient(*op)) names.push_back(op->name);
  }
  return names;
}

class CardGradients : public ::testing::TestWithParam<std::string> {
 protected:
  static void expect_all_pass(int order) {
    const OpCard& op = Registry::global().get(GetParam());
    for (const GradientCheck& check : check_gradients(op, order)) {
      EXPECT_TRUE(check.passed) << check.op << ", sample " << check.sample << ", order " << order << ": max error "
                                << check.max_error << " (bound " << check.bound << "). " << check.detail;
    }
  }
};

TEST_P(CardGradients, FirstOrder) { expect_all_pass(1); }
TEST_P(CardGradients, SecondOrder) { expect_all_pass(2); }

INSTANTIATE_TEST_SUITE_P(AllOps, CardGradients, ::testing::ValuesIn(checkable_ops()), [](const auto& row) {
  std::string name = row.param;
  for (char& letter : name) {
    if (letter == '.') letter = '_';
  }
  return name;
});

TEST(CardGradients, ThereAreMany) { EXPECT_GE(checkable_ops().size(), 50u); }

}  // namespace
}  // namespace asg
