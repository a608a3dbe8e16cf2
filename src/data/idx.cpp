#include "asg/data/idx.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "asg/core/error.h"
#include "asg/io/inflate.h"

namespace asg::data {
namespace {

[[noreturn]] void refuse(std::string given, std::string needed) {
  fail(ErrorCode::io_error, std::move(given), std::move(needed), "check that the file is a whole IDX file");
}

std::optional<DType> dtype_of_code(unsigned code) {
  switch (code) {
    case 0x08:
      return DType::u8;
    case 0x09:
      return DType::i8;
    case 0x0B:
      return DType::i16;
    case 0x0C:
      return DType::i32;
    case 0x0D:
      return DType::f32;
    case 0x0E:
      return DType::f64;
    default:
      return std::nullopt;
  }
}

unsigned byte_at(std::span<const std::byte> bytes, std::size_t position) {
  return std::to_integer<unsigned>(bytes[position]);
}

// Big-endian elements into the order of this machine, element by element.
void copy_from_file(std::span<const std::byte> from, Array& to) {
  const auto width = static_cast<std::size_t>(bytes_of(to.dtype()));
  std::copy(from.begin(), from.end(), to.raw());
  if (width == 1) return;
  for (std::size_t first = 0; first < from.size(); first += width)
    std::reverse(to.raw() + first, to.raw() + first + width);
}

}  // namespace

Array read_idx(std::span<const std::byte> bytes) {
  constexpr std::size_t kPreamble = 4;
  constexpr std::size_t kSizeBytes = 4;
  if (bytes.size() < kPreamble)
    refuse(std::to_string(bytes.size()) + " bytes", "at least the 4 bytes of an IDX header");
  const auto dtype = dtype_of_code(byte_at(bytes, 2));
  if (byte_at(bytes, 0) != 0 || byte_at(bytes, 1) != 0 || !dtype) {
    refuse("a file that does not begin like IDX", "two zero bytes and the code of a dtype (8, 9, 11, 12, 13 or 14)");
  }
  const std::size_t rank = byte_at(bytes, 3);
  const std::size_t header = kPreamble + rank * kSizeBytes;
  if (bytes.size() < header) {
    refuse(std::to_string(bytes.size()) + " bytes",
           std::to_string(header) + " bytes of header for rank " + std::to_string(rank));
  }
  Sizes sizes;
  for (std::size_t axis = 0; axis < rank; ++axis) {
    std::int64_t size = 0;
    for (std::size_t byte = 0; byte < kSizeBytes; ++byte) {
      size = size * 256 + byte_at(bytes, kPreamble + axis * kSizeBytes + byte);
    }
    sizes.push_back(size);
  }
  // Judged before memory is asked for, so that a lie in the header costs nothing.
  const std::int64_t elements = element_count(sizes);
  const auto body = bytes.subspan(header);
  if (static_cast<std::int64_t>(body.size()) / bytes_of(*dtype) != elements ||
      static_cast<std::int64_t>(body.size()) % bytes_of(*dtype) != 0) {
    refuse(
        std::to_string(body.size()) + " bytes of elements",
        std::to_string(elements) + " elements of " + std::to_string(bytes_of(*dtype)) + " bytes, as the header says");
  }
  Array result = Array::uninitialised(*dtype, std::move(sizes));
  if (elements > 0) copy_from_file(body, result);
  return result;
}

Array read_idx_file(const std::string& path) {
  const std::string bytes = io::read_maybe_gzip_file(path);
  try {
    return read_idx(std::as_bytes(std::span(bytes)));
  } catch (const UserError& error) {
    throw error.with_where(path);
  }
}

Dataset read_idx_pair(std::string name, const std::string& features_path, const std::string& labels_path,
                      std::int64_t classes) {
  Array features = read_idx_file(features_path);
  Array labels = read_idx_file(labels_path).cast(DType::i64);
  try {
    return make_dataset(std::move(name), std::move(features), std::move(labels), classes);
  } catch (const UserError& error) {
    throw error.with_where(labels_path);
  }
}

}  // namespace asg::data
