#include "asg/plot/png.h"

#include <algorithm>
#include <cmath>

#include <png.h>

#include "asg/core/error.h"

namespace asg::plot {
namespace {

Array bytes_of_picture(const Array& pixels) {
  if (pixels.dtype() == DType::u8) return pixels.dense();
  if (!is_float(pixels.dtype())) {
    fail(ErrorCode::bad_dtype, "a picture " + pixels.type_string(), "u8, or floats from 0 to 1", "cast it");
  }
  const Array reals = pixels.cast(DType::f64).dense();
  Array bytes(DType::u8, pixels.sizes());
  const auto from = reals.data<double>();
  const auto to = bytes.mutable_data<std::uint8_t>();
  for (std::size_t k = 0; k < from.size(); ++k) {
    const double value = std::isnan(from[k]) ? 0 : std::clamp(from[k], 0.0, 1.0);
    to[k] = static_cast<std::uint8_t>(std::lround(value * 255));
  }
  return bytes;
}

}  // namespace

std::string to_png(const Array& pixels) {
  constexpr std::int64_t kMostPixels = 16384;  // a side
  const Sizes& sizes = pixels.sizes();
  const std::int64_t channels = pixels.rank() == 2 ? 1 : pixels.rank() == 3 ? sizes[2] : 0;
  if ((channels != 1 && channels != 3 && channels != 4) || pixels.count() == 0) {
    fail(ErrorCode::bad_shape, "a picture " + pixels.type_string(),
         "[height, width] or [height, width, 1, 3 or 4 channels]", "transpose it where the channels come first");
  }
  if (std::max(sizes[0], sizes[1]) > kMostPixels) {
    fail(ErrorCode::limit_exceeded, "a picture " + pixels.type_string(), "at most 16384 pixels a side");
  }
  const Array bytes = bytes_of_picture(pixels);
  png_image image = {};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(sizes[1]);
  image.height = static_cast<png_uint_32>(sizes[0]);
  image.format = channels == 1 ? PNG_FORMAT_GRAY : channels == 3 ? PNG_FORMAT_RGB : PNG_FORMAT_RGBA;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
  std::string file(size, '\0');
  if (png_image_write_to_memory(&image, file.data(), &size, 0, bytes.raw(), 0, nullptr) == 0) {
    fail(ErrorCode::out_of_memory, std::string("a PNG that cannot be written: ") + image.message, "memory for it");
  }
  file.resize(size);
  return file;
}

}  // namespace asg::plot
