// Older forms of ops give what they gave when they were new.
#include <gtest/gtest.h>

#include "asg/io/onnx.h"
#include "io/onnx_text.h"
#include "support/compare.h"
#include "support/run_op.h"

namespace asg::test {
namespace {

Array floats(Sizes sizes, const std::vector<float>& values) { return Array::of<float>(std::move(sizes), values); }

const std::vector<float> kSix = {1, -2, 3, -4, 5, -6};

// A model of one input x, 2 × 3, and one output y.
struct LiftRow {
  std::string name;
  int opset;
  std::string graph;  // without x and y
  Array expected;
};

std::ostream& operator<<(std::ostream& out, const LiftRow& row) { return out << row.name; }

std::string value_of(const std::string& attributes) { return node("Constant", {}, {"y"}, attributes); }

std::vector<LiftRow> lift_rows() {
  const std::string reshaped = node("Reshape", {"x", "shape"}, {"c"}) + integers("shape", {1, 2, 3, 1});
  return {
      {"squeeze_axes_attribute", 11,
       node("Unsqueeze", {"x"}, {"u"}, attr_ints("axes", {0})) + node("Squeeze", {"u"}, {"y"}, attr_ints("axes", {0})),
       floats({2, 3}, kSix)},
      {"unsqueeze_axes_attribute", 11, node("Unsqueeze", {"x"}, {"y"}, attr_ints("axes", {0, 3})),
       floats({1, 2, 3, 1}, kSix)},
      {"reduce_sum_axes_attribute", 11, node("ReduceSum", {"x"}, {"y"}, attr_ints("axes", {1}) + attr_i("keepdims", 0)),
       floats({2}, {2, -5})},
      {"reduce_sum_all_axes", 11, node("ReduceSum", {"x"}, {"y"}), floats({1, 1}, {-3})},
      {"reduce_mean_axes_attribute_of_opset_17", 17, node("ReduceMean", {"x"}, {"y"}, attr_ints("axes", {-1})),
       floats({2, 1}, {2.f / 3, -5.f / 3})},
      {"slice_attributes", 9,
       node("Slice", {"x"}, {"y"}, attr_ints("starts", {1}) + attr_ints("ends", {9}) + attr_ints("axes", {1})),
       floats({2, 2}, {-2, 3, 5, -6})},
      {"slice_without_axes", 1, node("Slice", {"x"}, {"y"}, attr_ints("starts", {0, 1}) + attr_ints("ends", {1, 2})),
       floats({1, 1}, {-2})},
      {"split_sizes_attribute", 11,
       node("Split", {"x"}, {"first", "y"}, attr_i("axis", 1) + attr_ints("split", {1, 2})),
       floats({2, 2}, {-2, 3, 5, -6})},
      {"split_into_as_many_as_outputs", 13, node("Split", {"x"}, {"first", "y"}), floats({1, 3}, {-4, 5, -6})},
      {"reshape_attribute", 1, node("Reshape", {"x"}, {"y"}, attr_ints("shape", {3, -1})), floats({3, 2}, kSix)},
      {"pad_attributes", 2, node("Pad", {"x"}, {"y"}, attr_ints("pads", {1, 0, 0, 0}) + attr_f("value", 7)),
       floats({3, 3}, {7, 7, 7, 1, -2, 3, -4, 5, -6})},
      {"pad_under_its_first_name", 1, node("Pad", {"x"}, {"y"}, attr_ints("paddings", {0, 0, 1, 0})),
       floats({3, 3}, {1, -2, 3, -4, 5, -6, 0, 0, 0})},
      {"clip_attributes", 6, node("Clip", {"x"}, {"y"}, attr_f("min", -3) + attr_f("max", 2)),
       floats({2, 3}, {1, -2, 2, -3, 2, -3})},
      {"clip_one_bound", 6, node("Clip", {"x"}, {"y"}, attr_f("max", 0)), floats({2, 3}, {0, -2, 0, -4, 0, -6})},
      {"softmax_over_all_axes_from_the_first", 11,
       node("Sub", {"x", "x"}, {"zero"}) + node("Softmax", {"zero"}, {"y"}, attr_i("axis", 0)),
       floats({2, 3}, std::vector<float>(6, 1.f / 6))},
      {"softmax_default_axis_takes_the_rest", 11,
       reshaped + node("Sub", {"c", "c"}, {"zero"}) + node("Softmax", {"zero"}, {"y"}),
       floats({1, 2, 3, 1}, std::vector<float>(6, 1.f / 6))},
      {"softmax_negative_axis", 11,
       node("Sub", {"x", "x"}, {"zero"}) + node("Softmax", {"zero"}, {"y"}, attr_i("axis", -1)),
       floats({2, 3}, std::vector<float>(6, 1.f / 3))},
      {"softmax_of_opset_13", 13,
       node("Sub", {"x", "x"}, {"zero"}) + node("Softmax", {"zero"}, {"y"}, attr_i("axis", 0)),
       floats({2, 3}, std::vector<float>(6, 0.5f))},
      {"log_softmax_takes_the_rest_together", 11,
       reshaped + node("Sub", {"c", "c"}, {"zero"}) + node("LogSoftmax", {"zero"}, {"y"}),
       floats({1, 2, 3, 1}, std::vector<float>(6, -1.791759469f))},
      {"hardmax_takes_the_rest_together", 11, reshaped + node("Hardmax", {"c"}, {"y"}),
       floats({1, 2, 3, 1}, {0, 0, 0, 0, 1, 0})},
      {"hardmax_of_opset_12_from_an_axis_on", 12, reshaped + node("Hardmax", {"c"}, {"y"}, attr_i("axis", 2)),
       floats({1, 2, 3, 1}, {0, 0, 1, 0, 1, 0})},
      {"hardmax_of_opset_13_along_one_axis", 13, reshaped + node("Hardmax", {"c"}, {"y"}, attr_i("axis", 1)),
       floats({1, 2, 3, 1}, {1, 0, 1, 0, 1, 0})},
      {"cast_by_name", 1,
       node("Cast", {"x"}, {"i"}, attr_s("to", "INT32")) + node("Cast", {"i"}, {"y"}, attr_s("to", "FLOAT")),
       floats({2, 3}, kSix)},
      {"concat_default_axis", 3, node("Concat", {"x", "x"}, {"y"}),
       floats({2, 6}, {1, -2, 3, 1, -2, 3, -4, 5, -6, -4, 5, -6})},
      {"add_from_an_axis_on", 6,
       initializer("b", {2}, {10, 20}) + node("Add", {"x", "b"}, {"y"}, attr_i("broadcast", 1) + attr_i("axis", 0)),
       floats({2, 3}, {11, 8, 13, 16, 25, 14})},
      {"mul_from_the_last_axis", 6,
       initializer("b", {3}, {1, 2, 3}) + node("Mul", {"x", "b"}, {"y"}, attr_i("broadcast", 1)),
       floats({2, 3}, {1, -4, 9, -4, 10, -18})},
      {"gemm_broadcast", 6,
       initializer("w", {3, 1}, {1, 0, 0}) + initializer("b", {1}, {10}) +
           node("Gemm", {"x", "w", "b"}, {"y"}, attr_i("broadcast", 1)),
       floats({2, 1}, {11, 6})},
      {"p_relu_slope_per_channel", 6,
       reshaped + initializer("slope", {2}, {0.5, 0.25}) + node("PRelu", {"c", "slope"}, {"y"}),
       floats({1, 2, 3, 1}, {1, -1, 3, -1, 5, -1.5})},
      {"scatter_under_its_old_name", 10,
       initializer("more", {1, 1}, {9}) + "initializer { name: 'at' data_type: 7 dims: 1 dims: 1 int64_data: 1 } " +
           node("Scatter", {"x", "at", "more"}, {"y"}, attr_i("axis", 1)),
       floats({2, 3}, {1, 9, 3, -4, 5, -6})},
      {"top_k_attribute", 9, node("TopK", {"x"}, {"y", "places"}, attr_i("k", 1)), floats({2, 1}, {3, 5})},
      {"upsample_scales_attribute", 7,
       node("Upsample", {"x"}, {"y"}, attr_floats("scales", {1, 2}) + attr_s("mode", "nearest")),
       floats({2, 6}, {1, 1, -2, -2, 3, 3, -4, -4, 5, 5, -6, -6})},
      {"first_resize", 10,
       initializer("scales", {2}, {2, 1}) + node("Resize", {"x", "scales"}, {"y"}, attr_s("mode", "nearest")),
       floats({4, 3}, {1, -2, 3, 1, -2, 3, -4, 5, -6, -4, 5, -6})},
      {"first_scan_goes_over_a_batch", 8,
       reshaped + initializer("zero", {1, 3, 1}, {0, 0, 0}) +
           node("Scan", {"", "zero", "c"}, {"y", "all"},
                attr_i("num_scan_inputs", 1) +
                    attr_graph("body", input("a", 1, {"3", "1"}) + input("b", 1, {"3", "1"}) + output("sum") +
                                           output("copy") + node("Add", {"a", "b"}, {"sum"}) +
                                           node("Identity", {"sum"}, {"copy"}))),
       floats({1, 3, 1}, {-3, 3, -3})},
      {"consumed_inputs_mean_nothing", 1, node("Relu", {"x"}, {"y"}, attr_ints("consumed_inputs", {0})),
       floats({2, 3}, {1, 0, 3, 0, 5, 0})},
      {"constant_int", 13, value_of(attr_i("value_int", 4)), Array::scalar_i64(4)},
      {"constant_ints", 13, value_of(attr_ints("value_ints", {4, 5})), Array::ints({4, 5})},
      {"constant_float", 13, value_of(attr_f("value_float", 0.5)), floats({}, {0.5f})},
      {"constant_floats", 13, value_of(attr_floats("value_floats", {0.5, 2})), floats({2}, {0.5f, 2})},
      {"dropout_of_an_old_export", 6, node("Dropout", {"x"}, {"y"}, attr_i("is_test", 1)), floats({2, 3}, kSix)},
      {"dropout_in_inference", 13, node("Dropout", {"x"}, {"y", "mask"}), floats({2, 3}, kSix)},
      {"dropout_mask_keeps_all", 13,
       node("Dropout", {"x"}, {"same", "mask"}) + node("Cast", {"mask"}, {"y"}, attr_i("to", 1)),
       floats({2, 3}, std::vector<float>(6, 1))},
      {"dropout_training_without_dropping", 13,
       initializer("ratio", {}, {0}) + "initializer { name: 'train' data_type: 9 int32_data: 1 } " +
           node("Dropout", {"x", "ratio", "train"}, {"y"}),
       floats({2, 3}, kSix)},
  };
}

class OnnxLift : public testing::TestWithParam<LiftRow> {};

TEST_P(OnnxLift, GivesTheOldMeaning) {
  const LiftRow& row = GetParam();
  const std::string bytes = model(row.opset, input("x", 1, {"2", "3"}) + output("y") + row.graph);
  const Graph graph = io::read_onnx(bytes, {.trainable = false}).graph;
  const std::vector<Array> inputs = {floats({2, 3}, kSix)};
  const Array result = run_graph(graph, inputs).front();
  EXPECT_EQ(result.dtype(), row.expected.dtype());
  EXPECT_TRUE(near(result, row.expected, 1e-6)) << result.to_string();
}

struct DropoutRow {
  const char* name;
  int opset;
  std::string attributes;
  bool drops;
};

// Before opset 7 a Dropout trains unless is_test says otherwise; since then it does not unless it is told.
TEST(OnnxLiftDropout, DropsWhereItsOpsetTrains) {
  const DropoutRow rows[] = {
      {"without is_test", 6, "", true},
      {"is_test 0", 6, attr_i("is_test", 0), true},
      {"is_test 1", 6, attr_i("is_test", 1), false},
      {"opset 1 without is_test", 1, "", true},
      {"opset 7", 7, "", false},
      {"opset 12", 12, "", false},
  };
  for (const DropoutRow& row : rows) {
    const std::string bytes =
        model(row.opset, input("x", 1, {"2", "3"}) + output("y") + node("Dropout", {"x"}, {"y"}, row.attributes));
    const Graph graph = io::read_onnx(bytes, {.trainable = false}).graph;
    bool drops = false;
    for (const NodeId id : graph.node_ids()) drops = drops || graph.node(id).op->name == "Dropout";
    EXPECT_EQ(drops, row.drops) << row.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Rows, OnnxLift, testing::ValuesIn(lift_rows()),
                         [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace asg::test
