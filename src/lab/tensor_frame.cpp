#include "asg/lab/tensor_frame.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#include "asg/core/error.h"

namespace asg::lab {
namespace {

constexpr std::string_view kTensorMagic = "ASGT";
constexpr std::size_t kTensorPrefix = 8;  // magic and length

void put_word(std::string& bytes, std::uint32_t word) {
  for (int shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<char>((word >> shift) & 0xFF));
}

std::uint32_t word_at(std::string_view bytes, std::size_t at) {
  std::uint32_t word = 0;
  for (std::size_t place = 0; place < 4; ++place) {
    word |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[at + place])) << (8 * place);
  }
  return word;
}

[[noreturn]] void refuse_tensor_frame(std::string given) {
  fail(ErrorCode::bad_json, "a tensor frame " + std::move(given),
       "\"ASGT\", the length of the header as u32, the header, and numbers of 4 bytes each");
}

}  // namespace

std::string tensor_frame(std::string_view header, std::span<const float> values) {
  const std::size_t padded = (header.size() + 3) / 4 * 4;
  internal_check(padded <= std::numeric_limits<std::uint32_t>::max(), "the header of a tensor frame is too long");
  std::string bytes;
  bytes.reserve(kTensorPrefix + padded + values.size_bytes());
  bytes += kTensorMagic;
  put_word(bytes, static_cast<std::uint32_t>(padded));
  bytes += header;
  bytes.append(padded - header.size(), ' ');
  if constexpr (std::endian::native == std::endian::little) {
    bytes.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  } else {
    for (const float value : values) put_word(bytes, std::bit_cast<std::uint32_t>(value));
  }
  return bytes;
}

TensorFrame read_tensor_frame(std::string_view bytes) {
  if (bytes.size() < kTensorPrefix) refuse_tensor_frame("of " + std::to_string(bytes.size()) + " bytes");
  if (bytes.substr(0, kTensorMagic.size()) != kTensorMagic) refuse_tensor_frame("that begins otherwise");
  const std::size_t length = word_at(bytes, kTensorMagic.size());
  const std::size_t rest = bytes.size() - kTensorPrefix;
  if (length > rest) {
    refuse_tensor_frame("whose header has " + std::to_string(length) + " bytes where " + std::to_string(rest) +
                        " follow");
  }
  if (length % 4 != 0 || (rest - length) % 4 != 0) refuse_tensor_frame("whose parts are no multiples of 4 bytes");

  TensorFrame frame;
  const std::string_view header = bytes.substr(kTensorPrefix, length);
  frame.header = header.substr(0, header.find_last_not_of(' ') + 1);
  frame.values.resize((rest - length) / 4);
  std::size_t at = kTensorPrefix + length;
  for (float& value : frame.values) {
    value = std::bit_cast<float>(word_at(bytes, at));
    at += 4;
  }
  return frame;
}

}  // namespace asg::lab
