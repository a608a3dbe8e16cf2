#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "asg/io/safetensors.h"

namespace asg::io {

inline constexpr std::uint64_t kMostHeaderBytes = 100'000'000;  // the limit of the format's own library
inline constexpr std::size_t kLengthBytes = 8;                  // a file begins with the length of its header
inline constexpr std::string_view kMetadataKey = "__metadata__";

std::string_view safetensors_name(DType dtype);  // "BF16"

struct SafetensorsHeader {
  std::vector<TensorInfo> tensors;  // rising by place
  TextByName metadata;
  std::uint64_t data_begin = 0;  // where elements begin in the file
};

// Reads and checks the header of a whole file. `path` stands in errors.
SafetensorsHeader read_header(std::string_view file, const std::string& path);

// Throws with the file, and what to do about it.
[[noreturn]] void refuse_file(ErrorCode code, const std::string& path, std::string given, std::string needed,
                              std::string mend = "the file may be cut off or damaged: fetch or write it again");

}  // namespace asg::io
