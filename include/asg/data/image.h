#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "asg/data/dataset.h"

namespace asg::data {

enum class Channels : std::uint8_t { grey = 1, colour = 3 };

// A picture in the PNG or JPEG format as u8[channels, height, width], red first. Transparency is left out. Throws
// io_error on another or a damaged file, limit_exceeded beyond the pixels of --max-pixels (docs/limits.md).
Array read_image(std::string_view bytes, Channels channels = Channels::colour);
Array read_image_file(const std::string& path, Channels channels = Channels::colour);

struct ImageFolderOptions {
  Channels channels = Channels::colour;
  // Applied to each picture as it is read; it must end at the same sizes for all. Without it all pictures must have one
  // size. Example: chain({resize_shorter(256), centre_crop(224, 224)}).
  Transform fit = {};
};

// The layout of ImageNet: a folder for each class, pictures (.png, .jpg, .jpeg) in it or below. Classes and files are
// sorted by name. Nothing but the list of files is kept in memory; pictures are read when they are asked for. Throws
// io_error where the folder cannot be read, missing_value where it has no classes or a class without pictures.
Dataset image_folder(const std::string& path, ImageFolderOptions options = {});

}  // namespace asg::data
