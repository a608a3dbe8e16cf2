#include <array>
#include <csetjmp>
#include <cstdio>

#include <jpeglib.h>

#include "asg/core/error.h"
#include "image_formats.h"

namespace asg::data {
namespace {

// libjpeg tells of errors by a call that must not return, so it jumps back; nothing with a destructor is made between
// setjmp and the calls that may jump.
struct Errors {
  jpeg_error_mgr manager = {};  // first, so that a pointer to it is one to this
  std::jmp_buf back = {};
  std::array<char, JMSG_LENGTH_MAX> message = {};
};

void jump_back(j_common_ptr decoder) {
  auto* errors = reinterpret_cast<Errors*>(decoder->err);
  errors->manager.format_message(decoder, errors->message.data());
  std::longjmp(errors->back, 1);
}

void be_quiet(j_common_ptr) {}

// A damaged picture is refused, where libjpeg would fill up with grey and warn.
void refuse_warnings(j_common_ptr decoder, int level) {
  if (level < 0) jump_back(decoder);
}

// Each scan of a progressive file goes over the whole picture, however few bytes it has.
constexpr int kMostScans = 100;  // encoders write about ten

void refuse_many_scans(j_common_ptr decoder) {
  if (reinterpret_cast<j_decompress_ptr>(decoder)->input_scan_number <= kMostScans) return;
  auto* errors = reinterpret_cast<Errors*>(decoder->err);
  std::snprintf(errors->message.data(), errors->message.size(), "more than %d scans", kMostScans);
  std::longjmp(errors->back, 1);
}

struct Decoder {
  jpeg_decompress_struct jpeg = {};
  Errors errors = {};
  jpeg_progress_mgr progress = {};

  Decoder() {
    jpeg.err = ::jpeg_std_error(&errors.manager);
    errors.manager.error_exit = jump_back;
    errors.manager.output_message = be_quiet;
    errors.manager.emit_message = refuse_warnings;
  }
  ~Decoder() { ::jpeg_destroy_decompress(&jpeg); }
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;
};

// Both are false where libjpeg jumped back.
bool read_header(Decoder& decoder, std::string_view bytes, Channels channels) {
  if (setjmp(decoder.errors.back) != 0) return false;
  ::jpeg_create_decompress(&decoder.jpeg);
  ::jpeg_mem_src(&decoder.jpeg, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
  decoder.progress.progress_monitor = refuse_many_scans;
  decoder.jpeg.progress = &decoder.progress;
  ::jpeg_read_header(&decoder.jpeg, TRUE);
  // Inks are not turned into light by libjpeg.
  const bool inks = decoder.jpeg.jpeg_color_space == JCS_CMYK || decoder.jpeg.jpeg_color_space == JCS_YCCK;
  decoder.jpeg.out_color_space = inks ? JCS_CMYK : channels == Channels::grey ? JCS_GRAYSCALE : JCS_RGB;
  return true;
}

bool read_lines(Decoder& decoder, JSAMPLE* pixels, std::size_t line) {
  if (setjmp(decoder.errors.back) != 0) return false;
  ::jpeg_start_decompress(&decoder.jpeg);
  while (decoder.jpeg.output_scanline < decoder.jpeg.output_height) {
    JSAMPROW row = pixels + decoder.jpeg.output_scanline * line;
    ::jpeg_read_scanlines(&decoder.jpeg, &row, 1);
  }
  ::jpeg_finish_decompress(&decoder.jpeg);
  return true;
}

[[noreturn]] void refuse(const Decoder& decoder) {
  fail(ErrorCode::io_error, "a JPEG picture: " + std::string(decoder.errors.message.data()), "a whole file",
       "the file may be cut off or damaged");
}

// What Pillow makes of [height, width, 4]. Programs that write pictures of four inks store them turned round, as
// Photoshop does: 255 is no ink. So each byte is a share of light already, to be dimmed by that of black.
Array light_of_inks(const Array& inks) {
  Array pixels = Array::uninitialised(DType::u8, {inks.sizes()[0], inks.sizes()[1], 3});
  const auto from = inks.data<std::uint8_t>();
  const auto to = pixels.mutable_data<std::uint8_t>();
  for (std::size_t k = 0; k < to.size(); ++k) {
    const unsigned white = from[k / 3 * 4 + 3];
    const unsigned product = (255u - from[k / 3 * 4 + k % 3]) * white + 128;
    to[k] = static_cast<std::uint8_t>(white - (((product >> 8) + product) >> 8));  // product / 255, rounded
  }
  return pixels;
}

}  // namespace

Array read_jpeg(std::string_view bytes, Channels channels) {
  Decoder decoder;
  if (!read_header(decoder, bytes, channels)) refuse(decoder);
  const std::int64_t height = decoder.jpeg.image_height, width = decoder.jpeg.image_width;
  check_image_size(height, width);
  const bool inks = decoder.jpeg.out_color_space == JCS_CMYK;
  const std::int64_t given = inks ? 4 : static_cast<std::int64_t>(channels);
  Array pixels = Array::uninitialised(DType::u8, {height, width, given});
  if (!read_lines(decoder, pixels.mutable_data<std::uint8_t>().data(), static_cast<std::size_t>(width * given))) {
    refuse(decoder);
  }
  if (inks) pixels = light_of_inks(pixels);
  return planes_first(inks && channels == Channels::grey ? greys_of(pixels) : pixels);
}

}  // namespace asg::data
