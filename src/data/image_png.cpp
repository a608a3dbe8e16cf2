#include <algorithm>
#include <array>
#include <csetjmp>
#include <cstring>

#include <png.h>

#include "asg/core/error.h"
#include "image_formats.h"

namespace asg::data {
namespace {

// libpng tells of errors by a call that must not return, so it jumps back into the function below that called it; as
// for JPEG nothing with a destructor is made between setjmp and the calls that may jump.
struct PngDecoder {
  png_structp png = nullptr;
  png_infop info = nullptr;
  std::string_view rest;  // bytes that are not read yet
  std::array<char, 160> message = {};

  PngDecoder() = default;
  ~PngDecoder() { ::png_destroy_read_struct(&png, &info, nullptr); }
  PngDecoder(const PngDecoder&) = delete;
  PngDecoder& operator=(const PngDecoder&) = delete;
};

void jump_back_with(png_structp png, png_const_charp message) {
  auto& kept = static_cast<PngDecoder*>(::png_get_error_ptr(png))->message;
  std::strncpy(kept.data(), message, kept.size() - 1);
  ::png_longjmp(png, 1);
}

void ignore_warning(png_structp, png_const_charp) {}

void hand_bytes(png_structp png, png_bytep into, std::size_t count) {
  auto& rest = static_cast<PngDecoder*>(::png_get_io_ptr(png))->rest;
  if (count > rest.size()) ::png_error(png, "read beyond end of data");
  std::copy_n(rest.begin(), count, into);
  rest.remove_prefix(count);
}

// This and the two below it are false where libpng jumped back.
bool read_header(PngDecoder& decoder) {
  decoder.png = ::png_create_read_struct(PNG_LIBPNG_VER_STRING, &decoder, jump_back_with, ignore_warning);
  if (decoder.png == nullptr) return false;
  if (setjmp(png_jmpbuf(decoder.png)) != 0) return false;
  decoder.info = ::png_create_info_struct(decoder.png);
  if (decoder.info == nullptr) return false;
  ::png_set_read_fn(decoder.png, &decoder, hand_bytes);
  ::png_set_benign_errors(decoder.png, 1);
  // What chunks say of gamma and colour profiles is not heeded: values are wanted as the file has them.
  ::png_set_keep_unknown_chunks(decoder.png, PNG_HANDLE_CHUNK_NEVER, nullptr, -1);
  ::png_read_info(decoder.png, decoder.info);
  return true;
}

// Bytes of grey or of red, green and blue, whatever the file has. Transparency goes, and the colour below it stays as
// it is, not mixed with a background. Of 16 bits the upper ones are kept, as Pillow does.
bool ask_for_bytes(PngDecoder& decoder, bool colour) {
  if (setjmp(png_jmpbuf(decoder.png)) != 0) return false;
  ::png_set_expand(decoder.png);
  ::png_set_strip_16(decoder.png);
  ::png_set_strip_alpha(decoder.png);
  if (colour) ::png_set_gray_to_rgb(decoder.png);
  ::png_set_interlace_handling(decoder.png);
  ::png_read_update_info(decoder.png, decoder.info);
  return true;
}

// Of an interlaced file each pass fills in some of the pixels.
bool read_lines(PngDecoder& decoder, png_bytep pixels) {
  if (setjmp(png_jmpbuf(decoder.png)) != 0) return false;
  const bool interlaced = ::png_get_interlace_type(decoder.png, decoder.info) != PNG_INTERLACE_NONE;
  const png_uint_32 height = ::png_get_image_height(decoder.png, decoder.info);
  const std::size_t line = ::png_get_rowbytes(decoder.png, decoder.info);
  for (int pass = 0; pass < (interlaced ? PNG_INTERLACE_ADAM7_PASSES : 1); ++pass) {
    for (png_uint_32 row = 0; row < height; ++row) ::png_read_row(decoder.png, pixels + row * line, nullptr);
  }
  return true;
}

[[noreturn]] void refuse(const PngDecoder& decoder) {
  fail(ErrorCode::io_error, "a PNG picture: " + std::string(decoder.message.data()), "a whole file",
       "the file may be cut off or damaged");
}

}  // namespace

Array read_png(std::string_view bytes, Channels channels) {
  PngDecoder decoder;
  decoder.rest = bytes;
  if (!read_header(decoder)) refuse(decoder);
  const std::int64_t height = ::png_get_image_height(decoder.png, decoder.info);
  const std::int64_t width = ::png_get_image_width(decoder.png, decoder.info);
  check_image_size(height, width);
  const bool in_colour = (::png_get_color_type(decoder.png, decoder.info) & PNG_COLOR_MASK_COLOR) != 0;
  const bool colour = in_colour || channels == Channels::colour;
  if (!ask_for_bytes(decoder, colour)) refuse(decoder);
  const std::int64_t given = colour ? 3 : 1;
  internal_check(::png_get_rowbytes(decoder.png, decoder.info) == static_cast<std::size_t>(width * given),
                 "libpng gives bytes of the channels that were asked for");
  Array pixels = Array::uninitialised(DType::u8, {height, width, given});
  if (!read_lines(decoder, pixels.mutable_data<std::uint8_t>().data())) refuse(decoder);
  return planes_first(channels == Channels::grey && colour ? greys_of(pixels) : pixels);
}

}  // namespace asg::data
