#include <gtest/gtest.h>

#include "asg/core/error.h"
#include "asg/graph/json.h"
#include "json_graphs.h"

// Files that must be refused: each row is a mistake, with the code, the place and a part of the text.
namespace asg {
namespace {

struct BadFile {
  std::string name;
  std::string text;
  ErrorCode code;
  std::string where;
  std::string contains;
};

// A file of nodes 1 (the input "x" of type f32[n, 4]) and those given.
std::string file(const std::string& nodes, const std::string& rest = "") {
  return R"({"format":"asg-graph","version":1,"inputs":[1],"nodes":[)"
         R"({"id":1,"op":"Input","name":"x","attrs":{"type":{"type":"f32[n, 4]"}}})" +
         (nodes.empty() ? "" : "," + nodes) + "]" + rest + "}";
}

std::string top(const std::string& members) { return R"({"format":"asg-graph","version":1,)" + members + "}"; }

// Attributes of the one node beside the input.
std::string attrs(const std::string& members) {
  return file(R"({"id":2,"op":"json.Dense","in":[1],"attrs":{)" + members + "}}");
}

std::string variable(const std::string& members) { return top(R"("nodes":[],"variables":[{)" + members + "}]"); }

std::string repeated(const std::string& part, int times) {
  std::string text;
  for (int k = 0; k < times; ++k) text += part;
  return text;
}

std::vector<BadFile> broken_json() {
  const ErrorCode bad = ErrorCode::bad_json;
  return {
      {"empty", "", bad, "byte 1", "unexpected end of input"},
      {"truncated", R"({"format":"asg-graph","vers)", bad, "byte 28", "missing closing quote"},
      {"cut_after_a_key", R"({"format":)", bad, "byte 11", "unexpected end of input"},
      {"not_json", "digraph {}", bad, "byte 1", "invalid literal"},
      {"two_documents", top(R"("nodes":[])") + "{}", bad, "byte 46", "expected end of input"},
      {"trailing_comma", R"({"format":"asg-graph",})", bad, "byte 23", "expected string literal"},
      {"number_too_large_for_a_real", attrs(R"("units":1e999)"), bad, "byte 184", "number overflow"},
      {"invalid_utf8", "{\"format\":\"\xff\"}", bad, "byte 12", "ill-formed UTF-8"},
      {"lone_surrogate", R"({"format":"\ud800"})", bad, "byte 18", "surrogate"},
      {"an_array", "[]", bad, "the whole text", "an object"},
      {"a_number", "12", bad, "the whole text", "the integer 12"},
      {"deep_arrays", repeated("[", 100'000), bad, "the whole text", "an array"},
      {"deep_nodes", R"({"nodes":)" + repeated("[", 100'000), bad, "/nodes/0", "an array"},
      {"deep_bodies", R"({"nodes":[{"body":)" + repeated(R"({"nodes":[{"body":)", 100'000), ErrorCode::limit_exceeded,
       "", "nested more than 256 deep"},
  };
}

std::vector<BadFile> wrong_forms() {
  const ErrorCode bad = ErrorCode::bad_json;
  return {
      {"no_format", R"({"version":1,"nodes":[]})", bad, "the whole text", "without \"format\""},
      {"no_version", R"({"format":"asg-graph","nodes":[]})", bad, "the whole text", "without \"version\""},
      {"no_nodes", R"({"format":"asg-graph","version":1})", bad, "the whole text", "without \"nodes\""},
      {"another_format", R"({"format":"onnx"})", bad, "/format", "the text \"onnx\""},
      {"newer_version", R"({"format":"asg-graph","version":2})", ErrorCode::unsupported_version, "/version",
       "version 2 of the format"},
      {"version_0", R"({"version":0})", bad, "/version", "the integer 0"},
      {"unknown_key", top(R"("nods":[])"), bad, "the whole text", "did you mean \"nodes\"?"},
      {"unknown_key_of_a_node", file(R"({"id":2,"opp":"Neg"})"), bad, "/nodes/1", "the key \"opp\" in a node"},
      {"key_twice", top(R"("name":"a","name":"b")"), bad, "the whole text", "\"name\" twice"},
      {"attribute_twice", attrs(R"("units":1,"units":2)"), bad, "/nodes/1/attrs", "\"units\" twice"},
      {"name_is_a_number", top(R"("name":3)"), bad, "/name", "a text"},
      {"nodes_is_an_object", top(R"("nodes":{})"), bad, "/nodes", "an array of nodes"},
      {"node_is_a_number", top(R"("nodes":[7])"), bad, "/nodes/0", "a node"},
      {"node_without_id", top(R"("nodes":[{"op":"Neg"}])"), bad, "/nodes/0", "a node without \"id\""},
      {"node_without_op", top(R"("nodes":[{"id":1}])"), bad, "/nodes/0", "a node without \"op\""},
      {"id_is_text", file(R"({"id":"2"})"), bad, "/nodes/1/id", "the text \"2\""},
      {"id_is_real", file(R"({"id":2.0})"), bad, "/nodes/1/id", "the real number 2"},
      {"id_is_0", file(R"({"id":0})"), bad, "/nodes/1/id", "the integer 0"},
      {"id_is_negative", file(R"({"id":-1})"), bad, "/nodes/1/id", "the integer -1"},
      {"id_beyond_32_bits", file(R"({"id":4294967296})"), bad, "/nodes/1/id", "4294967296"},
      {"id_beyond_64_bits", file(R"({"id":18446744073709551616})"), bad, "/nodes/1/id", "18446744073709551616"},
      {"input_is_text", file(R"({"id":2,"op":"Neg","in":["1"]})"), bad, "/nodes/1/in/0", "or null"},
      {"port_without_end", file(R"({"id":2,"op":"Neg","in":[[1]]})"), bad, "/nodes/1/in/0", "an array of 1 numbers"},
      {"port_of_three", file(R"({"id":2,"op":"Neg","in":[[1,0,0]]})"), bad, "/nodes/1/in/0", "3 numbers"},
      {"port_of_node_0", file(R"({"id":2,"op":"Neg","in":[[0,0]]})"), bad, "/nodes/1/in/0", "the id 0"},
      {"port_is_null", file(R"({"id":2,"op":"Neg","in":[[1,null]]})"), bad, "/nodes/1/in/0/1", "null"},
      {"stream_of_15_digits", file(R"({"id":2,"op":"Neg","stream":"00000000000000f"})"), bad, "/nodes/1/stream",
       "16 hexadecimal digits"},
      {"stream_0", file(R"({"id":2,"op":"Neg","stream":"0000000000000000"})"), bad, "/nodes/1/stream", "not all 0"},
      {"origin_without_node", file(R"({"id":2,"op":"Neg","origin":{"path":"a"}})"), bad, "/nodes/1/origin",
       "an origin without \"node\""},
      {"origin_of_no_role", file(R"({"id":2,"op":"Neg","origin":{"node":1,"role":"hero"}})"), bad,
       "/nodes/1/origin/role", "one of forward"},
      {"where_of_no_file", file(R"({"id":2,"op":"Neg","where":[0,1]})"), bad, "/nodes/1/where", "file number 0"},
      {"where_of_line_0", top(R"("files":["a"],"nodes":[{"id":1,"where":[0,0]}])"), bad, "/nodes/0/where", "line 0"},
      {"file_with_nul", top(R"("files":["a\u0000b"])"), bad, "/files/0", "without NUL"},
      {"known_of_an_op", file(R"({"id":2,"op":"Neg","in":[1],"known":[1]})"), bad, "/nodes/1", "op 'Input'"},
      {"known_is_no_length", file(R"({"id":2,"op":"Neg","in":[1],"known":["2*"]})"), ErrorCode::bad_dim,
       "/nodes/1/known/0", "2*"},
      {"output_without_value", file("", R"(,"outputs":[{"name":"y"}])"), bad, "/outputs/0", "without \"value\""},
      {"output_is_null", file("", R"(,"outputs":[{"name":"y","value":null}])"), bad, "/outputs/0/value", "null"},
      {"update_of_text", file("", R"(,"updates":[{"variable":"w","value":1}])"), bad, "/updates/0/variable", "\"w\""},
      {"variable_without_type", variable(R"("id":1,"name":"w")"), bad, "/variables/0", "without \"type\""},
      {"variable_of_no_kind", variable(R"("kind":"weight")"), bad, "/variables/0/kind", "one of parameter"},
      {"variable_trainable_1", variable(R"("trainable":1)"), bad, "/variables/0/trainable", "true or false"},
      {"unknown_initialiser", variable(R"("init":"random")"), bad, "/variables/0/init", "initialiser"},
      {"initialiser_of_text", variable(R"("init":{"kind":"uniform","a":"1"})"), bad, "/variables/0/init/a", "a real"},
      {"given_without_value", variable(R"("id":1,"name":"w","type":"f32[]","init":"given")"), bad, "/variables/0",
       "a value where"},
      {"type_of_no_dtype", variable(R"("type":"float[2]")"), ErrorCode::bad_dtype, "/variables/0/type", "float[2]"},
      {"type_of_no_shape", variable(R"("type":"f32[2")"), ErrorCode::bad_shape, "/variables/0/type", "[2"},
  };
}

std::vector<BadFile> wrong_values() {
  const ErrorCode bad = ErrorCode::bad_json;
  const std::string tensor = R"({"id":2,"op":"Constant","attrs":{"value":{"tensor":)";
  return {
      {"attribute_is_null", attrs(R"("units":null)"), bad, "/nodes/1/attrs/units", "null"},
      {"attribute_beyond_64_bits", attrs(R"("units":9223372036854775808)"), bad, "/nodes/1/attrs/units", "64 bits"},
      {"attribute_of_no_kind", attrs(R"("units":{})"), bad, "/nodes/1/attrs/units", "an object with 0 keys"},
      {"attribute_of_two_kinds", attrs(R"("units":{"real":"nan","dtype":"f32"})"), bad, "/nodes/1/attrs/units",
       "an object with 2 keys"},
      {"attribute_of_unknown_kind", attrs(R"("units":{"int":2})"), bad, "/nodes/1/attrs/units", "\"int\""},
      {"empty_list", attrs(R"("units":[])"), bad, "/nodes/1/attrs/units", "an empty list"},
      {"mixed_list", attrs(R"("units":[1,"a"])"), bad, "/nodes/1/attrs/units/1", "of the same kind"},
      {"nested_list", attrs(R"("units":[[1]])"), bad, "/nodes/1/attrs/units/0", "of the same kind"},
      {"reals_for_integers", attrs(R"("units":{"integers":[1.5]})"), bad, "/nodes/1/attrs/units/integers",
       "a list with real numbers"},
      {"texts_for_reals", attrs(R"("units":{"reals":["a"]})"), bad, "/nodes/1/attrs/units/reals", "a list of texts"},
      {"numbers_for_texts", attrs(R"("units":{"texts":[1]})"), bad, "/nodes/1/attrs/units/texts", "a list of numbers"},
      {"odd_real", attrs(R"("units":{"real":"infinity"})"), bad, "/nodes/1/attrs/units/real", "\"inf\""},
      {"odd_nan", attrs(R"("units":{"real":"nan:0000000000000000"})"), bad, "/nodes/1/attrs/units/real", "\"nan\""},
      {"unknown_dtype", attrs(R"("units":{"dtype":"f33"})"), bad, "/nodes/1/attrs/units/dtype", "f33"},
      {"path_is_escaped", attrs(R"("a/b~c":null)"), bad, "/nodes/1/attrs/a~1b~0c", "null"},
      {"attribute_that_is_unknown", attrs(R"("unit":2)"), ErrorCode::unknown_attribute, "/nodes/1", "'units'"},
      {"attribute_that_is_missing", attrs(""), ErrorCode::missing_attribute, "/nodes/1", "'units'"},
      {"attribute_of_wrong_kind", attrs(R"("units":"2")"), ErrorCode::bad_attribute, "/nodes/1", "'units'"},
      {"attribute_too_small", attrs(R"("units":0)"), ErrorCode::bad_attribute, "/nodes/1", "at least 1"},
      {"too_many_attributes", attrs([] {
         std::string members;
         for (int k = 0; k < 300; ++k) members += (k > 0 ? ",\"" : "\"") + std::to_string(k) + "\":1";
         return members;
       }()),
       ErrorCode::limit_exceeded, "/nodes/1/attrs/256", "256 attributes"},
      {"tensor_without_data", file(tensor + R"({"type":"f32[1]"}}}})"), bad, "/nodes/1/attrs/value/tensor",
       "without \"data\""},
      {"tensor_of_unknown_length", file(tensor + R"({"type":"f32[n]","data":""}}}})"), ErrorCode::bad_dim,
       "/nodes/1/attrs/value/tensor", "n"},
      {"tensor_too_short", file(tensor + R"({"type":"f32[2]","data":"AAAAAA=="}}}})"), bad,
       "/nodes/1/attrs/value/tensor", "data of 4 bytes"},
      {"tensor_too_large", file(tensor + R"({"type":"f32[4000000000]","data":""}}}})"), ErrorCode::limit_exceeded,
       "/nodes/1/attrs/value/tensor", "f32[4000000000]"},
      {"tensor_that_overflows", file(tensor + R"({"type":"f32[9000000000, 9000000000]","data":""}}}})"),
       ErrorCode::bad_dim, "/nodes/1/attrs/value/tensor", "9000000000"},
      {"tensor_negative", file(tensor + R"({"type":"f32[-1]","data":""}}}})"), ErrorCode::bad_dim,
       "/nodes/1/attrs/value/tensor", "-1"},
      {"tensor_not_base64", file(tensor + R"({"type":"f32[1]","data":"AAA*AA=="}}}})"), bad,
       "/nodes/1/attrs/value/tensor", "not base64"},
      {"tensor_of_odd_bools", file(tensor + R"({"type":"bool[1]","data":"Ag=="}}}})"), bad,
       "/nodes/1/attrs/value/tensor", "neither 0 nor 1"},
  };
}

std::vector<BadFile> unsound_graphs() {
  const std::string dense = R"({"id":2,"op":"json.Dense","in":[1],"name":"d","attrs":{"units":2},)"
                            R"("stream":"00000000000000ff")";
  const std::string vars =
      R"(,"variables":[{"id":1,"name":"w","type":"f32[4, 2]"},{"id":2,"name":"b","type":"f32[2]"}])";
  const std::string branch = R"({"inputs":[1],"nodes":[{"id":1,"op":"Input","name":"x",)"
                             R"("attrs":{"type":{"type":"f32[n, 4]"}}}],"outputs":[{"name":"y","value":1}]})";
  return {
      {"unknown_op", file(R"({"id":2,"op":"Ned"})"), ErrorCode::unknown_op, "/nodes/1/op", "did you mean 'Neg'?"},
      {"op_of_newer_version", top(R"("ops":{"Neg":2})"), ErrorCode::unsupported_version, "/ops/Neg", "version 2"},
      {"op_of_version_0", top(R"("ops":{"Neg":0})"), ErrorCode::bad_json, "/ops/Neg", "the integer 0"},
      {"unknown_op_in_the_table", top(R"("ops":{"Ned":1})"), ErrorCode::unknown_op, "/ops/Ned", "'Neg'"},
      {"dangling_id", file(R"({"id":2,"op":"Neg","in":[3]})"), ErrorCode::dangling_value, "/nodes/1", "node 3"},
      {"dangling_port", file(R"({"id":2,"op":"Neg","in":[[1,1]]})"), ErrorCode::dangling_value, "/nodes/1",
       "output 1 of x"},
      {"cycle", file(R"({"id":2,"op":"Neg","in":[3]},{"id":3,"op":"Neg","in":[2]})"), ErrorCode::cycle, "",
       "Neg#2 <- Neg#3"},
      {"feeds_itself", file(R"({"id":2,"op":"Add","in":[1,2]})"), ErrorCode::cycle, "", "Add#2"},
      {"id_twice", file(R"({"id":1,"op":"Neg","in":[1]})"), ErrorCode::bad_json, "/nodes/1", "two nodes with the id 1"},
      {"variable_id_twice", variable(R"("id":1,"name":"a","type":"f32[]"},{"id":1,"name":"b","type":"f32[]")"),
       ErrorCode::bad_json, "/variables/1", "the id 1"},
      {"name_twice", file(R"({"id":2,"op":"Neg","in":[1],"name":"a"},{"id":3,"op":"Neg","in":[1],"name":"a"})"),
       ErrorCode::duplicate_name, "/nodes/2", "'a'"},
      {"variable_name_twice", variable(R"("id":3,"name":"a","type":"f32[]"},{"id":9,"name":"a","type":"f32[]")"),
       ErrorCode::duplicate_name, "/variables/1", "\"a\""},
      {"output_name_twice", file("", R"(,"outputs":[{"name":"y","value":1},{"name":"y","value":1}])"),
       ErrorCode::duplicate_name, "/outputs/1", "'y'"},
      {"name_with_a_slash", file(R"({"id":2,"op":"Neg","in":[1],"name":"a/b"})"), ErrorCode::bad_name, "/nodes/1",
       "'a/b'"},
      {"variable_without_name", variable(R"("id":1,"name":"","type":"f32[]")"), ErrorCode::bad_name, "/variables/0",
       "''"},
      {"output_without_name", file("", R"(,"outputs":[{"name":"","value":1}])"), ErrorCode::bad_name, "/outputs/0",
       "without a name"},
      {"input_that_is_none", top(R"("inputs":[1],"nodes":[])"), ErrorCode::unknown_node, "/inputs/0", "node 1"},
      {"input_twice",
       top(R"("inputs":[1,1],"nodes":[{"id":1,"op":"Input","name":"x",)"
           R"("attrs":{"type":{"type":"f32[]"}}}])"),
       ErrorCode::unknown_node, "/inputs/1", "listed once"},
      {"input_not_listed", file(R"({"id":2,"op":"Input","name":"y","attrs":{"type":{"type":"f32[]"}}})"),
       ErrorCode::missing_input, "/nodes/1", "not among the inputs"},
      {"input_without_name", top(R"("inputs":[1],"nodes":[{"id":1,"op":"Input","attrs":{"type":{"type":"f32[]"}}}])"),
       ErrorCode::bad_name, "/nodes/0", "an input without a name"},
      {"dangling_output", file("", R"(,"outputs":[{"name":"y","value":9}])"), ErrorCode::dangling_value, "/outputs/0",
       "node 9"},
      {"dangling_output_port", file("", R"(,"outputs":[{"name":"y","value":[1,4]}])"), ErrorCode::dangling_value,
       "/outputs/0", "output 4 of x"},
      {"absent_input_at_the_end", file(R"({"id":2,"op":"json.Maybe","in":[1,null]})"), ErrorCode::missing_input,
       "/nodes/1", "at the end"},
      {"absent_required_input", file(R"({"id":2,"op":"Add","in":[null,1]})"), ErrorCode::missing_input, "/nodes/1",
       "'Add'"},
      {"too_many_inputs", file(R"({"id":2,"op":"Neg","in":[1,1]})"), ErrorCode::wrong_input_count, "/nodes/1",
       "2 inputs"},
      {"shapes_that_do_not_fit",
       file(R"({"id":2,"op":"Constant","attrs":{"value":{"tensor":{"type":"f32[3]","data":"AAAAAAAAAAAAAAAA"}}}},)"
            R"({"id":3,"op":"Add","in":[1,2]})"),
       ErrorCode::broadcast_mismatch, "/nodes/2", "[3]"},
      {"no_stream", file(R"({"id":2,"op":"json.Noise","in":[1]})"), ErrorCode::missing_attribute, "/nodes/1",
       "without a random stream"},
      {"no_bindings", file(dense + "}"), ErrorCode::binding_mismatch, "/nodes/1", "[weight, bias]"},
      {"binding_of_no_slot", file(dense + R"(,"bind":{"weight":1,"biass":2}})", vars), ErrorCode::binding_mismatch,
       "/nodes/1", "[weight, biass]"},
      {"binding_of_no_variable", file(dense + R"(,"bind":{"weight":1,"bias":7}})", vars), ErrorCode::unknown_variable,
       "/nodes/1", "variable 7"},
      {"binding_of_wrong_type", file(dense + R"(,"bind":{"weight":2,"bias":2}})", vars), ErrorCode::binding_mismatch,
       "/nodes/1", "f32[4, 2]"},
      {"variable_node_of_nothing", file(R"({"id":2,"op":"Variable"})"), ErrorCode::binding_mismatch, "/nodes/1",
       "one binding"},
      {"binding_of_an_input",
       top(R"("inputs":[1],"nodes":[{"id":1,"op":"Input","name":"x",)"
           R"("attrs":{"type":{"type":"f32[]"}},"bind":{"value":1}}])" +
           vars),
       ErrorCode::binding_mismatch, "/nodes/0", "no bindings"},
      {"update_of_no_variable", file("", R"(,"updates":[{"variable":1,"value":1}])"), ErrorCode::unknown_variable,
       "/updates/0", "variable 1"},
      {"update_of_wrong_type", file("", vars + R"(,"updates":[{"variable":1,"value":1}])"), ErrorCode::type_mismatch,
       "/updates/0", "f32[n, 4]"},
      {"update_twice", file("", vars + R"(,"updates":[{"variable":1,"value":1},{"variable":1,"value":1}])"),
       ErrorCode::duplicate_name, "/updates/1", "two updates"},
      {"dangling_update", file("", vars + R"(,"updates":[{"variable":1,"value":8}])"), ErrorCode::dangling_value,
       "/updates/0", "node 8"},
      {"dangling_update_port", file("", vars + R"(,"updates":[{"variable":1,"value":[1,3]}])"),
       ErrorCode::dangling_value, "/updates/0", "output 3 of x"},
      {"body_of_a_plain_op", file(R"({"id":2,"op":"Neg","in":[1],"body":)" + branch + "}"), ErrorCode::not_expandable,
       "/nodes/1", "'Neg'"},
      {"body_without_outputs", file(dense + R"(,"body":{"nodes":[]}})"), ErrorCode::wrong_input_count, "/nodes/1",
       "0 outputs"},
      {"body_that_is_unsound", file(dense + R"(,"body":{"nodes":[{"id":1,"op":"Neg","in":[5]}]}})"),
       ErrorCode::dangling_value, "/nodes/1/body/nodes/0", "node 5"},
      {"branch_with_variables",
       file(R"({"id":2,"op":"json.Choose","attrs":{"then_branch":{"graph":{"nodes":[],"variables":[)"
            R"({"id":1,"name":"w","type":"f32[]"}]}},"else_branch":{"graph":)" +
            branch + "}}}"),
       ErrorCode::capture_mismatch, "/nodes/1", "with variables of its own"},
      {"branch_that_is_unsound",
       file(R"({"id":2,"op":"json.Choose","attrs":{"then_branch":{"graph":{"nodes":[{"id":3,"op":"Neg"}]}}}})"),
       ErrorCode::wrong_input_count, "/nodes/1/attrs/then_branch/graph/nodes/0", "0 inputs"},
      {"id_of_absurd_size", file(R"({"id":4294967295,"op":"Neg","in":[1]})"), ErrorCode::limit_exceeded, "",
       "4294967295"},
      {"variable_id_of_absurd_size", variable(R"("id":4000000000,"name":"w","type":"f32[]")"),
       ErrorCode::limit_exceeded, "", "4000000000"},
  };
}

std::vector<BadFile> all_rows() {
  test::register_json_ops();
  std::vector<BadFile> rows = broken_json();
  for (auto&& more : {wrong_forms(), wrong_values(), unsound_graphs()})
    rows.insert(rows.end(), more.begin(), more.end());
  return rows;
}

class JsonBad : public testing::TestWithParam<BadFile> {};

TEST_P(JsonBad, IsRefused) {
  const BadFile& row = GetParam();
  try {
    read_json(row.text);
    FAIL() << "accepted";
  } catch (const UserError& error) {
    EXPECT_EQ(name_of(error.code()), name_of(row.code)) << error.what();
    if (!row.where.empty()) {
      EXPECT_EQ(error.detail().where, row.where) << error.what();
    }
    EXPECT_FALSE(error.detail().where.empty()) << error.what();
    EXPECT_NE(std::string(error.what()).find(row.contains), std::string::npos) << error.what();
  }
}

INSTANTIATE_TEST_SUITE_P(Files, JsonBad, testing::ValuesIn(all_rows()),
                         [](const auto& each) { return each.param.name; });

void expect_limit(const std::string& text, const JsonLimits& limits) {
  EXPECT_NO_THROW(read_json(text));
  try {
    read_json(text, limits);
    FAIL() << "accepted";
  } catch (const UserError& error) {
    EXPECT_EQ(error.code(), ErrorCode::limit_exceeded) << error.what();
  }
}

TEST(JsonLimitsTest, AreKept) {
  test::register_json_ops();
  const std::string text = file(R"({"id":2,"op":"Neg","in":[1]},{"id":3,"op":"Neg","in":[2]})");
  expect_limit(text, {.max_bytes = text.size() - 1});
  expect_limit(text, {.max_nodes = 2});
  expect_limit(text, {.max_depth = 4});
  expect_limit(text, {.max_ids = 2});
  expect_limit(file(R"({"id":2,"op":"Constant","attrs":{"value":{"tensor":{"type":"u8[3]","data":"AAAA"}}}})"),
               {.max_tensor_elements = 2});
}

// Every beginning of a good file is refused, and with an error of ours.
TEST(JsonTruncated, IsRefusedAtEveryByte) {
  for (const test::NamedGraph& each : test::graphs_of_every_feature()) {
    const std::string text = to_json(each.graph);
    for (std::size_t length = 0; length < text.size(); length += 1 + text.size() / 500) {
      EXPECT_THROW(read_json(std::string_view(text).substr(0, length)), UserError) << each.name << " " << length;
    }
  }
}

}  // namespace
}  // namespace asg
