// How kernels are planned for a GPU: shapes, vectors, what is kept, phases. No GPU is needed.
#include "asg/compile/gpu_plan.h"

#include <gtest/gtest.h>

#include "unit/compile/kernel_tools.h"

namespace asg::test {
namespace {

std::string copy_text(const std::string& dtype, const std::string& space, const std::string& strides) {
  return "kernel [" + space + "]\n arg0: " + dtype + " in [" + strides + "]\n arg1: " + dtype + " out [" + strides +
         "]\n %0 = load arg0 : " + dtype + "\n store %0 -> arg1\n";
}

// Softmax of rows, in f32.
std::string softmax_text(std::int64_t rows, std::int64_t length) {
  const std::string strides = "[" + std::to_string(length) + " | 1]\n";
  return "kernel [rows " + std::to_string(rows) + " | row " + std::to_string(length) + "]\n arg0: f32 in " + strides +
         " arg1: f32 out " + strides +
         " %0 = load arg0 : f32\n %1 = reduce max %0 : f32 per row\n %2 = sub %0 %1 : f32\n %3 = exp %2 : f32\n"
         " %4 = reduce sum %3 : f32 per row\n %5 = div %3 %4 : f32\n store %5 -> arg1\n";
}

std::string sum_text(const std::string& dtype, std::int64_t rows, std::int64_t length) {
  return "kernel [rows " + std::to_string(rows) + " | row " + std::to_string(length) + "]\n arg0: " + dtype + " in [" +
         std::to_string(length) + " | 1]\n arg1: " + dtype + " out [0 | 1]\n %0 = load arg0 : " + dtype +
         "\n store sum %0 -> arg1\n";
}

GpuPlan plan_of(const std::string& text, const GpuLimits& limits = {}) {
  return plan_gpu(kernel_from_text(text), limits);
}

TEST(GpuPlan, ReadsAndWritesSixteenBytesAtATime) {
  EXPECT_EQ(to_text(plan_of(copy_text("bf16", "4096, 1024", "1024, 1"))),
            "plan points, 32-bit index, vectors of 8\n"
            "  arg0: vector\n"
            "  arg1: vector\n"
            "  phase points: 2048 blocks of 256 threads\n");
  EXPECT_EQ(plan_of(copy_text("f32", "4096, 1024", "1024, 1")).vector, 4);
  EXPECT_EQ(plan_of(copy_text("f64", "4096, 1024", "1024, 1")).vector, 2);
}

TEST(GpuPlan, HasVectorsOnlyWhereRowsBeginAtOne) {
  EXPECT_EQ(plan_of(copy_text("f32", "64, 6", "8, 1")).vector, 2);   // 6 elements are no vectors of 4
  EXPECT_EQ(plan_of(copy_text("f32", "64, 8", "9, 1")).vector, 1);   // rows begin anywhere
  EXPECT_EQ(plan_of(copy_text("f32", "64, 8", "1, 64")).vector, 1);  // nothing is dense along the last axis
  EXPECT_EQ(plan_of(copy_text("f32", "1001", "1")).vector, 4);       // only the last vector is incomplete
}

TEST(GpuPlan, ReadsWhatRepeatsOnceForAVector) {
  const GpuPlan plan = plan_of(
      "kernel [64, 512]\n arg0: f32 in [512, 1]\n arg1: f32 in [1, 0]\n arg2: f32 in [1, 64]\n arg3: f32 out [512, 1]\n"
      " %0 = load arg0 : f32\n %1 = load arg1 : f32\n %2 = load arg2 : f32\n %3 = mul %0 %1 : f32\n"
      " %4 = add %3 %2 : f32\n store %4 -> arg3\n");
  using Access = GpuPlan::Access;
  EXPECT_EQ(plan.access, (std::vector<Access>{Access::vector, Access::uniform, Access::element, Access::vector}));
}

TEST(GpuPlan, CountsWith64BitsWhere32DoNotDo) {
  EXPECT_FALSE(plan_of(copy_text("f32", "1000000000", "1")).wide_index);
  EXPECT_TRUE(plan_of(copy_text("f32", "3000000000", "1")).wide_index);
  EXPECT_TRUE(plan_of(copy_text("f32", "1000, 10", "3000000, 1")).wide_index);
}

TEST(GpuPlan, GivesShortRowsAWarpAndKeepsThemInRegisters) {
  EXPECT_EQ(to_text(plan_of(softmax_text(65536, 768))),
            "plan warp_rows, 32-bit index, vectors of 4\n"
            "  32 threads × 6 vectors for a row, 8 rows in a block\n"
            "  keep in registers: %0 %3\n"
            "  arg0: vector\n"
            "  arg1: vector\n"
            "  phase rows: 8192 blocks of 256 threads\n");
  const GpuPlan classes = plan_of(softmax_text(100000, 10));
  EXPECT_EQ(classes.row_threads, 2);  // 5 vectors of 2: of 8 threads 3 had nothing to do
  EXPECT_EQ(classes.block_rows, 128);
}

TEST(GpuPlan, GivesLongRowsABlock) {
  const GpuPlan plan = plan_of(softmax_text(8192, 16384));
  EXPECT_EQ(plan.shape, GpuPlan::Shape::block_rows);
  EXPECT_EQ(plan.keep, GpuPlan::Keep::registers);
  EXPECT_EQ(plan.row_threads * plan.vectors * plan.vector, 16384);
}

TEST(GpuPlan, KeepsTheRowOfAVocabularyInSharedMemory) {
  EXPECT_EQ(to_text(plan_of(softmax_text(8192, 50257))),
            "plan block_rows, 32-bit index, vectors of 4, shifted\n"
            "  1024 threads × 13 vectors for a row, 1 row in a block\n"
            "  keep in shared memory: %0, copied ahead\n"
            "  arg0: vector\n"
            "  arg1: vector\n"
            "  phase rows: 1056 blocks of 1024 threads, 212992 bytes shared\n");
  EXPECT_EQ(plan_of(softmax_text(8192, 50257), {.shared_bytes = 48 * 1024}).keep, GpuPlan::Keep::nothing);
}

TEST(GpuPlan, CopiesTheNextRowAheadWhereItIsKeptAsItIsInMemory) {
  const GpuPlan plan = plan_of(softmax_text(8192, 50257));
  EXPECT_TRUE(plan.ahead);
  EXPECT_EQ(plan.phases[0].blocks, 1056);  // each works on several rows
  EXPECT_EQ(plan_of(softmax_text(100, 50257)).phases[0].blocks, 100);
  const GpuPlan without = plan_of(softmax_text(8192, 50257), {.copies_ahead = false});
  EXPECT_FALSE(without.ahead);
  EXPECT_EQ(without.keep, GpuPlan::Keep::shared);
  EXPECT_EQ(without.phases[0].blocks, 8192);
  EXPECT_FALSE(plan_of(softmax_text(8192, 16384)).ahead);  // in registers
}

TEST(GpuPlan, DividesFewLongRowsAmongBlocks) {
  EXPECT_EQ(to_text(plan_of(softmax_text(2, 1000000))),
            "plan split_columns, 32-bit index, vectors of 4\n"
            "  256 threads × 4 vectors for a row, 1 row in a block\n"
            "  arg0: vector\n"
            "  arg1: vector\n"
            "  phase reduce 1: 490 blocks of 256 threads\n"
            "  phase reduce 2: 490 blocks of 256 threads\n"
            "  phase store: 490 blocks of 256 threads\n"
            "  workspace: 8016 bytes\n");
}

TEST(GpuPlan, ReducesAllPointsAsOneRow) {
  const GpuPlan plan = plan_of(
      "kernel [4096, 1000]\n arg0: f32 in [1000, 1]\n arg1: f32 out [0, 0]\n"
      " %0 = load arg0 : f32\n store sum %0 -> arg1\n");
  EXPECT_EQ(plan.shape, GpuPlan::Shape::split_columns);
  EXPECT_EQ(plan.kernel.rows(), 1);
  EXPECT_EQ(plan.kernel.row_length(), 4096000);
  ASSERT_EQ(plan.phases.size(), 2U);
  EXPECT_EQ(plan.phases[1].work, GpuPhase::Work::store_once);
}

TEST(GpuPlan, DividesSumsOverRowsAndAddsThemUpInASecondPhase) {
  EXPECT_EQ(to_text(plan_of(sum_text("f32", 65536, 768))),
            "plan split_rows, 32-bit index, vectors of 4\n"
            "  32 threads × 1 vector for a row, 16 rows in a block\n"
            "  arg0: vector\n"
            "  arg1: vector\n"
            "  phase columns: 264 blocks of 512 threads\n"
            "  phase finish: 24 blocks of 1024 threads\n"
            "  workspace: 135168 bytes\n");
  // Few rows: one block adds all of them up.
  EXPECT_EQ(plan_of(sum_text("f32", 30, 768)).phases.size(), 1U);
}

TEST(GpuPlan, GivesEachSumBlocksOfItsOwnToFinishIt) {
  const GpuPlan plan = plan_of(
      "kernel [rows 65536 | row 100]\n arg0: f32 in [100 | 1]\n arg1: f32 out [0 | 1]\n arg2: f32 out [0 | 1]\n"
      " %0 = load arg0 : f32\n %1 = mul %0 %0 : f32\n store sum %0 -> arg1\n store sum %1 -> arg2\n");
  ASSERT_EQ(plan.phases.size(), 2U);
  EXPECT_EQ(plan.phases[1].blocks, 2 * 4);  // of 32 columns each
  EXPECT_EQ(plan.phases[1].threads, 1024);
}

TEST(GpuPlan, DividesASumAmongMoreBlocksThanRowsWhosePartsAllBlocksRead) {
  const std::string rows = "kernel [rows 1 | row 100000000]\n arg0: f32 in [0 | 1]\n";
  const std::string sum = " %0 = load arg0 : f32\n %1 = reduce sum %0 : f32 per row\n";
  const GpuPlan alone = plan_of(rows + " arg1: f32 out [0 | 0]\n" + sum + " store %1 -> arg1\n");
  EXPECT_GT(alone.parts, 4000);
  EXPECT_LE(alone.parts, 8 * GpuLimits().blocks);
  const GpuPlan used = plan_of(rows + " arg1: f32 out [0 | 1]\n" + sum + " %2 = sub %0 %1 : f32\n store %2 -> arg1\n");
  EXPECT_GT(used.parts, 1000);
  EXPECT_LE(used.parts, 2 * GpuLimits().blocks);
}

TEST(GpuPlan, KeepsTheChainsOfSumsShort) {
  for (const std::int64_t rows : {1000LL, 1000000LL, 100000000LL}) {
    const GpuPlan plan = plan_of(sum_text("f32", rows, 8));
    EXPECT_LE(rows / (plan.parts * plan.block_rows), 512) << rows;
  }
}

TEST(GpuPlan, LeavesPartialSumsOfRowsWithReductions) {
  const GpuPlan plan = plan_gpu(kernel_from_text(proof_text("layer_norm_whole_gradient")));
  EXPECT_EQ(plan.shape, GpuPlan::Shape::block_rows);
  EXPECT_EQ(plan.keep, GpuPlan::Keep::registers);
  ASSERT_EQ(plan.phases.size(), 2U);
  EXPECT_EQ(plan.phases[0].work, GpuPhase::Work::rows);
  EXPECT_EQ(plan.phases[1].work, GpuPhase::Work::finish);
}

TEST(GpuPlan, WorksAcrossRowsThatAreDenseThatWay) {
  const GpuPlan plan = plan_of(
      "kernel [rows 4096 | row 64]\n arg0: f32 in [1 | 4096]\n arg1: f32 out [1 | 0]\n"
      " %0 = load arg0 : f32\n %1 = reduce max %0 : f32 per row\n store %1 -> arg1\n");
  EXPECT_TRUE(plan.across);
  EXPECT_EQ(plan.block_rows, 8);
}

TEST(GpuPlan, StaysWithinItsLimits) {
  const GpuLimits limits{.warp = 32, .block_threads = 128, .shared_bytes = 16 * 1024};
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    const Kernel kernel = draw_kernel(seed).kernel;
    const GpuPlan plan = plan_gpu(kernel, limits);
    ASSERT_FALSE(plan.phases.empty());
    for (const GpuPhase& phase : plan.phases) {
      EXPECT_LE(phase.threads, limits.block_threads) << to_text(kernel) << to_text(plan);
      EXPECT_LE(phase.shared_bytes, limits.shared_bytes) << to_text(kernel) << to_text(plan);
      EXPECT_EQ(phase.threads % limits.warp, 0) << to_text(kernel) << to_text(plan);
    }
    EXPECT_EQ(to_text(plan), to_text(plan_gpu(kernel, limits)));
  }
}

}  // namespace
}  // namespace asg::test
