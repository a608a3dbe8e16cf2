// The encodings of tensors.
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include "asg/graph/registry.h"
#include "asg/io/onnx.h"
#include "io/onnx_text.h"
#include "support/compare.h"
#include "support/limit_guard.h"

namespace asg::test {
namespace {

struct TensorRow {
  std::string name;
  std::string text;
  Array expected;
};

std::ostream& operator<<(std::ostream& out, const TensorRow& row) { return out << row.name; }

template <class T>
Array list(const std::vector<T>& values) {
  return Array::of<T>({static_cast<std::int64_t>(values.size())}, values);
}

std::vector<TensorRow> tensor_rows() {
  const Array halves = list<float>({1.5f, -2});
  return {
      {"f32_field", "data_type: 1 dims: 2 float_data: 1.5 float_data: -2", halves},
      {"f32_raw", R"(data_type: 1 dims: 2 raw_data: '\000\000\300\077\000\000\000\300')", halves},
      {"f64_field", "data_type: 11 dims: 1 double_data: 0.1", list<double>({0.1})},
      {"f16_bits", "data_type: 10 dims: 2 int32_data: 15872 int32_data: 49152", halves.cast(DType::f16)},
      {"f16_raw", R"(data_type: 10 dims: 2 raw_data: '\000\076\000\300')", halves.cast(DType::f16)},
      {"bf16_bits", "data_type: 16 dims: 2 int32_data: 16320 int32_data: 49152", halves.cast(DType::bf16)},
      {"u8_field", "data_type: 2 dims: 2 int32_data: 0 int32_data: 255", list<std::uint8_t>({0, 255})},
      {"i8_field", "data_type: 3 dims: 1 int32_data: -128", list<std::int8_t>({-128})},
      {"i16_field", "data_type: 5 dims: 1 int32_data: -3", list<std::int16_t>({-3})},
      {"u16_field", "data_type: 4 dims: 1 int32_data: 65535", list<std::uint16_t>({65535})},
      {"i32_field", "data_type: 6 dims: 1 int32_data: -7", list<std::int32_t>({-7})},
      {"i64_field", "data_type: 7 dims: 1 int64_data: -9", list<std::int64_t>({-9})},
      {"u32_field", "data_type: 12 dims: 1 uint64_data: 4294967295", list<std::uint32_t>({4294967295U})},
      {"u64_field", "data_type: 13 dims: 1 uint64_data: 18446744073709551615",
       list<std::uint64_t>({~std::uint64_t{0}})},
      {"bool_field", "data_type: 9 dims: 2 int32_data: 1 int32_data: 0", list<bool>({true, false})},
      {"bool_raw_of_odd_bytes", R"(data_type: 9 dims: 2 raw_data: '\007\000')", list<bool>({true, false})},
      {"scalar", "data_type: 1 float_data: 3", Array::scalar(DType::f32, 3)},
      {"empty", "data_type: 1 dims: 0 dims: 3", Array(DType::f32, {0, 3})},
  };
}

class OnnxTensor : public testing::TestWithParam<TensorRow> {};

TEST_P(OnnxTensor, IsRead) {
  const Array read = io::read_onnx_tensor(tensor_bytes(GetParam().text));
  EXPECT_TRUE(identical(read, GetParam().expected)) << read.to_string();
}

INSTANTIATE_TEST_SUITE_P(Rows, OnnxTensor, testing::ValuesIn(tensor_rows()),
                         [](const auto& row) { return row.param.name; });

class OnnxExternal : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("asg_onnx_test_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_ / "model");
    std::ofstream(folder_ / "model/weights", std::ios::binary) << "....\x01\x02\x03";
    std::ofstream(folder_ / "outside", std::ios::binary) << "\x01\x02\x03";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  // The constant of a model whose three bytes lie in a file.
  Array read(const std::string& location, int offset, int length = 3) const {
    const std::string entries = "external_data { key: 'location' value: '" + location +
                                "' } external_data { key: 'offset' value: '" + std::to_string(offset) +
                                "' } external_data { key: 'length' value: '" + std::to_string(length) + "' } ";
    std::ofstream(folder_ / "model/model.onnx", std::ios::binary) << model(
        13, "initializer { name: 'w' data_type: 2 dims: 3 data_location: EXTERNAL " + entries + "} " + output("w"));
    const Graph graph = io::read_onnx_file((folder_ / "model/model.onnx").string()).graph;
    return graph.node(graph.find_output("w")->value.node).attrs.find("value")->as_tensor();
  }

  std::string refused(const std::string& location, int offset, int length = 3) const {
    try {
      read(location, offset, length);
    } catch (const UserError& error) {
      return error.what();
    }
    return "not refused";
  }

  std::filesystem::path folder_;
};

TEST_F(OnnxExternal, IsReadFromAFileBesideTheModel) {
  EXPECT_TRUE(identical(read("weights", 4), list<std::uint8_t>({1, 2, 3})));
}

// Many tensors of the same bytes cost no more than the file.
TEST_F(OnnxExternal, IsSharedByTensorsThatNameTheSameBytes) {
  std::string initializers, outputs;
  for (const char* name : {"a", "b"}) {
    initializers +=
        "initializer { name: '" + std::string(name) +
        "' data_type: 1 dims: 2 data_location: EXTERNAL external_data { key: 'location' value: 'floats' } }";
    outputs += output(name);
  }
  std::ofstream(folder_ / "model/floats", std::ios::binary) << std::string(8, '\0');
  std::ofstream(folder_ / "model/model.onnx", std::ios::binary) << model(13, initializers + outputs);
  const auto read_model = [&] {
    return io::read_onnx_file((folder_ / "model/model.onnx").string(), {.trainable = false}).graph;
  };
  const Graph graph = read_model();
  const auto first_byte_of = [&](const char* name) {
    const Node& node = graph.node(graph.find_output(name)->value.node);
    return std::as_const(node.attrs.find("value")->as_tensor()).raw();
  };
  EXPECT_EQ(first_byte_of("a"), first_byte_of("b"));
}

TEST_F(OnnxExternal, IsCopiedUpToTheLimitWhereItIsNotAligned) {
  std::string initializers;
  for (int k = 0; k < 3; ++k) {
    initializers += "initializer { name: 'w" + std::to_string(k) +
                    "' data_type: 1 dims: 50 data_location: EXTERNAL external_data { key: 'location' value: 'floats' } "
                    "external_data { key: 'offset' value: '1' } }";
  }
  std::ofstream(folder_ / "model/floats", std::ios::binary) << std::string(201, '\0');
  const std::string bytes = model(13, initializers + output("w0"));
  const auto read_model = [&] { return io::read_onnx(bytes, {.folder = (folder_ / "model").string()}); };
  EXPECT_NO_THROW(read_model());
  const LimitGuard guard(Limit::file_bytes, static_cast<std::int64_t>(bytes.size()));
  ASSERT_LT(bytes.size(), 600U);
  EXPECT_THROW(read_model(), UserError);
}

TEST_F(OnnxExternal, IsRefusedOutsideTheFolder) {
  const std::string needed = "a file in or below the folder of the model";
  EXPECT_NE(refused("../outside", 0).find(needed), std::string::npos);
  EXPECT_NE(refused((folder_ / "outside").string(), 0).find(needed), std::string::npos);
  EXPECT_NE(refused("", 0).find(needed), std::string::npos);
  std::filesystem::create_symlink(folder_ / "outside", folder_ / "model/link");
  EXPECT_NE(refused("link", 0).find(needed), std::string::npos);
}

TEST_F(OnnxExternal, IsRefusedWhereTheFileIsTooShort) {
  EXPECT_NE(refused("weights", 5).find("3 bytes at 5 of a file of 7 bytes"), std::string::npos);
  EXPECT_NE(refused("weights", 4, 2).find("2 bytes at 4"), std::string::npos);
  EXPECT_NE(refused("nothing_here", 0).find("a file that can be read"), std::string::npos);
}

}  // namespace
}  // namespace asg::test
