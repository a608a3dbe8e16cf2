#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>

#include <gtest/gtest.h>

#include "asg/core/error.h"
#include "asg/core/platform.h"
#include "asg/core/sha256.h"
#include "asg/data/cifar.h"
#include "asg/data/csv.h"
#include "asg/data/idx.h"
#include "asg/data/image.h"
#include "asg/data/loader.h"
#include "asg/data/text.h"
#include "asg/io/inflate.h"
#include "asg/io/npz.h"

namespace asg::data {
namespace {

namespace fs = std::filesystem;

std::string fixture(const std::string& name) { return std::string(ASG_SOURCE_DIR "/tests/data/files/") + name; }

// A folder of its own that goes with the test.
class DataFiles : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("asg_data_" + std::to_string(std::random_device()()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string write(const std::string& name, std::string_view content) const {
    const fs::path path = folder_ / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << content;
    return path.string();
  }

  fs::path folder_;
};

std::string message_of_reading(const std::function<void()>& call) {
  try {
    call();
  } catch (const UserError& error) {
    return error.what();
  }
  return "accepted";
}

void expect_part(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text << "\nlacks: " << part;
}

constexpr std::string_view kIrises =
    "length,width,species\r\n"
    "5.1,3.5,setosa\r\n"
    "6.2,2.9,\"versi\"\"color\"\r\n"
    "\r\n"
    " 1e-3 ,-7,setosa";

TEST_F(DataFiles, CsvHasColumnsAndClasses) {
  const Dataset data = read_csv("irises", kIrises, {.label = "species"});
  EXPECT_EQ(data.field("features").to_string(), "features f32[2]");
  EXPECT_EQ(data.field("labels").class_names, (std::vector<std::string>{"setosa", "versi\"color"}));
  EXPECT_EQ(data.column("features").to_string(), "[[5.1, 3.5],\n [6.2, 2.9],\n [0.001, -7]]");
  EXPECT_EQ(data.column("labels").to_string(), "[0, 1, 0]");
  const Dataset one = read_csv("irises", kIrises, {.label = "width", .classes = false, .features = {"length"}});
  EXPECT_EQ(one.column("labels").to_string(), "[3.5, 2.9, -7]");
  EXPECT_EQ(one.field("labels").to_string(), "labels f32[]");
}

TEST_F(DataFiles, CsvSortsNumbersOfClassesByValue) {
  const Dataset data = read_csv("numbers", "1;10\n2;9\n3;10\n", {.separator = ';', .header = false, .label = "1"});
  EXPECT_EQ(data.field("labels").class_names, (std::vector<std::string>{"9", "10"}));
  EXPECT_EQ(data.column("labels").to_string(), "[1, 0, 1]");
  const Dataset named = read_csv("named", "x,y\n1,b\n", {.label = "y", .class_names = {"a", "b"}});
  EXPECT_EQ(named.classes(), 2);
  EXPECT_EQ(named.column("labels").get_i64(0), 1);
  EXPECT_TRUE(std::isnan(read_csv("gaps", "x,y\n1,\n", {.missing = NAN}).column("features").get(1)));
}

TEST_F(DataFiles, CsvTellsWhereAMistakeIs) {
  const auto error = [](std::string_view text, CsvOptions options) {
    return message_of_reading([&] { read_csv("table", text, options); });
  };
  expect_part(error(kIrises, {.label = "specie"}), "missing_value: no column 'specie'");
  expect_part(error(kIrises, {.label = "specie"}), "did you mean 'species'?");
  expect_part(error(kIrises, {}), "'setosa' in column 'species' on line 2");
  expect_part(error("a,b\n1,2\n\n3\n", {}), "1 cells on line 4");
  expect_part(error("a,b\n\"1\n\",2\n3,\n", {}), "'1\n' in column 'a' on line 2");
  expect_part(error("a,b\n1,2\n3,\n", {}), "an empty cell in column 'b' on line 3");
  expect_part(error("a\n\"1\n2\n", {}), "a quote on line 2 that does not close");
  expect_part(error("a\n\"1\"2\n", {}), "text behind the closing quote on line 2");
  expect_part(error("", {}), "missing_value: a table without rows");
  expect_part(error("a,b\n", {}), "missing_value: a table without rows");
  expect_part(error("a,b\n1,x\n2,y\n", {.label = "b", .class_names = {"x"}}), "the class 'y' on line 3");
  expect_part(error("a\n0x10\n", {}), "'0x10'");
  const std::string path = write("table.csv", "a\nx\n");
  expect_part(message_of_reading([&] { read_csv_file(path); }), path);
}

// One record of CIFAR: labels, then a picture whose bytes are their place modulo 251.
std::string record(const std::string& labels) {
  std::string bytes = labels;
  for (int k = 0; k < 3072; ++k) bytes += static_cast<char>(k % 251);
  return bytes;
}

TEST_F(DataFiles, CifarIsReadInBothForms) {
  const std::string two = record("\x03") + record("\x09");
  const Dataset ten = read_cifar10("ten", two);
  EXPECT_EQ(ten.field("features").to_string(), "features u8[3, 32, 32]");
  EXPECT_EQ(ten.column("labels").to_string(), "[3, 9]");
  EXPECT_EQ(ten.column("features").get(3072 + 1024), 1024 % 251);
  const Dataset files = read_cifar10_files("ten", {write("a.bin", two), write("b.bin", two)});
  EXPECT_EQ(files.count(), 4);
  const Dataset hundred = read_cifar100("hundred", record("\x05\x63"));
  EXPECT_EQ(hundred.column("coarse").get(0), 5);
  EXPECT_EQ(hundred.column("labels").get(0), 99);
  expect_part(message_of_reading([&] { read_cifar10("ten", two + "x"); }), "records of 3073 bytes");
  expect_part(message_of_reading([&] { read_cifar10("ten", record("\x0a")); }), "label 10 of example 0");
  expect_part(message_of_reading([&] { read_cifar10("ten", ""); }), "0 bytes");
}

constexpr std::string_view kThreePixels("\0\0\x08\x02\0\0\0\3\0\0\0\1\1\2\3", 15);
constexpr std::string_view kThreeLabels("\0\0\x08\x01\0\0\0\3\0\1\2", 11);
// The same as kThreeLabels, by gzip.
constexpr std::string_view kPackedLabels(
    "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\xff\x63\x60\xe0\x60\x64\x60\x60\x60\x66\x60\x64\x02\x00\xe9\xec\x55\xf9\x0b"
    "\x00\x00\x00",
    31);

TEST_F(DataFiles, IdxPairsArePlainOrPacked) {
  const std::string pixels = write("pixels", kThreePixels);
  const Dataset plain = read_idx_pair("three", pixels, write("labels", kThreeLabels), 3);
  const Dataset packed = read_idx_pair("three", pixels, write("labels.gz", kPackedLabels), 3);
  EXPECT_EQ(plain.field("features").to_string(), "features u8[1]");
  EXPECT_TRUE(bit_equal(plain.column("labels"), packed.column("labels")));
  const std::string cut = write("cut", kThreePixels.substr(0, 13));
  expect_part(message_of_reading([&] { read_idx_file(cut); }), "1 bytes of elements (at " + cut + ")");
  const std::string other = write("other", "this is a text");
  expect_part(message_of_reading([&] { read_idx_file(other); }), "does not begin like IDX");
  const std::string broken = write("broken.gz", kPackedLabels.substr(0, 20));
  expect_part(message_of_reading([&] { read_idx_file(broken); }), "end too early (at " + broken + ")");
  expect_part(message_of_reading([&] { read_idx_pair("three", pixels, write("labels", kThreeLabels), 2); }),
              "label 2 of example 2");
  expect_part(message_of_reading([&] { read_idx_pair("three", pixels, pixels, 3); }), "a class from 0 to 2");
}

TEST(Gzip, RefusesWhatIsDamaged) {
  EXPECT_EQ(io::gunzip(kPackedLabels), kThreeLabels);
  const std::string packed(kPackedLabels);
  EXPECT_EQ(io::gunzip(packed + packed), std::string(kThreeLabels) + std::string(kThreeLabels));
  EXPECT_EQ(io::gunzip(packed + std::string(5, '\0')), kThreeLabels);
  std::string damaged = packed;
  damaged[damaged.size() - 8] ^= 1;  // in the check sum
  expect_part(message_of_reading([&] { io::gunzip(damaged); }), "damaged packed bytes");
  expect_part(message_of_reading([&] { io::gunzip(packed + "x"); }), "1 bytes behind the end");
  expect_part(message_of_reading([&] { io::gunzip("plain"); }), "do not begin like gzip");
  expect_part(message_of_reading([&] { io::gunzip(packed, 5); }), "more than 5 bytes");
}

TEST_F(DataFiles, PicturesAreReadAsPillowReadsThem) {
  const NamedArrays pillow = io::read_npz_file(fixture("pillow_pictures.npz"));
  EXPECT_TRUE(bit_equal(read_image_file(fixture("colour.png")), pillow.at("colour")));
  EXPECT_TRUE(bit_equal(read_image_file(fixture("palette.png")), pillow.at("colour")));
  EXPECT_TRUE(bit_equal(read_image_file(fixture("transparent.png")), pillow.at("colour")));
  EXPECT_TRUE(
      bit_equal(read_image_file(fixture("grey.png"), Channels::grey), pillow.at("colour").sliced(0, 0, 1, 1).copy()));
  EXPECT_EQ(read_image_file(fixture("grey.png")).sizes(), (Sizes{3, 6, 8}));
  EXPECT_TRUE(bit_equal(read_image_file(fixture("photo.jpg")), pillow.at("photo")));
  EXPECT_EQ(read_image_file(fixture("photo.jpg"), Channels::grey).sizes(), (Sizes{1, 16, 24}));
  for (const char* name : {"colour.png", "photo.jpg"}) {
    const std::string whole = platform::read_file(fixture(name));
    const std::string cut = write(name, std::string_view(whole).substr(0, whole.size() / 2));
    expect_part(message_of_reading([&] { read_image_file(cut); }), "io_error");
    expect_part(message_of_reading([&] { read_image_file(cut); }), cut);
  }
  expect_part(message_of_reading([] { read_image("GIF89a"); }), "neither like PNG nor like JPEG");
}

TEST_F(DataFiles, FoldersOfPicturesAreReadLazily) {
  const auto put = [&](const std::string& name, const char* from) {
    return write(name, platform::read_file(fixture(from)));
  };
  put("set/whale/b.png", "colour.png");
  put("set/whale/deep/a.JPG", "photo.jpg");
  put("set/albatross/x.jpeg", "photo.jpg");
  write("set/albatross/notes.txt", "no picture");
  const std::string root = (folder_ / "set").string();
  const Dataset data = image_folder(root, {.fit = chain({resize_shorter(5), centre_crop(4, 5)})});
  EXPECT_EQ(data.count(), 3);
  EXPECT_EQ(data.field("features").to_string(), "features u8[3, 4, 5]");
  EXPECT_EQ(data.field("labels").class_names, (std::vector<std::string>{"albatross", "whale"}));
  EXPECT_EQ(data.column("labels").to_string(), "[0, 1, 1]");
  Loader loader(data, {.batch_size = 3, .shuffle = false, .workers = 2});
  EXPECT_TRUE(bit_equal(loader.next().arrays.at("features"), data.column("features")));
  // Without a common size the second kind of picture does not fit.
  expect_part(message_of_reading([&] { image_folder(root).all(); }), "end `fit` at fixed sizes");
  expect_part(message_of_reading([&] { image_folder(root + "/nowhere"); }), "io_error");
  expect_part(message_of_reading([&] { image_folder(root + "/whale/deep"); }), "without a folder in it");
  fs::create_directories(root + "/zebra");
  expect_part(message_of_reading([&] { image_folder(root); }), "the class 'zebra'");
}

TEST_F(DataFiles, TextIsCheckedToBeUtf8) {
  EXPECT_EQ(read_text_file(write("a.txt",
                                 "\xEF\xBB\xBF"
                                 "naïve — ∑ 🐳\n")),
            "naïve — ∑ 🐳\n");
  for (const char* bad : {"one\ntwo \xff", "\xc0\xaf", "\xed\xa0\x80", "\xf5\x80\x80\x80", "\xe2\x82"}) {
    const std::string path = write("b.txt", bad);
    expect_part(message_of_reading([&] { read_text_file(path); }), "UTF-8");
  }
  expect_part(message_of_reading([&] { read_text_file(write("c.txt", "one\ntwo \xff")); }), "line 2");
}

TEST(MobyDick, IsTheWholeBook) {
  const std::string text = moby_dick();
  EXPECT_EQ(text.size(), 1204997U);
  EXPECT_EQ(sha256(text), "fe282a57094ed62e7144fb7c804a9748fc1c909bf3b49d06e7276015f9f67240");
  EXPECT_TRUE(text.starts_with("CHAPTER 1. Loomings.\n\nCall me Ishmael."));
}

TEST_F(DataFiles, WindowsOfTokensAreFollowedByTheNextOnes) {
  std::vector<std::int64_t> tokens(11);
  for (std::size_t k = 0; k < tokens.size(); ++k) tokens[k] = static_cast<std::int64_t>(k) * 3;
  const Dataset windows = token_windows("tokens", Array::ints(tokens), {.length = 3, .stride = 2, .vocabulary = 31});
  EXPECT_EQ(windows.count(), 4);  // from 0, 2, 4 and 6
  EXPECT_EQ(windows.take(3, 4).at("features").to_string(), "[[18, 21, 24]]");
  EXPECT_EQ(windows.take(3, 4).at("labels").to_string(), "[[21, 24, 27]]");
  EXPECT_EQ(token_windows("tokens", Array::ints(tokens), {.length = 5}).count(), 2);

  std::string bytes;
  for (const std::int64_t token : tokens) {
    const auto word = static_cast<std::uint16_t>(token);
    bytes.append(reinterpret_cast<const char*>(&word), sizeof(word));
  }
  const std::string path = write("tokens.bin", bytes);
  const Dataset file = token_file(path, DType::u16, {.length = 3, .stride = 2, .vocabulary = 31});
  EXPECT_TRUE(bit_equal(file.column("features"), windows.column("features")));
  EXPECT_TRUE(bit_equal(file.column("labels"), windows.column("labels")));

  expect_part(message_of_reading([&] { token_windows("t", Array::ints(tokens), {.length = 11}); }), "shorter windows");
  expect_part(message_of_reading([&] { token_windows("t", Array::ints(tokens), {.length = 2, .vocabulary = 30}); }),
              "token 30");
  expect_part(message_of_reading([&] { token_file(path, DType::u16, {.length = 2, .vocabulary = 30}).all(); }),
              "token 30");
  expect_part(message_of_reading([&] { token_file(path, DType::i32, {.length = 2}); }), "check the dtype");
  expect_part(message_of_reading([&] { token_file(path + "x", DType::u16, {.length = 2}); }), "io_error");
  expect_part(message_of_reading([&] { token_windows("t", Array(DType::f32, {9}), {.length = 2}); }), "whole numbers");
}

}  // namespace
}  // namespace asg::data
