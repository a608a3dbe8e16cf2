#pragma once

#include <string_view>

#include "asg/data/image.h"

// The formats of read_image, each behind its library.
namespace asg::data {

void check_image_size(std::int64_t height, std::int64_t width);  // throws limit_exceeded, io_error on no pixels
// [height, width, channels], as the libraries give it, to [channels, height, width].
Array planes_first(const Array& pixels);
// Red, green and blue in [height, width, 3] to the brightness, [height, width, 1], by the weights that JPEG and Pillow
// take.
Array greys_of(const Array& pixels);

Array read_png(std::string_view bytes, Channels channels);
Array read_jpeg(std::string_view bytes, Channels channels);

}  // namespace asg::data
