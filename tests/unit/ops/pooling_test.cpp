// Pooling with `ceil_mode`: as many positions as in ONNX and PyTorch, where a last window that would begin in the
// padding at the end is left out, and averages of what lies under the window and in the padded input.
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "asg/autograd/products.h"
#include "asg/backend/backend_registry.h"
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

// ---- Values and gradients on one, two and three axes. Input and divisors are products of those of each axis, and so
// are the results.

// What PyTorch averages under the window at `position`: the elements from `first` to before `last`, divided by `count`.
struct PoolWindow {
  std::int64_t first, last, count;
};

PoolWindow window_at(const PoolRow& row, std::int64_t position, bool counts_padding) {
  const std::int64_t begin = position * row.stride - row.pad;
  const std::int64_t end = std::min(begin + row.kernel, row.input + row.pad);
  const std::int64_t first = std::max<std::int64_t>(begin, 0);
  const std::int64_t last = std::min(end, row.input);
  return {first, last, counts_padding ? end - begin : last - first};
}

double element_at(std::int64_t place) { return 1 + 0.5 * static_cast<double>(place * place); }

std::vector<double> averages_along(const PoolRow& row, bool counts_padding) {
  std::vector<double> averages;
  for (std::int64_t position = 0; position < row.positions; ++position) {
    const PoolWindow window = window_at(row, position, counts_padding);
    double sum = 0;
    for (std::int64_t place = window.first; place < window.last; ++place) sum += element_at(place);
    averages.push_back(sum / static_cast<double>(window.count));
  }
  return averages;
}

// How much each element counts in all averages together.
std::vector<double> gradient_along(const PoolRow& row, bool counts_padding) {
  std::vector<double> gradient(static_cast<std::size_t>(row.input), 0);
  for (std::int64_t position = 0; position < row.positions; ++position) {
    const PoolWindow window = window_at(row, position, counts_padding);
    for (std::int64_t place = window.first; place < window.last; ++place) {
      gradient[static_cast<std::size_t>(place)] += 1 / static_cast<double>(window.count);
    }
  }
  return gradient;
}

// Products of the numbers of each axis, over `axes` axes.
Array product_of(const std::vector<double>& along, int axes) {
  Sizes sizes = {1, 1};
  sizes.insert(sizes.end(), static_cast<std::size_t>(axes), static_cast<std::int64_t>(along.size()));
  Array result(DType::f64, sizes);
  for (std::int64_t at = 0; at < result.count(); ++at) {
    double number = 1;
    std::int64_t rest = at;
    for (int axis = 0; axis < axes; ++axis) {
      number *= along[static_cast<std::size_t>(rest % static_cast<std::int64_t>(along.size()))];
      rest /= static_cast<std::int64_t>(along.size());
    }
    result.set(at, number);
  }
  return result;
}

void expect_near(const Array& ours, const Array& expected, const std::string& where) {
  ASSERT_EQ(ours.sizes(), expected.sizes()) << where;
  for (std::int64_t at = 0; at < expected.count(); ++at) {
    EXPECT_NEAR(ours.get(at), expected.get(at), 1e-12 * std::max(1.0, expected.get(at))) << where << ", element " << at;
  }
}

TEST(Pooling, AveragesWithCeilModeAreThoseOfTheirWindows) {
  for (const PoolRow& row : kRows) {
    std::vector<double> elements;
    for (std::int64_t place = 0; place < row.input; ++place) elements.push_back(element_at(place));
    for (const int axes : {1, 2, 3}) {
      for (const bool counts_padding : {false, true}) {
        const auto all = [axes](std::int64_t number, int times = 1) {
          return Sizes(static_cast<std::size_t>(axes * times), number);
        };
        Graph graph("average");
        const Array input = product_of(elements, axes);
        const Tensor x = graph.input("x", {DType::f64, Shape::of(input.sizes())});
        const Tensor y = average_pool(x, all(row.kernel),
                                      {.strides = all(row.stride),
                                       .pads = all(row.pad, 2),
                                       .ceil_mode = true,
                                       .count_include_pad = counts_padding});
        graph.set_output("y", y);
        graph.set_output("sum", reduce_sum(y, {}, {.keepdims = false}));
        const Value sum = graph.find_output("sum")->value;
        const Graph joint = differentiate(graph, sum, std::vector{x.value()}, Mode::eval).graph;
        for (const char* name : {"interp", "cpu"}) {
          const std::unique_ptr<Backend> backend = BackendRegistry::global().make(name);
          const NamedArrays outputs = backend->compile(joint)->run({{"x", input}}).outputs;
          const std::string where = std::string(name) + ", " + std::to_string(axes) + " axes of " +
                                    std::to_string(row.input) + ", kernel " + std::to_string(row.kernel);
          expect_near(outputs.at("y"), product_of(averages_along(row, counts_padding), axes), where);
          expect_near(outputs.at("gradient:0"), product_of(gradient_along(row, counts_padding), axes),
                      where + ", gradient");
        }
      }
    }
  }
}

}  // namespace
}  // namespace asg
