// Files that are refused: with the code, the words, and the node as the file names it.
#include <gtest/gtest.h>

#include "asg/io/onnx.h"
#include "io/onnx_text.h"

namespace asg::test {
namespace {

struct Row {
  std::string name;
  ErrorCode code;
  std::string bytes;
  std::string contains;
};

std::ostream& operator<<(std::ostream& out, const Row& row) { return out << row.name; }

std::string x() { return input("x", 1, {"2", "3"}); }

std::string of_graph(const std::string& graph, int opset = 13) { return model(opset, x() + output("y") + graph); }

std::string function_calling(const std::string& called) {
  return model_bytes(
      "ir_version: 8 opset_import { version: 16 } functions { name: 'F' domain: 'mine' input: 'a' output: 'b' node { "
      "op_type: '" +
      called + "' domain: 'mine' input: 'a' output: 'b' } } graph { name: 'g' " + x() + output("y") +
      "node { op_type: 'F' domain: 'mine' input: 'x' output: 'y' } }");
}

std::string with_initializer(const std::string& tensor) {
  return of_graph("initializer { name: 'w' " + tensor + " } " + node("Mul", {"x", "w"}, {"y"}));
}

std::vector<Row> rows() {
  const ErrorCode bad = ErrorCode::bad_onnx;
  return {
      {"no_protobuf", bad, "this is text", "bytes that are not a model"},
      {"empty", bad, "", "a file without a graph"},
      {"cut_off", bad, of_graph(node("Relu", {"x"}, {"y"})).substr(0, 30), "may be cut off"},
      {"unknown_op", ErrorCode::unknown_op, of_graph(node("Frobnicate", {"x"}, {"y"})),
       "the ONNX op 'Frobnicate' (at ONNX node 'y' (Frobnicate))"},
      {"unknown_domain", ErrorCode::unknown_op,
       of_graph("node { op_type: 'Relu' domain: 'elsewhere' input: 'x' output: 'y' }"), "of domain 'elsewhere'"},
      {"unknown_value", ErrorCode::dangling_value, of_graph(node("Relu", {"z"}, {"y"})),
       "the value 'z' (at ONNX node 'y' (Relu))"},
      {"used_before_it_is_made", ErrorCode::dangling_value,
       of_graph(node("Relu", {"a"}, {"y"}) + node("Relu", {"x"}, {"a"})), "nodes stand after those"},
      {"feeds_on_itself", ErrorCode::dangling_value, of_graph(node("Add", {"x", "y"}, {"y"})), "the value 'y'"},
      {"unknown_output", ErrorCode::dangling_value, of_graph(""), "the value 'y'"},
      {"same_value_twice", ErrorCode::duplicate_name, of_graph(node("Relu", {"x"}, {"y"}) + node("Neg", {"x"}, {"y"})),
       "a second value named 'y'"},
      {"same_output_twice", ErrorCode::duplicate_name, of_graph(output("y") + node("Relu", {"x"}, {"y"})),
       "a second output named 'y'"},
      {"same_initialiser_twice", ErrorCode::duplicate_name,
       of_graph(integers("w", {1}) + integers("w", {1}) + node("Relu", {"x"}, {"y"})),
       "a second initialiser named 'w'"},
      {"unknown_attribute", ErrorCode::unknown_attribute, of_graph(node("Relu", {"x"}, {"y"}, attr_i("slope", 1))),
       "attribute 'slope' for op 'Relu'"},
      {"attribute_of_another_kind", ErrorCode::bad_attribute,
       of_graph(node("Softmax", {"x"}, {"y"}, attr_s("axis", "last"))), "a text for attribute 'axis' of op 'Softmax'"},
      {"cast_to_strings", ErrorCode::bad_dtype, of_graph(node("Cast", {"x"}, {"y"}, attr_i("to", 8))),
       "strings for attribute 'to'"},
      {"cast_to_an_unknown_name", ErrorCode::bad_dtype, of_graph(node("Cast", {"x"}, {"y"}, attr_s("to", "FLOATY")), 5),
       "'FLOATY' for attribute 'to'"},
      {"too_many_outputs", ErrorCode::wrong_input_count, of_graph(node("Relu", {"x"}, {"y", "z"})),
       "2 outputs of op 'Relu'"},
      {"shapes_that_do_not_fit", ErrorCode::broadcast_mismatch,
       of_graph(initializer("w", {2}, {1, 2}) + node("Add", {"x", "w"}, {"y"})), "ONNX node 'y' (Add)"},
      {"no_input_at_all", ErrorCode::missing_input, of_graph(node("Clip", {}, {"y"}, attr_f("min", 0)), 6),
       "no value for input 0"},
      {"split_into_more_parts_than_outputs", ErrorCode::bad_attribute,
       of_graph(node("Split", {"x"}, {"y"}, attr_i("num_outputs", 1'000'000'000'000)), 18),
       "num_outputs 1000000000000 of a Split with 1 outputs"},
      {"scan_with_lengths", bad, of_graph(node("Scan", {"x", "x"}, {"y"}, attr_graph("body", "")), 8),
       "a Scan with lengths of sequences"},
      {"old_softmax_axis", ErrorCode::bad_index, of_graph(node("Softmax", {"x"}, {"y"}, attr_i("axis", 3)), 11),
       "axis 3 of a tensor with 2 axes"},
      {"old_broadcast_axis", ErrorCode::bad_index,
       of_graph(initializer("w", {3}, {1, 2, 3}) +
                    node("Add", {"x", "w"}, {"y"}, attr_i("broadcast", 1) + attr_i("axis", -9)),
                6),
       "axis -7 for a tensor with 2 axes"},
      {"kernel_shape", ErrorCode::bad_attribute,
       model(13, input("x", 1, {"1", "1", "4", "4"}) + output("y") + initializer("w", {1, 1, 1, 1}, {1}) +
                     node("Conv", {"x", "w"}, {"y"}, attr_ints("kernel_shape", {2, 2}))),
       "kernel_shape [2, 2] for weights of shape [1, 1, 1, 1]"},
      {"sequence_input", bad,
       model(13, "input { name: 's' type { sequence_type { elem_type { tensor_type { elem_type: 1 } } } } } " +
                     output("s")),
       "a sequence as input 's'"},
      {"strings_input", bad, model(13, input("s", 8, {"2"}) + output("s")), "a tensor of strings as input 's'"},
      {"input_without_a_shape", bad,
       model(13, "input { name: 's' type { tensor_type { elem_type: 1 } } } " + output("s")),
       "input 's' without a shape"},
      {"input_without_a_dtype", bad, model(13, "input { name: 's' } " + output("s")), "input 's' without a dtype"},
      {"input_without_a_name", ErrorCode::bad_name, model(13, input("", 1, {"2"})), "an input without a name"},
      {"strings_initialiser", bad, with_initializer("data_type: 8 dims: 1 string_data: 'a'"),
       "a tensor of strings as initialiser 'w'"},
      {"complex_initialiser", bad, with_initializer("data_type: 14 dims: 1 float_data: 1 float_data: 2"),
       "a tensor of complex numbers"},
      {"too_few_numbers", bad, with_initializer("data_type: 1 dims: 3 float_data: 1"), "1 numbers in tensor 'w'"},
      {"too_few_bytes", bad, with_initializer("data_type: 1 dims: 3 raw_data: 'abcd'"), "4 bytes in tensor 'w'"},
      {"more_elements_than_memory_holds", bad,
       with_initializer("data_type: 11 dims: 2000000000 dims: 2000000000 raw_data: 'abcd'"), "sizes that fit memory"},
      {"negative_size", ErrorCode::bad_dim, with_initializer("data_type: 1 dims: -3"), "-3"},
      {"external_data_without_a_folder", bad,
       with_initializer("data_type: 1 dims: 1 data_location: EXTERNAL external_data { key: 'location' value: 'w' }"),
       "read the model from its file"},
      {"sparse_initialiser", bad,
       of_graph("sparse_initializer { values { name: 'w' data_type: 1 dims: 0 } } " + node("Mul", {"x", "w"}, {"y"})),
       "a sparse tensor as initialiser 'w'"},
      {"sparse_constant", bad,
       of_graph("node { op_type: 'Constant' output: 'y' attribute { name: 'sparse_value' type: SPARSE_TENSOR "
                "sparse_tensor { } } }"),
       "a sparse tensor as a constant"},
      {"strings_constant", bad, of_graph(node("Constant", {}, {"y"}, attr_s("value_string", "a"))),
       "a tensor of strings as a constant"},
      {"function_that_calls_itself", ErrorCode::limit_exceeded, function_calling("F"), "must not call itself"},
      {"function_that_calls_nothing_known", ErrorCode::unknown_op, function_calling("G"), "the ONNX op 'G'"},
      {"branch_of_a_value_that_is_not_there", ErrorCode::dangling_value,
       model(16, x() + input("c", 9, {}) + output("y") +
                     node("If", {"c"}, {"y"},
                          attr_graph("then_branch", output("a") + node("Neg", {"nowhere"}, {"a"})) +
                              attr_graph("else_branch", output("b") + node("Neg", {"x"}, {"b"})))),
       "the value 'nowhere'"},
      {"computed_dropout_ratio", bad, of_graph(node("ReduceMean", {"x"}, {"r"}) + node("Dropout", {"x", "r"}, {"y"})),
       "a computed ratio"},
      {"batch_norm_per_place", ErrorCode::bad_attribute,
       of_graph(node("BatchNormalization", {"x", "x", "x", "x", "x"}, {"y"}, attr_i("spatial", 0)), 7), "spatial = 0"},
      {"batch_norm_training_of_an_old_opset", bad,
       of_graph(node("BatchNormalization", {"x", "x", "x", "x", "x"}, {"y", "m", "v", "sm", "sv"}), 7),
       "with 5 outputs"},
      {"upsample_without_scales", ErrorCode::missing_input, of_graph(node("Upsample", {"x"}, {"y"}), 9), "no scales"},
  };
}

class OnnxErrors : public testing::TestWithParam<Row> {};

TEST_P(OnnxErrors, AreRefusedInWords) {
  const Row& row = GetParam();
  try {
    io::read_onnx(row.bytes);
  } catch (const UserError& error) {
    EXPECT_EQ(name_of(error.code()), name_of(row.code)) << error.what();
    EXPECT_NE(std::string(error.what()).find(row.contains), std::string::npos) << error.what();
    return;
  }
  FAIL() << "was not refused";
}

INSTANTIATE_TEST_SUITE_P(Rows, OnnxErrors, testing::ValuesIn(rows()), [](const auto& row) { return row.param.name; });

TEST(OnnxErrors, LimitsAreKept) {
  const std::string bytes = of_graph(node("Relu", {"x"}, {"a"}) + node("Relu", {"a"}, {"y"}));
  EXPECT_THROW(io::read_onnx(bytes, {.limits = {.max_bytes = 10}}), UserError);
  EXPECT_THROW(io::read_onnx(bytes, {.limits = {.max_nodes = 1}}), UserError);
  EXPECT_NO_THROW(io::read_onnx(bytes, {.limits = {.max_nodes = 2}}));
}

TEST(OnnxErrors, TensorsOfStringsAreRefused) {
  EXPECT_THROW(io::read_onnx_tensor(tensor_bytes("data_type: 8 dims: 1 string_data: 'a'")), UserError);
  EXPECT_THROW(io::read_onnx_tensor("no tensor"), UserError);
}

}  // namespace
}  // namespace asg::test
