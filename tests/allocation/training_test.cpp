// After the first step of given sizes, training allocates nothing but what oneDNN does within its own calls.
#include <cstdio>

#include <gtest/gtest.h>

#include "allocation/count_allocations.h"
#include "allocation/models.h"
#include "asg/backend/cpu.h"
#include "backend/cpu/library/library.h"

namespace asg::test {
namespace {

constexpr int kSteps = 5;

class TrainingAllocations : public testing::TestWithParam<int> {
 protected:
  void expect_none(TrainingCase made) const {
    train::Trainer trainer(std::move(made.model), std::make_shared<CpuBackend>(GetParam()),
                           {.optimizer = optim::Optimizer::adamw(1e-3)});
    const std::span<const Array> batch = made.batch;
    trainer.step(batch);
    const AllocationCounter counter;
    for (int k = 0; k < kSteps; ++k) trainer.step(batch);
    const Allocations counted = counter.counted();
    EXPECT_EQ(counted.ours, 0) << counter.first_callers();
    // oneDNN always allocates within a product: none would mean that the counter does not see it.
    if (cpu::has_onednn()) {
      EXPECT_GT(counted.onednn, 0) << "a build with oneDNN whose calls were not seen";
    }
    std::printf("%s, %d threads: oneDNN allocates %ld times in %d steps\n", made.name.c_str(), GetParam(),
                counted.onednn, kSteps);
  }
};

TEST_P(TrainingAllocations, OfAnMlp) { expect_none(mlp_case()); }
TEST_P(TrainingAllocations, OfACnn) { expect_none(cnn_case()); }
TEST_P(TrainingAllocations, OfAGpt) { expect_none(gpt_case()); }

INSTANTIATE_TEST_SUITE_P(Threads, TrainingAllocations, testing::Values(1, 2));

TEST(Counter, SeesBothWaysToAllocate) {
  const AllocationCounter counter;
  const Array array(DType::f32, {100});
  const auto number = std::make_unique<std::int64_t>(array.count());
  EXPECT_GE(counter.counted().ours, 2 + *number - 100);
  EXPECT_EQ(counter.counted().onednn, 0);
}

}  // namespace
}  // namespace asg::test
