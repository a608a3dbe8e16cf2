#include "asg/io/safetensors.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "asg/core/platform.h"
#include "support/compare.h"
#include "support/temporary_folder.h"

namespace asg::io {
namespace {

using test::identical;

std::string safetensors_of(const std::string& header, const std::string& elements = "", std::uint64_t length = 0) {
  std::string bytes;
  std::uint64_t rest = length == 0 ? header.size() : length;
  for (int k = 0; k < 8; ++k, rest >>= 8) bytes += static_cast<char>(rest & 0xFF);
  return bytes + header + elements;
}

std::string to_bytes(const Tensors& tensors, const TextByName& metadata = {}) {
  std::string bytes;
  write_safetensors(tensors, metadata, [&](std::string_view piece) { bytes += piece; });
  return bytes;
}

ErrorDetail error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const UserError& error) {
    return error.detail();
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

// Every dtype in several shapes, all bits set to something.
Tensors all_types() {
  Tensors tensors;
  for (const DType dtype : all_dtypes()) {
    for (const Sizes& sizes : {Sizes{}, Sizes{3}, Sizes{2, 0, 4}, Sizes{2, 3, 5}}) {
      Array array(dtype, sizes);
      for (std::int64_t k = 0; k < array.bytes(); ++k) {
        array.raw()[k] = static_cast<std::byte>(dtype == DType::boolean ? k % 2 : (k * 37 + 129) % 256);
      }
      tensors.emplace("layer/" + array.type_string(), array);
    }
  }
  return tensors;
}

TEST(Safetensors, ThereAndBack) {
  const test::TemporaryFolder folder;
  const Tensors tensors = all_types();
  const TextByName metadata = {{"format", "asg"}, {"odd \"key\"\n", "naïve — текст"}};
  save_safetensors(folder.path("all.safetensors"), tensors, metadata);
  const Safetensors file = Safetensors::open(folder.path("all.safetensors"));
  EXPECT_EQ(file.metadata(), metadata);
  ASSERT_EQ(file.tensors().size(), tensors.size());
  for (const auto& [name, array] : tensors) {
    EXPECT_TRUE(identical(file.read(name), array)) << name;
    EXPECT_EQ(file.find(name)->type_string(), array.type_string());
  }
  EXPECT_EQ(file.find("layer"), nullptr);
  EXPECT_EQ(Safetensors::from_bytes(to_bytes({})).tensors().size(), 0U);
  EXPECT_EQ(Safetensors::from_bytes(to_bytes({}, metadata)).metadata(), metadata);
}

TEST(Safetensors, BytesAreFixed) {
  const std::string bytes = to_bytes({{"b", Array::of<std::uint8_t>({2}, {7, 8})},
                                      {"c", Array::of<float>({1, 1}, {1})},
                                      {"a", Array::of<std::uint8_t>({}, {9})}},
                                     {{"k", "v"}});
  const std::string header =
      R"({"__metadata__":{"k":"v"},"c":{"dtype":"F32","shape":[1,1],"data_offsets":[0,4]},)"
      R"("a":{"dtype":"U8","shape":[],"data_offsets":[4,5]},"b":{"dtype":"U8","shape":[2],"data_offsets":[5,7]}})";
  const std::size_t padded = (8 + header.size() + 63) / 64 * 64 - 8;
  EXPECT_EQ(bytes, safetensors_of(header + std::string(padded - header.size(), ' '),
                                  std::string("\0\0\x80\x3F\x09\x07\x08", 7)));
}

TEST(Safetensors, EveryTensorIsAligned) {
  const Safetensors file = Safetensors::from_bytes(to_bytes(all_types()));
  for (const TensorInfo& tensor : file.tensors()) {
    EXPECT_EQ(tensor.begin % static_cast<std::uint64_t>(bytes_of(tensor.dtype)), 0U) << tensor.name;
  }
}

TEST(Safetensors, WritesViewsAsTheyLook) {
  const Array matrix = Array::of<float>({2, 3}, {1, 2, 3, 4, 5, 6});
  const Safetensors file = Safetensors::from_bytes(
      to_bytes({{"turned", matrix.transposed({1, 0})}, {"wide", Array::scalar(DType::f32, 4).broadcast_to({3})}}));
  EXPECT_TRUE(identical(file.read("turned"), Array::of<float>({3, 2}, {1, 4, 2, 5, 3, 6})));
  EXPECT_TRUE(identical(file.read("wide"), Array::of<float>({3}, {4, 4, 4})));
}

TEST(Safetensors, MapsWithoutCopies) {
  const test::TemporaryFolder folder;
  const std::string path = folder.path("m.safetensors");
  save_safetensors(path, {{"w", Array::of<float>({2}, {1, 2})}});
  const std::string before = platform::read_file(path);
  Array first, second;
  {
    const Safetensors file = Safetensors::open(path);
    first = file.read("w");
    second = file.read("w");
  }
  EXPECT_EQ(first.raw(), second.raw());
  first.set(0, 5);  // a change stays in this process
  EXPECT_EQ(second.get(0), 5);
  EXPECT_EQ(platform::read_file(path), before);
  std::filesystem::remove(path);
  EXPECT_EQ(first.get(1), 2);
}

TEST(Safetensors, CopiesWhatIsNotAligned) {
  for (std::size_t spaces = 0; spaces < 8; ++spaces) {
    const std::string bytes =
        safetensors_of(R"({"x":{"dtype":"F64","shape":[1],"data_offsets":[0,8]}})" + std::string(spaces, ' '),
                       std::string("\0\0\0\0\0\0\xF0\x3F", 8));
    EXPECT_TRUE(identical(Safetensors::from_bytes(bytes).read("x"), Array::of<double>({1}, {1})));
  }
}

TEST(Safetensors, BooleansBecomeZeroOrOne) {
  const Array flags =
      Safetensors::from_bytes(
          safetensors_of(R"({"x":{"dtype":"BOOL","shape":[3],"data_offsets":[0,3]}})", std::string("\x00\x01\xFE", 3)))
          .read("x");
  EXPECT_EQ(static_cast<int>(flags.raw()[2]), 1);
}

// Empty tensors may stand anywhere; keys in any order; spaces around.
TEST(Safetensors, ReadsOddButLegalHeaders) {
  const Safetensors file = Safetensors::from_bytes(safetensors_of(
      "{ \"b\":{\"data_offsets\":[0,2],\"shape\":[2],\"dtype\":\"I8\"},\n\t\"e\":{\"dtype\":\"F32\",\"shape\":[0,7],"
      "\"data_offsets\":[2,2]}, \"__metadata__\":{} } ",
      "\x01\x02"));
  EXPECT_EQ(file.read("b").get(1), 2);
  EXPECT_EQ(file.read("e").type_string(), "f32[0, 7]");
}

struct Malformed {
  std::string name;
  std::string bytes;
  ErrorCode code;
  std::string given;  // a part of it
};

std::string one(const std::string& fields, const std::string& elements = "") {
  return safetensors_of(R"({"w":{)" + fields + "}}", elements);
}

std::vector<Malformed> malformed() {
  const std::string good = R"("dtype":"U8","shape":[2],"data_offsets":[0,2])";
  const std::string entry = R"(:{"dtype":"U8","shape":[2],"data_offsets":)";
  const ErrorCode json = ErrorCode::bad_json;
  const ErrorCode io = ErrorCode::io_error;
  return {
      {"nothing", "", io, "a file of 0 bytes"},
      {"no_header", "1234567", io, "a file of 7 bytes"},
      {"length_beyond_the_file", safetensors_of("{}", "", 3), io, "2 bytes of header"},
      {"length_beyond_the_limit", safetensors_of("{}", "", 100'000'001), ErrorCode::limit_exceeded, "100000001 bytes"},
      {"length_of_all_ones", std::string(16, '\xFF'), ErrorCode::limit_exceeded, "18446744073709551615 bytes"},
      {"not_an_object", safetensors_of("[]"), json, "does not begin with '{'"},
      {"leading_space", safetensors_of(" {}"), json, "does not begin with '{'"},
      {"zip", safetensors_of("PK\x03\x04"), json, "does not begin with '{'"},
      {"cut_json", safetensors_of(R"({"w":)"), json, "not JSON"},
      {"two_values", safetensors_of("{} {}"), json, "not JSON"},
      {"not_utf8", safetensors_of("{\"\xFF\":{}}"), json, "not JSON"},
      {"trailing_zero", safetensors_of(std::string("{}\0", 3)), json, "not JSON"},
      {"tensor_is_a_number", safetensors_of(R"({"w":3})"), json, "the number 3"},
      {"tensor_is_a_list", safetensors_of(R"({"w":[1]})"), json, "a list"},
      {"tensor_is_null", safetensors_of(R"({"w":null})"), json, "null"},
      {"no_fields", one(""), json, "a key that is missing"},
      {"no_dtype", one(R"("shape":[2],"data_offsets":[0,2])", "ab"), json, "a key that is missing"},
      {"unknown_field", one(good + R"(,"stride":[1])", "ab"), json, "\"stride\""},
      {"field_twice", one(good + R"(,"dtype":"U8")", "ab"), json, "\"dtype\" twice"},
      {"name_twice", safetensors_of(R"({"w")" + entry + R"([0,2]},"w")" + entry + "[2,4]}}", "abcd"), json,
       "\"w\" twice"},
      {"dtype_is_a_number", one(R"("dtype":3)"), json, "the number 3"},
      {"shape_is_a_text", one(R"("dtype":"U8","shape":"2")"), json, "the text \"2\""},
      {"shape_in_shape", one(R"("dtype":"U8","shape":[[2]])"), json, "a list"},
      {"object_in_tensor", one(R"("dtype":{}})"), json, "an object inside"},
      {"negative_length", one(R"("dtype":"U8","shape":[-2],"data_offsets":[0,2])", "ab"), json, "a negative number"},
      {"broken_length", one(R"("dtype":"U8","shape":[2.0],"data_offsets":[0,2])", "ab"), json, "a number that"},
      {"length_of_64_bits", one(R"("dtype":"U8","shape":[9223372036854775808],"data_offsets":[0,2])", "ab"), json,
       "9223372036854775808"},
      {"length_of_more_bits", one(R"("dtype":"U8","shape":[99999999999999999999],"data_offsets":[0,2])", "ab"), json,
       "a number that"},
      {"one_offset", one(R"("dtype":"U8","shape":[2],"data_offsets":[0])", "ab"), json, "fewer than two"},
      {"three_offsets", one(R"("dtype":"U8","shape":[2],"data_offsets":[0,2,4])", "ab"), json, "more than two"},
      {"metadata_of_numbers", safetensors_of(R"({"__metadata__":{"a":1}})"), json, "__metadata__: the number 1"},
      {"metadata_in_metadata", safetensors_of(R"({"__metadata__":{"a":{}}})"), json, "an object inside"},
      {"metadata_is_a_text", safetensors_of(R"({"__metadata__":"a"})"), json, "the text \"a\""},
      {"metadata_twice", safetensors_of(R"({"__metadata__":{},"__metadata__":{}})"), json, "twice"},
      {"metadata_key_twice", safetensors_of(R"({"__metadata__":{"a":"1","a":"2"}})"), json, "\"a\" twice"},
      {"float8", one(R"("dtype":"F8_E4M3","shape":[2],"data_offsets":[0,2])", "ab"), ErrorCode::bad_dtype,
       "\"F8_E4M3\""},
      {"small_letters", one(R"("dtype":"f32","shape":[2],"data_offsets":[0,8])", "12345678"), ErrorCode::bad_dtype,
       "\"f32\""},
      {"too_few_bytes", one(R"("dtype":"F32","shape":[2],"data_offsets":[0,7])", "1234567"), io, "from byte 0 to 7"},
      {"backwards", one(R"("dtype":"U8","shape":[2],"data_offsets":[2,0])", "ab"), io, "from byte 2 to 0"},
      {"sizes_overflow", one(R"("dtype":"F64","shape":[4294967296,4294967296],"data_offsets":[0,0])"), io,
       "more than 2^63 bytes"},
      {"empty_sizes_overflow", one(R"("dtype":"F64","shape":[0,4294967296,4294967296],"data_offsets":[0,0])"), io,
       "more than 2^63 bytes"},
      {"huge_tensor", one(R"("dtype":"U8","shape":[1099511627776],"data_offsets":[0,1099511627776])", "ab"), io,
       "2 bytes of elements"},
      {"file_cut", one(good, "a"), io, "1 bytes of elements"},
      {"file_too_long", one(good, "abc"), io, "3 bytes of elements"},
      {"elements_of_nothing", safetensors_of("{}", "a"), io, "1 bytes of elements"},
      {"gap_at_the_start", one(R"("dtype":"U8","shape":[2],"data_offsets":[1,3])", "abc"), io, "after a gap"},
      {"gap", safetensors_of(R"({"v")" + entry + R"([0,2]},"w")" + entry + "[3,5]}}", "abcde"), io, "after a gap"},
      {"overlap", safetensors_of(R"({"v")" + entry + R"([0,2]},"w")" + entry + "[1,3]}}", "abc"), io,
       "inside the one before"},
      {"same_place", safetensors_of(R"({"v")" + entry + R"([0,2]},"w")" + entry + "[0,2]}}", "ab"), io,
       "inside the one before"},
      {"deep", safetensors_of(R"({"w":{"shape":)" + std::string(100000, '[')), json, "a list"},
      {"many_axes",
       one(
           R"("dtype":"U8","shape":[1)" +
               [] {
                 std::string more;
                 for (int k = 0; k < 64; ++k) more += ",1";
                 return more;
               }() +
               R"(],"data_offsets":[0,1])",
           "a"),
       json, "more than 64 axes"},
  };
}

TEST(Safetensors, RefusesWhatIsMalformed) {
  const test::TemporaryFolder folder;
  for (const Malformed& row : malformed()) {
    SCOPED_TRACE(row.name);
    const std::string path = folder.path(row.name);
    folder.write(row.name, row.bytes);
    const ErrorDetail error = error_of([&] { Safetensors::open(path); });
    EXPECT_EQ(error.code, row.code) << error.given;
    EXPECT_NE(error.given.find(row.given), std::string::npos) << error.given;
    EXPECT_EQ(error.where, path);
    EXPECT_FALSE(error.needed.empty());
    EXPECT_FALSE(error.mend.empty());
  }
}

TEST(Safetensors, ErrorsNameTheTensorAndTheFile) {
  const ErrorDetail error = error_of(
      [] { Safetensors::from_bytes(one(R"("dtype":"F32","shape":[2],"data_offsets":[0,7])", "1234567"), "my file"); });
  EXPECT_EQ(error.given, "tensor \"w\" from byte 0 to 7");
  EXPECT_EQ(error.needed, "8 bytes, as f32[2] takes");
  EXPECT_EQ(error.mend, "the file may be cut off or damaged: fetch or write it again");
  EXPECT_EQ(error.where, "my file");
  const ErrorDetail absent = error_of([] { Safetensors::from_bytes(to_bytes({{"weight", Array()}})).read("wieght"); });
  EXPECT_EQ(absent.code, ErrorCode::missing_value);
  EXPECT_EQ(absent.mend, "did you mean 'weight'?");
}

TEST(Safetensors, RefusesNamesThatCannotBeWritten) {
  for (const char* name : {"__metadata__", "\xFF"}) {
    EXPECT_EQ(error_of([&] { to_bytes({{name, Array()}}); }).code, ErrorCode::bad_name);
  }
}

TEST(Safetensors, AFailedSaveLeavesTheOldFile) {
  const test::TemporaryFolder folder;
  save_safetensors(folder.path("w"), {{"w", Array::scalar_i64(1)}});
  EXPECT_EQ(error_of([&] { save_safetensors(folder.path("w"), {{"\xFF", Array()}}); }).code, ErrorCode::bad_name);
  EXPECT_EQ(error_of([&] { save_safetensors(folder.path("absent/w"), {}); }).code, ErrorCode::io_error);
  std::filesystem::create_directory(folder.path("taken"));
  EXPECT_EQ(error_of([&] { save_safetensors(folder.path("taken"), {}); }).code, ErrorCode::io_error);
  EXPECT_EQ(Safetensors::open(folder.path("w")).read("w").get_i64(0), 1);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 2);
}

class Shards : public testing::Test {
 protected:
  Shards() {
    save_safetensors(folder_.path("model-1.safetensors"), {{"a", Array::scalar_i64(1)}, {"c", Array::scalar_i64(3)}});
    save_safetensors(folder_.path("model-2.safetensors"), {{"b", Array::scalar_i64(2)}, {"spare", Array()}});
  }
  void write_index(const std::string& map) const {
    folder_.write("model.safetensors.index.json", R"({"metadata":{"total_size":24},"weight_map":)" + map + "}");
  }
  std::string index() const { return folder_.path("model.safetensors.index.json"); }

  test::TemporaryFolder folder_;
};

TEST_F(Shards, AreOneSet) {
  write_index(R"({"b":"model-2.safetensors","c":"model-1.safetensors","a":"model-1.safetensors"})");
  for (const std::string& path : {folder_.path(), index()}) {
    const Safetensors file = Safetensors::open(path);
    ASSERT_EQ(file.tensors().size(), 3U);
    EXPECT_EQ(file.read("a").get_i64(0), 1);
    EXPECT_EQ(file.read("b").get_i64(0), 2);
    EXPECT_EQ(file.read("c").get_i64(0), 3);
  }
}

TEST_F(Shards, RefuseABadIndex) {
  const struct {
    std::string map;
    ErrorCode code;
    std::string given;
  } rows[] = {
      {R"({"a":"model-2.safetensors"})", ErrorCode::io_error, "no tensor \"a\" in \"model-2.safetensors\""},
      {R"({"a":"model-3.safetensors"})", ErrorCode::io_error, "model-3.safetensors"},
      {R"({"a":"../model-1.safetensors"})", ErrorCode::bad_json, "tensor \"a\""},
      {R"({"a":".."})", ErrorCode::bad_json, "tensor \"a\""},
      {R"({"a":7})", ErrorCode::bad_json, "tensor \"a\""},
      {"7", ErrorCode::bad_json, "without a weight_map"},
      {"{", ErrorCode::bad_json, ""},
      {R"({"a":[[[[[[[[[[]]]]]]]]]]})", ErrorCode::limit_exceeded, "nested"},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.map);
    write_index(row.map);
    const ErrorDetail error = error_of([&] { Safetensors::open(folder_.path()); });
    EXPECT_EQ(error.code, row.code) << error.given;
    EXPECT_NE(error.given.find(row.given), std::string::npos) << error.given;
  }
}

TEST_F(Shards, AFolderMustTellWhichFile) {
  const ErrorDetail error = error_of([&] { Safetensors::open(folder_.path()); });
  EXPECT_EQ(error.code, ErrorCode::io_error);
  EXPECT_NE(error.given.find("with 2 .safetensors files"), std::string::npos) << error.given;
  std::filesystem::remove(folder_.path("model-2.safetensors"));
  EXPECT_EQ(Safetensors::open(folder_.path()).tensors().size(), 2U);
  EXPECT_EQ(error_of([&] { Safetensors::open(folder_.path("absent")); }).code, ErrorCode::io_error);
}

}  // namespace
}  // namespace asg::io
