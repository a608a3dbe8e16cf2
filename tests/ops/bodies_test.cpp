// An op with both a kernel and a body gives the same numbers either way.
#include "ops/cards.h"
#include "support/compare.h"
#include "support/run_op.h"

namespace asg::test {
namespace {

std::vector<const OpCard*> cards_with_both() {
  std::vector<const OpCard*> cards;
  for (const OpCard* op : cards_under_test()) {
    if (op->kernel && op->body && !op->traits.random) cards.push_back(op);
  }
  return cards;
}

using OpBodies = OpTest;

TEST_P(OpBodies, GiveWhatTheKernelsGive) {
  constexpr double kAllowed = 1e-10;  // a body rounds after each of its ops
  for (const Sample& sample : op().samples) {
    SCOPED_TRACE("sample " + sample.name);
    const Inputs inputs = sample_inputs(op(), sample.name, sample.inputs);
    const std::vector<Array> expected = run_op(op(), sample.attrs, inputs);
    const std::vector<Array> actual = run_body(op(), sample.attrs, inputs);
    ASSERT_EQ(actual.size(), expected.size());
    for (std::size_t port = 0; port < expected.size(); ++port) {
      EXPECT_TRUE(near(actual[port], expected[port], kAllowed)) << "output " << port;
    }
  }
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(OpBodies);
INSTANTIATE_TEST_SUITE_P(AllOps, OpBodies, testing::ValuesIn(cards_with_both()), name_of_test);

}  // namespace
}  // namespace asg::test
