// Gradients of a graph whose lengths are symbols are those of the same graph with numbers, also of second order.
#include <gtest/gtest.h>

#include "asg/autograd/gradients.h"
#include "asg/graph/graph.h"
#include "asg/ops/ops.h"
#include "support/compare.h"
#include "support/run_op.h"

namespace asg::test {
namespace {

struct GradientRow {
  const char* name;
  const char* type;  // of x, with symbols
  Sizes sizes;       // of x, in a run
  Tensor (*build)(const Tensor& x);
};

Tensor int_list(const Tensor& x, std::vector<std::int64_t> numbers) { return x.graph().constant(Array::ints(numbers)); }

Tensor padded(const Tensor& x, const char* mode) {
  return add_op("Pad", {x, int_list(x, {1, 0, 1, 2})}, {{"mode", mode}});
}

const GradientRow kGradientRows[] = {
    {"product", "f64[2, n]", {2, 3}, [](const Tensor& x) { return add_op("ReduceProd", {x, int_list(x, {1})}); }},
    {"product_of_all", "f64[n, 3, m]", {2, 3, 2}, [](const Tensor& x) { return add_op("ReduceProd", {x}); }},
    {"variance",
     "f64[n, 3, m]",
     {2, 3, 4},
     [](const Tensor& x) { return add_op("ReduceVariance", {x, int_list(x, {0, 1})}, {{"correction", 1}}); }},
    {"log_sum_exp",
     "f64[n, 3]",
     {2, 3},
     [](const Tensor& x) { return add_op("ReduceLogSumExp", {x, int_list(x, {0})}); }},
    {"reflect", "f64[n, m]", {3, 4}, [](const Tensor& x) { return padded(x, "reflect"); }},
    {"edge", "f64[n, m]", {3, 4}, [](const Tensor& x) { return padded(x, "edge"); }},
    {"wrap", "f64[n, m]", {3, 4}, [](const Tensor& x) { return padded(x, "wrap"); }},
    {"flatten", "f64[n, 2, m]", {3, 2, 4}, [](const Tensor& x) { return add_op("Flatten", {x}); }},
    {"tile", "f64[n, 2]", {3, 2}, [](const Tensor& x) { return add_op("Tile", {x, int_list(x, {2, 3})}); }},
    {"tile_by_its_own_length",
     "f64[n]",
     {3},
     [](const Tensor& x) { return add_op("Tile", {x, add_op("Shape", {x})}); }},
    {"depth_to_space",
     "f64[n, 8, h, w]",
     {1, 8, 2, 3},
     [](const Tensor& x) { return add_op("DepthToSpace", {x}, {{"blocksize", 2}, {"mode", "CRD"}}); }},
    {"space_to_depth",
     "f64[n, c, 2*h, 2*w]",
     {1, 2, 4, 2},
     [](const Tensor& x) { return add_op("SpaceToDepth", {x}, {{"blocksize", 2}}); }},
    {"einsum_diagonal",
     "f64[n, m, n]",
     {3, 2, 3},
     [](const Tensor& x) { return add_op("Einsum", {x}, {{"equation", "iji->j"}}); }},
    {"einsum_product",
     "f64[n, m]",
     {2, 3},
     [](const Tensor& x) { return add_op("Einsum", {x, x}, {{"equation", "ij,kj->ik"}}); }},
    {"gather_nd",
     "f64[2, n, m]",
     {2, 3, 4},
     [](const Tensor& x) {
       const Tensor rows = x.graph().constant(Array::of<std::int64_t>({2, 2, 1}, {0, -1, 1, 1}));
       return add_op("GatherND", {x, rows}, {{"batch_dims", 1}});
     }},
    {"top_k", "f64[n, 4]", {2, 4}, [](const Tensor& x) { return add_op("TopK", {x, int_list(x, {2})}); }},
    {"sort", "f64[n, m]", {2, 4}, [](const Tensor& x) { return add_op("Sort", {x}); }},
    {"running_sum", "f64[n, m]", {2, 4}, [](const Tensor& x) { return add_op("CumSum", {x, int_list(x, {1})}); }},
    {"compress_by_data",
     "f64[n, 2]",
     {4, 2},
     [](const Tensor& x) {
       const Tensor sums = add_op("ReduceSum", {x, int_list(x, {1})}, {{"keepdims", false}});
       return add_op("Compress", {x, sums > 0.0}, {{"axis", 0}});
     }},
    {"flat_compress_by_data",
     "f64[n, 2]",
     {4, 2},
     [](const Tensor& x) { return add_op("Compress", {x, add_op("Reshape", {x > 0.0, int_list(x, {-1})})}); }},
};

// Gradients of first and second order of the sum of squares.
std::vector<Array> gradients(const GradientRow& row, const TensorType& type, const Array& value) {
  Graph graph;
  const Tensor x = graph.input("x", type);
  const auto loss = [](const Tensor& y) { return add_op("ReduceSum", {y * y}, {{"keepdims", false}}); };
  graph.set_output("loss", loss(row.build(x)));
  const std::vector<Value> targets = {x.value()};
  Differentiated first = differentiate(graph, graph.find_output("loss")->value, targets, Mode::eval);
  const Value moved = first.remap(x.value());
  first.graph.set_output("loss", loss(first.graph.tensor(first.gradients[0])));
  const std::vector<Value> again = {moved};
  Differentiated second = differentiate(first.graph, first.graph.find_output("loss")->value, again, Mode::eval);
  return run_graph(second.graph, std::vector<Array>{value});
}

TEST(SymbolicGradients, AreThoseOfNumbers) {
  for (const GradientRow& row : kGradientRows) {
    SCOPED_TRACE(row.name);
    const Array value = sample_value(distinct(row.sizes, -1, 1), "test", row.name, 0);
    const auto by_symbols = gradients(row, TensorType::parse(row.type), value);
    const auto by_numbers = gradients(row, {DType::f64, Shape::of(row.sizes)}, value);
    ASSERT_EQ(by_symbols.size(), by_numbers.size());
    for (std::size_t k = 0; k < by_symbols.size(); ++k) EXPECT_TRUE(near(by_symbols[k], by_numbers[k], 1e-12)) << k;
  }
}

struct BodyRow {
  const char* name;
  const char* op;
  std::vector<double> x;
  std::vector<double> expected;
};

// Of ops that are differentiated through their bodies, by hand.
TEST(GradientsThroughBodies, AreThoseByHand) {
  const BodyRow rows[] = {
      {"VarianceOfAll", "ReduceVariance", {1, 2, 6}, {-4 / 3., -2 / 3., 2}},
      {"ReduceL1AtZero", "ReduceL1", {0, -3}, {0, -1}},
  };
  for (const BodyRow& row : rows) {
    SCOPED_TRACE(row.name);
    Graph graph;
    const Array value = Array::of<double>({static_cast<std::int64_t>(row.x.size())}, row.x);
    const Tensor x = graph.input("x", {DType::f64, Shape::of(value.sizes())});
    const Tensor y = add_op(row.op, {x}, {{"keepdims", false}});
    const std::vector<Value> targets = {x.value()};
    Differentiated joint = differentiate(graph, y.value(), targets, Mode::eval);
    const auto results = run_graph(joint.graph, std::vector<Array>{value});
    EXPECT_TRUE(near(results.back(), Array::of<double>(value.sizes(), row.expected), 1e-12));
  }
}

// One graph gives as many columns as the data have elements that are not 0.
TEST(DataDependentLengths, FollowTheData) {
  Graph graph;
  const Tensor x = graph.input("x", TensorType::parse("f64[n]"));
  const Tensor places = add_op("NonZero", {x});
  graph.set_output("places", places);
  graph.set_output("kept", add_op("Gather", {x, add_op("Reshape", {places, int_list(x, {-1})})}));
  const auto kept = [&](const std::vector<double>& values) {
    const Array array = Array::of<double>({static_cast<std::int64_t>(values.size())}, values);
    return run_graph(graph, std::vector<Array>{array})[1];
  };
  EXPECT_TRUE(identical(kept({0, 3, 0, 5}), Array::of<double>({2}, {3, 5})));
  EXPECT_TRUE(identical(kept({0, 0}), Array::of<double>({0}, {})));
}

}  // namespace
}  // namespace asg::test
