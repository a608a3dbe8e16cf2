#include "io/onnx/tensor.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <span>
#include <string_view>

#include <onnx/onnx_pb.h>

#include "asg/core/error.h"
#include "asg/core/limits.h"

namespace asg::io {
namespace {

static_assert(std::endian::native == std::endian::little, "the format holds little-endian numbers");

std::string name_in_words(const onnx::TensorProto& tensor) { return "tensor '" + tensor.name() + "'"; }

Sizes sizes_of(const onnx::TensorProto& tensor) { return Sizes(tensor.dims().begin(), tensor.dims().end()); }

// An entry of `external_data`; "" where it is not there.
std::string entry(const onnx::TensorProto& tensor, std::string_view key) {
  for (const auto& pair : tensor.external_data()) {
    if (pair.key() == key) return pair.value();
  }
  return "";
}

std::int64_t number_of(const onnx::TensorProto& tensor, std::string_view key, std::int64_t fallback) {
  const std::string text = entry(tensor, key);
  if (text.empty()) return fallback;
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 0) {
    fail_onnx("'" + text + "' as " + std::string(key) + " of the external data of " + name_in_words(tensor),
              "a number of bytes");
  }
  return number;
}

// The file of external data. It must lie below the folder of the model: a model from a stranger reads nothing else.
std::filesystem::path external_file(const onnx::TensorProto& tensor, const std::string& folder) {
  const std::filesystem::path location = entry(tensor, "location");
  if (folder.empty()) {
    fail_onnx("external data '" + location.string() + "' of " + name_in_words(tensor), "data inside the model",
              "read the model from its file, so that its folder is known");
  }
  const bool climbs = std::find(location.begin(), location.end(), "..") != location.end();
  std::error_code ignored;
  const auto inside = std::filesystem::weakly_canonical(folder, ignored);
  const auto file = std::filesystem::weakly_canonical(inside / location, ignored);
  const bool below = std::mismatch(inside.begin(), inside.end(), file.begin(), file.end()).first == inside.end();
  if (location.empty() || location.is_absolute() || climbs || !below) {
    fail_onnx("external data '" + location.string() + "' of " + name_in_words(tensor),
              "a file in or below the folder of the model");
  }
  return file;
}

void check_amount(const onnx::TensorProto& tensor, std::int64_t given, std::int64_t needed, const char* unit) {
  if (given == needed) return;
  fail_onnx(std::to_string(given) + " " + unit + " in " + name_in_words(tensor),
            std::to_string(needed) + ", as its sizes say", "the file may be cut off");
}

void make_plain_booleans(Array& array) {
  for (std::byte& value : std::span(array.raw(), static_cast<std::size_t>(array.bytes()))) {
    value = std::byte{value != std::byte{0}};
  }
}

Array copied(DType dtype, Sizes sizes, std::string_view bytes) {
  Array result(dtype, std::move(sizes));
  if (bytes.empty()) return result;
  std::memcpy(result.raw(), bytes.data(), bytes.size());
  if (dtype == DType::boolean) make_plain_booleans(result);
  return result;
}

Array from_bytes(const onnx::TensorProto& tensor, DType dtype, const std::string& bytes, std::int64_t count) {
  check_amount(tensor, static_cast<std::int64_t>(bytes.size()), count * bytes_of(dtype), "bytes");
  return copied(dtype, sizes_of(tensor), bytes);
}

// Numbers of a typed field; 16-bit floats stand there as their bits.
template <class Stored, class Field>
Array from_field(const onnx::TensorProto& tensor, DType dtype, const Field& field, std::int64_t count) {
  check_amount(tensor, field.size(), count, "numbers");
  Array result(dtype, sizes_of(tensor));
  auto* out = reinterpret_cast<Stored*>(result.raw());
  for (const auto value : field) *out++ = static_cast<Stored>(value);
  return result;
}

Array from_fields(const onnx::TensorProto& tensor, DType dtype, std::int64_t count) {
  switch (dtype) {
    case DType::f32:
      return from_field<float>(tensor, dtype, tensor.float_data(), count);
    case DType::f64:
      return from_field<double>(tensor, dtype, tensor.double_data(), count);
    case DType::i64:
      return from_field<std::int64_t>(tensor, dtype, tensor.int64_data(), count);
    case DType::u64:
      return from_field<std::uint64_t>(tensor, dtype, tensor.uint64_data(), count);
    case DType::u32:
      return from_field<std::uint32_t>(tensor, dtype, tensor.uint64_data(), count);
    case DType::i32:
      return from_field<std::int32_t>(tensor, dtype, tensor.int32_data(), count);
    case DType::f16:
    case DType::bf16:
    case DType::u16:
      return from_field<std::uint16_t>(tensor, dtype, tensor.int32_data(), count);
    case DType::i16:
      return from_field<std::int16_t>(tensor, dtype, tensor.int32_data(), count);
    case DType::u8:
      return from_field<std::uint8_t>(tensor, dtype, tensor.int32_data(), count);
    case DType::i8:
      return from_field<std::int8_t>(tensor, dtype, tensor.int32_data(), count);
    case DType::boolean:
      return from_field<bool>(tensor, dtype, tensor.int32_data(), count);
  }
  fail_internal("a dtype that no field holds");
}

}  // namespace

Array ExternalData::read(const onnx::TensorProto& tensor, DType dtype, std::int64_t bytes) {
  const std::string path = external_file(tensor, folder_).string();
  const std::int64_t offset = number_of(tensor, "offset", 0);
  const std::int64_t length = number_of(tensor, "length", bytes);
  auto& file = files_[path];
  if (file == nullptr) file = platform::MappedFile::open(path);
  const std::size_t size = file->bytes().size();
  if (length != bytes || static_cast<std::uint64_t>(offset) > size ||
      static_cast<std::uint64_t>(length) > size - static_cast<std::uint64_t>(offset)) {
    fail_onnx(std::to_string(length) + " bytes at " + std::to_string(offset) + " of a file of " + std::to_string(size) +
                  " bytes for " + name_in_words(tensor),
              std::to_string(bytes) + " bytes inside the file", "the file may be cut off");
  }
  if (length == 0) return {dtype, sizes_of(tensor)};
  std::byte* const first = file->bytes().data() + offset;
  const bool aligned = reinterpret_cast<std::uintptr_t>(first) % static_cast<std::uintptr_t>(bytes_of(dtype)) == 0;
  // A boolean of ours is 0 or 1, whatever a file holds.
  if (aligned && dtype != DType::boolean) {
    return Array::wrap(dtype, sizes_of(tensor), first, [owner = file](void*) {});
  }
  copied_ += length;
  if (copied_ > limit_of(Limit::file_bytes)) {
    fail_limit(Limit::file_bytes, "external data that are not aligned, of more bytes than may be copied");
  }
  return copied(dtype, sizes_of(tensor),
                file->text().substr(static_cast<std::size_t>(offset), static_cast<std::size_t>(length)));
}

TensorDef decode_tensor(const onnx::TensorProto& tensor, ExternalData& external) {
  TensorDef result;
  result.name = tensor.name();
  const std::optional<DType> dtype = dtype_of_onnx(std::int64_t{tensor.data_type()});
  if (!dtype) {
    result.refused = "a tensor of " + words_of_onnx_dtype(tensor.data_type());
    return result;
  }
  if (tensor.has_segment()) {
    result.refused = "a tensor in segments";
    return result;
  }
  const Sizes sizes = sizes_of(tensor);
  const std::int64_t count = element_count(sizes);
  std::int64_t bytes = 0;
  if (__builtin_mul_overflow(count, bytes_of(*dtype), &bytes)) {
    fail_onnx("the sizes " + Shape::of(sizes).to_string() + " of " + name_in_words(tensor), "sizes that fit memory");
  }
  if (tensor.data_location() == onnx::TensorProto::EXTERNAL) {
    result.value = external.read(tensor, *dtype, bytes);
  } else if (tensor.has_raw_data()) {
    result.value = from_bytes(tensor, *dtype, tensor.raw_data(), count);
  } else {
    result.value = from_fields(tensor, *dtype, count);
  }
  return result;
}

}  // namespace asg::io
