// Pictures of all kinds that the formats have. Those of files_test.cpp come from Pillow; these are made here.
#include <array>
#include <cstdio>
#include <cstdlib>

#include <gtest/gtest.h>
#include <jpeglib.h>

#include "asg/core/error.h"
#include "asg/core/platform.h"
#include "asg/data/image.h"
#include "support/limit_guard.h"
#include "support/temporary_folder.h"

namespace asg::data {
namespace {

using Values = std::vector<int>;

std::string big_endian(std::uint32_t value) {
  return {static_cast<char>(value >> 24), static_cast<char>(value >> 16), static_cast<char>(value >> 8),
          static_cast<char>(value)};
}

std::string bytes_of(const Values& values) {
  std::string bytes;
  for (const int value : values) bytes += static_cast<char>(value);
  return bytes;
}

std::string png_chunk(const std::string& name, const std::string& content) {
  std::uint32_t check = 0xFFFFFFFF;
  for (const char each : name + content) {
    check ^= static_cast<unsigned char>(each);
    for (int bit = 0; bit < 8; ++bit) check = (check & 1) != 0 ? check >> 1 ^ 0xEDB88320 : check >> 1;
  }
  return big_endian(static_cast<std::uint32_t>(content.size())) + name + content + big_endian(~check);
}

// In the form of zlib, but not packed.
std::string stored(const std::string& content) {
  const auto size = static_cast<int>(content.size());
  std::uint32_t a = 1, b = 0;
  for (const char each : content) {
    a = (a + static_cast<unsigned char>(each)) % 65521;
    b = (b + a) % 65521;
  }
  return bytes_of({0x78, 1, 1, size & 255, size >> 8, ~size & 255, ~size >> 8 & 255}) + content +
         big_endian(b << 16 | a);
}

struct Png {
  std::uint32_t width = 1, height = 1;
  int depth = 8;
  int kind = 2;  // 0: grey, 2: colour, 3: palette, 4 and 6: with transparency
  Values lines;  // of the file, each with a 0 before it
  std::string chunks = {};
  bool interlaced = false;

  std::string file() const {
    return "\x89PNG\r\n\x1a\n" +
           png_chunk("IHDR",
                     big_endian(width) + big_endian(height) + bytes_of({depth, kind, 0, 0, interlaced ? 1 : 0})) +
           chunks + png_chunk("IDAT", stored(bytes_of(lines))) + png_chunk("IEND", "");
  }
};

Values values_of(const Array& pixels) {
  const auto bytes = pixels.data<std::uint8_t>();
  return {bytes.begin(), bytes.end()};
}

std::string refusal_of_picture(const std::string& bytes) {
  try {
    read_image(bytes);
  } catch (const UserError& error) {
    return error.what();
  }
  return "accepted";
}

std::string gamma_chunk(std::uint32_t hundred_thousandths) {
  return png_chunk("gAMA", big_endian(hundred_thousandths));
}

const std::string kTwoColours = png_chunk("PLTE", bytes_of({10, 20, 30, 200, 100, 50}));

TEST(Pictures, OfPngHaveTheValuesOfTheFile) {
  struct Row {
    const char* what;
    Png png;
    Values colour, grey;
  };
  // One line of pixels: all reds, all greens, all blues.
  const Values two = {128, 255, 64, 0, 32, 16};
  const Row rows[] = {
      {"8 bits", {.width = 2, .lines = {0, 128, 64, 32, 255, 0, 16}}, two, {79, 78}},
      {"linear light",
       {.width = 2, .lines = {0, 128, 64, 32, 255, 0, 16}, .chunks = gamma_chunk(100'000)},
       two,
       {79, 78}},
      {"the gamma of screens",
       {.width = 2, .lines = {0, 128, 64, 32, 255, 0, 16}, .chunks = gamma_chunk(45'455)},
       two,
       {79, 78}},
      {"16 bits, of which the upper ones count",
       {.width = 2, .depth = 16, .lines = {0, 128, 128, 64, 255, 32, 0, 255, 255, 0, 255, 16, 0}},
       two,
       {79, 78}},
      {"16 bits and transparency",
       {.width = 2, .depth = 16, .kind = 6, .lines = {0, 128, 0, 64, 0, 32, 0, 9, 9, 255, 0, 0, 0, 16, 0, 0, 0}},
       two,
       {79, 78}},
      {"transparency", {.width = 2, .kind = 6, .lines = {0, 128, 64, 32, 16, 255, 0, 16, 0}}, two, {79, 78}},
      {"a colour that is transparent",
       {.width = 2,
        .lines = {0, 128, 64, 32, 255, 0, 16},
        .chunks = png_chunk("tRNS", bytes_of({0, 128, 0, 64, 0, 32}))},
       two,
       {79, 78}},
      {"blue, red, green",
       {.width = 3, .lines = {0, 0, 0, 255, 255, 0, 0, 0, 255, 0}},
       {0, 255, 0, 0, 0, 255, 255, 0, 0},
       {29, 76, 150}},
      {"grey", {.width = 2, .kind = 0, .lines = {0, 7, 200}}, {7, 200, 7, 200, 7, 200}, {7, 200}},
      {"grey of 16 bits",
       {.width = 2, .depth = 16, .kind = 0, .lines = {0, 7, 255, 200, 0}},
       {7, 200, 7, 200, 7, 200},
       {7, 200}},
      {"grey of one bit",
       {.width = 3, .depth = 1, .kind = 0, .lines = {0, 0xA0}},
       Values{255, 0, 255, 255, 0, 255, 255, 0, 255},
       {255, 0, 255}},
      {"grey of four bits",
       {.width = 2, .depth = 4, .kind = 0, .lines = {0, 0x2F}},
       {34, 255, 34, 255, 34, 255},
       {34, 255}},
      {"grey and transparency",
       {.width = 2, .kind = 4, .lines = {0, 7, 90, 200, 0}},
       {7, 200, 7, 200, 7, 200},
       {7, 200}},
      {"a palette",
       {.width = 2, .depth = 1, .kind = 3, .lines = {0, 0x40}, .chunks = kTwoColours},
       {10, 200, 20, 100, 30, 50},
       {18, 124}},
      {"a palette with transparency",
       {.width = 2,
        .depth = 1,
        .kind = 3,
        .lines = {0, 0x40},
        .chunks = kTwoColours + png_chunk("tRNS", bytes_of({0, 128}))},
       {10, 200, 20, 100, 30, 50},
       {18, 124}},
  };
  for (const Row& row : rows) {
    const auto width = static_cast<std::int64_t>(row.png.width);
    const Array colour = read_image(row.png.file()), grey = read_image(row.png.file(), Channels::grey);
    EXPECT_EQ(colour.sizes(), (Sizes{3, 1, width})) << row.what;
    EXPECT_EQ(grey.sizes(), (Sizes{1, 1, width})) << row.what;
    EXPECT_EQ(values_of(colour), row.colour) << row.what;
    EXPECT_EQ(values_of(grey), row.grey) << row.what;
  }
}

// A file in seven passes, each of which has every n-th pixel of every m-th line.
TEST(Pictures, OfPngMayBeInterlaced) {
  struct Pass {
    int left, top, across, down;
  };
  constexpr std::array<Pass, 7> kPasses = {
      {{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4}, {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}}};
  constexpr int kWidth = 7, kHeight = 6;
  for (const int depth : {8, 16}) {
    Png png{.width = kWidth, .height = kHeight, .depth = depth, .kind = 0, .lines = {}, .interlaced = true};
    for (const Pass& pass : kPasses) {
      for (int y = pass.top; y < kHeight && pass.left < kWidth; y += pass.down) {
        png.lines.push_back(0);
        for (int x = pass.left; x < kWidth; x += pass.across) {
          png.lines.push_back(y * kWidth + x);
          if (depth == 16) png.lines.push_back(255);
        }
      }
    }
    const Values found = values_of(read_image(png.file(), Channels::grey));
    for (int k = 0; k < kWidth * kHeight; ++k) EXPECT_EQ(found[static_cast<std::size_t>(k)], k) << depth;
  }
}

TEST(Pictures, ThatAreDamagedAreRefused) {
  const Png sound{.width = 2, .lines = {0, 128, 64, 32, 255, 0, 16}};
  std::string other_check = sound.file();
  other_check[other_check.size() - 14] ^= 1;  // of the pixels
  const struct {
    std::string bytes;
    const char* words;
  } rows[] = {
      {sound.file().substr(0, 20), "io_error: a PNG picture: read beyond end of data"},
      {sound.file().substr(0, 50), "io_error: a PNG picture: read beyond end of data"},
      {other_check, "io_error: a PNG picture: IDAT: CRC error"},
      {Png{.width = 2, .lines = {0, 128}}.file(), "io_error: a PNG picture"},
      {Png{.width = 2, .depth = 1, .kind = 3, .lines = {0, 0}}.file(), "io_error: a PNG picture"},
      {Png{.width = 1 << 19, .height = 1 << 10, .lines = {0}}.file(), "limit_exceeded: a picture of 524288 × 1024"},
  };
  for (const auto& row : rows) {
    const std::string found = refusal_of_picture(row.bytes);
    EXPECT_NE(found.find(row.words), std::string::npos) << found << "\nlacks: " << row.words;
  }
}

TEST(Pictures, KeepTheLimitOfPixels) {
  const Png picture{.width = 2, .height = 2, .kind = 0, .lines = {0, 1, 2, 0, 3, 4}};
  const asg::test::LimitGuard guard(Limit::pixels, 3);
  const std::string found = refusal_of_picture(picture.file());
  EXPECT_NE(found.find("a picture of 2 × 2 pixels"), std::string::npos) << found;
  EXPECT_NE(found.find("raise the limit with --max-pixels"), std::string::npos) << found;
}

// A progressive picture of 8 × 8 pixels with a scan for each of the first coefficients.
std::string jpeg_of_scans(int scans) {
  jpeg_compress_struct jpeg = {};
  jpeg_error_mgr errors = {};
  jpeg.err = jpeg_std_error(&errors);
  jpeg_create_compress(&jpeg);
  unsigned char* bytes = nullptr;
  unsigned long size = 0;
  jpeg_mem_dest(&jpeg, &bytes, &size);
  jpeg.image_width = jpeg.image_height = 8;
  jpeg.input_components = 3;
  jpeg.in_color_space = JCS_RGB;
  jpeg_set_defaults(&jpeg);
  std::vector<jpeg_scan_info> script = {{3, {0, 1, 2}, 0, 0, 0, 0}};
  for (int scan = 1; scan < scans; ++scan)
    script.push_back({1, {(scan - 1) / 63}, (scan - 1) % 63 + 1, (scan - 1) % 63 + 1, 0, 0});
  jpeg.scan_info = script.data();
  jpeg.num_scans = scans;
  jpeg_start_compress(&jpeg, TRUE);
  std::array<JSAMPLE, 24> line = {};
  for (int row = 0; row < 8; ++row) {
    for (std::size_t k = 0; k < line.size(); ++k)
      line[k] = static_cast<JSAMPLE>(k * 10 + static_cast<std::size_t>(row));
    JSAMPROW rows = line.data();
    jpeg_write_scanlines(&jpeg, &rows, 1);
  }
  jpeg_finish_compress(&jpeg);
  std::string file(reinterpret_cast<char*>(bytes), size);
  jpeg_destroy_compress(&jpeg);
  std::free(bytes);
  return file;
}

// Each scan goes over all pixels again, so that few bytes would take long.
TEST(Pictures, OfProgressiveJpegHaveAHundredScansAtMost) {
  EXPECT_EQ(read_image(jpeg_of_scans(100)).type_string(), "u8[3, 8, 8]");
  const std::string found = refusal_of_picture(jpeg_of_scans(150));
  EXPECT_NE(found.find("more than 100 scans"), std::string::npos) << found;
}

// Two blocks, which Pillow wrote of cyan 200, magenta 100, yellow 50, black 25 and of 10, 20, 30, 128.
TEST(Pictures, OfFourInksBecomeLight) {
  const std::string path = ASG_SOURCE_DIR "/tests/data/files/inks.jpg";
  const Array colour = read_image_file(path), grey = read_image_file(path, Channels::grey);
  ASSERT_EQ(colour.sizes(), (Sizes{3, 8, 16}));
  ASSERT_EQ(grey.sizes(), (Sizes{1, 8, 16}));
  const auto at = [](const Array& pixels, std::int64_t plane, std::int64_t x) {
    return static_cast<int>(pixels.get(plane * 8 * 16 + x));
  };
  EXPECT_EQ((Values{at(colour, 0, 0), at(colour, 1, 0), at(colour, 2, 0), at(grey, 0, 0)}),
            (Values{50, 140, 185, 118}));
  EXPECT_EQ((Values{at(colour, 0, 15), at(colour, 1, 15), at(colour, 2, 15), at(grey, 0, 15)}),
            (Values{122, 117, 112, 118}));
}

TEST(Pictures, OfFoldersAreNotThoseThatAreHidden) {
  const asg::test::TemporaryFolder folder;
  const std::string picture = Png{.lines = {0, 1, 2, 3}}.file();
  for (const char* name : {"cat/a.png", "cat/deep/b.png", "dog/c.png", "cat/.ipynb_checkpoints/a.png",
                           "cat/deep/.cache/below/x.png", "dog/._c.png", ".git/d.png"}) {
    std::filesystem::create_directories(std::filesystem::path(folder.path(name)).parent_path());
    platform::write_file_atomically(folder.path(name), picture);
  }
  const Dataset data = image_folder(folder.path());
  EXPECT_EQ(data.field("labels").class_names, (std::vector<std::string>{"cat", "dog"}));
  EXPECT_EQ(data.column("labels").to_string(), "[0, 0, 1]");
}

}  // namespace
}  // namespace asg::data
