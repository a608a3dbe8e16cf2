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

// Every input of every sample left out in its turn, and all of them at once: an op works without it or refuses it as a
// mistake of the user.
TEST_P(OpRefusals, AbsentInputsAreNoMistakeOfOurs) {
  for (const Sample& sample : op().samples) {
    const Inputs inputs = sample_inputs(op(), sample.name, sample.inputs);
    for (std::size_t index = 0; index <= inputs.size(); ++index) {
      Inputs fewer = inputs;
      if (index < inputs.size()) {
        fewer[index].reset();
      } else {
        fewer.clear();
      }
      try {
        run_op(op(), sample.attrs, fewer);
      } catch (const UserError&) {
        continue;
      } catch (const InternalError& error) {
        ADD_FAILURE() << "sample " << sample.name << " without input " << index << ": " << error.what();
      }
    }
  }
}

ASG_FOR_ALL_OPS(OpRefusals);

}  // namespace
}  // namespace asg::test
