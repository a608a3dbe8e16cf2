#include <png.h>

#include "asg/core/error.h"
#include "image_formats.h"

namespace asg::data {
namespace {

[[noreturn]] void refuse(const png_image& image) {
  fail(ErrorCode::io_error, "a PNG picture: " + std::string(image.message), "a whole file",
       "the file may be cut off or damaged");
}

// Frees what libpng holds, however the function ends.
struct Image {
  png_image png = {};

  Image() { png.version = PNG_IMAGE_VERSION; }
  ~Image() { ::png_image_free(&png); }
  Image(const Image&) = delete;
  Image& operator=(const Image&) = delete;
};

}  // namespace

Array read_png(std::string_view bytes, Channels channels) {
  Image image;
  if (::png_image_begin_read_from_memory(&image.png, bytes.data(), bytes.size()) == 0) refuse(image.png);
  check_image_size(image.png.height, image.png.width);
  // With transparency the colour below it is wanted as it is, not mixed with a background.
  const bool transparent = (image.png.format & PNG_FORMAT_FLAG_ALPHA) != 0;
  image.png.format = channels == Channels::grey ? PNG_FORMAT_GRAY : PNG_FORMAT_RGB;
  if (transparent) image.png.format |= PNG_FORMAT_FLAG_ALPHA;
  const std::int64_t wanted = static_cast<std::int64_t>(channels);
  Array pixels = Array::uninitialised(
      DType::u8, {std::int64_t{image.png.height}, std::int64_t{image.png.width}, wanted + (transparent ? 1 : 0)});
  if (::png_image_finish_read(&image.png, nullptr, pixels.raw(), 0, nullptr) == 0) refuse(image.png);
  return planes_first(pixels.sliced(2, 0, wanted, 1));
}

}  // namespace asg::data
