#include "asg/data/image.h"

#include "asg/core/error.h"
#include "asg/core/limits.h"
#include "asg/core/platform.h"
#include "image_formats.h"

namespace asg::data {

void check_image_size(std::int64_t height, std::int64_t width) {
  const std::string given = "a picture of " + std::to_string(width) + " × " + std::to_string(height) + " pixels";
  if (height < 1 || width < 1) fail(ErrorCode::io_error, given, "at least one pixel");
  if (height > limit_of(Limit::pixels) / width) fail_limit(Limit::pixels, given);
}

Array planes_first(const Array& pixels) { return pixels.transposed({2, 0, 1}).copy(); }

Array greys_of(const Array& pixels) {
  Array greys = Array::uninitialised(DType::u8, {pixels.sizes()[0], pixels.sizes()[1], 1});
  const auto from = pixels.data<std::uint8_t>();
  const auto to = greys.mutable_data<std::uint8_t>();
  for (std::size_t k = 0; k < to.size(); ++k) {
    // 0.299, 0.587 and 0.114 in parts of 65536, rounded.
    to[k] = static_cast<std::uint8_t>(
        (19595u * from[3 * k] + 38470u * from[3 * k + 1] + 7471u * from[3 * k + 2] + 32768u) >> 16);
  }
  return greys;
}

Array read_image(std::string_view bytes, Channels channels) {
  if (bytes.starts_with("\x89PNG\r\n\x1a\n")) return read_png(bytes, channels);
  if (bytes.starts_with("\xff\xd8\xff")) return read_jpeg(bytes, channels);
  fail(ErrorCode::io_error, "a file that begins neither like PNG nor like JPEG", "a picture in one of these formats",
       "convert it, or leave it out");
}

Array read_image_file(const std::string& path, Channels channels) {
  const std::string bytes = platform::read_file(path);
  try {
    return read_image(bytes, channels);
  } catch (const UserError& error) {
    throw error.with_where(path);
  }
}

}  // namespace asg::data
