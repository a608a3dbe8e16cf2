// What must be refused is refused, with the code and the words that the card promises.
#include "ops/cards.h"
#include "support/run_op.h"

namespace asg::test {
namespace {

using OpRefusals = OpTest;

TEST_P(OpRefusals, HaveTheirCodeAndWords) {
  for (const BadSample& sample : op().bad_samples) {
    SCOPED_TRACE("bad sample " + sample.name);
    try {
      run_op(op(), sample.attrs, sample_inputs(op(), sample.name, sample.inputs));
      ADD_FAILURE() << "was not refused";
    } catch (const UserError& error) {
      EXPECT_EQ(name_of(error.code()), name_of(sample.code)) << error.what();
      EXPECT_NE(std::string(error.what()).find(sample.contains), std::string::npos)
          << error.what() << "\ndoes not contain: " << sample.contains;
      EXPECT_FALSE(error.detail().given.empty()) << error.what();
      EXPECT_FALSE(error.detail().needed.empty()) << error.what();
    }
  }
}

ASG_FOR_ALL_OPS(OpRefusals);

}  // namespace
}  // namespace asg::test
