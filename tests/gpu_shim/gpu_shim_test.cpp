// Rendered CUDA C++, compiled as it is by the system's compiler under a shim, beside the reference.
#include <filesystem>

#include <gtest/gtest.h>

#include "checks.h"

namespace asg::gpu_check {
namespace {

class GpuShim : public testing::Test {
 protected:
  void SetUp() override {
#ifdef ASG_FEW_CASES
    GTEST_SKIP() << "sanitizers know nothing of fibers";
#endif
    std::filesystem::create_directories(folder_);
  }

  std::string tool_ = ASG_SOURCE_DIR "/tools/gpu_check";
  std::string folder_ = ASG_BINARY_DIR "/gpu_shim";
};

TEST_F(GpuShim, ComputesWhatTheReferenceDoes) {
  EXPECT_TRUE(check_correct(*shim_machine(tool_ + "/shim", folder_), tool_, 20));
}

TEST_F(GpuShim, ComputesTheSameWithinSmallLimits) {
  EXPECT_TRUE(check_correct(*shim_machine(tool_ + "/shim", folder_), tool_, 20, small_limits()));
}

// Rows that are copied ahead and begin within vectors; sums that several blocks finish; NaN and infinities.
TEST_F(GpuShim, ComputesRowsOfGivenSizes) {
  EXPECT_TRUE(check_cases(*shim_machine(tool_ + "/shim", folder_), sized_cases({7, 2050}, 33), small_limits()));
}

}  // namespace
}  // namespace asg::gpu_check
