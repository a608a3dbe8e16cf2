// How many positions a pooling window takes with `ceil_mode`: as many as in ONNX and PyTorch, where a last window that
// would begin in the padding at the end is left out.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "asg/ops/ops.h"

namespace asg {
namespace {

struct PoolRow {
  std::int64_t input, kernel, stride, pad, positions;
};

// Computed by PyTorch 1.13: max_pool1d and avg_pool1d with ceil_mode=True.
const std::vector<PoolRow> kRows = {
    {5, 2, 3, 1, 2}, {5, 2, 2, 1, 3}, {4, 3, 2, 1, 3}, {7, 3, 3, 0, 3},
    {6, 2, 2, 1, 4}, {6, 3, 2, 0, 3}, {1, 2, 2, 1, 1},
};

TEST(Pooling, CeilModeLeavesOutWindowsThatBeginInThePadding) {
  for (const PoolRow& row : kRows) {
    Graph graph("pools");
    const Tensor x = graph.input("x", {DType::f32, {1, 1, row.input, row.input}});
    const Sizes kernel = {row.kernel, row.kernel}, strides = {row.stride, row.stride};
    const Sizes pads = {row.pad, row.pad, row.pad, row.pad};
    const Tensor average = average_pool(x, kernel, {.strides = strides, .pads = pads, .ceil_mode = true});
    const Tensor most = max_pool(x, kernel, {.strides = strides, .pads = pads, .ceil_mode = true}).y;
    const Shape expected = {1, 1, row.positions, row.positions};
    const std::string where = "kernel " + std::to_string(row.kernel) + ", stride " + std::to_string(row.stride) +
                              ", padding " + std::to_string(row.pad) + " on " + std::to_string(row.input);
    EXPECT_EQ(graph.type(average.value()).shape.to_string(), expected.to_string()) << "average_pool, " << where;
    EXPECT_EQ(graph.type(most.value()).shape.to_string(), expected.to_string()) << "max_pool, " << where;
  }
}

}  // namespace
}  // namespace asg
