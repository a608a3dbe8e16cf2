#include "train/log/protobuf_writer.h"

#include <bit>

namespace asg::train {
namespace {

// How a value is written, after its field number.
constexpr unsigned kVarint = 0;
constexpr unsigned kEightBytes = 1;
constexpr unsigned kLengthFirst = 2;
constexpr unsigned kFourBytes = 5;

}  // namespace

void ProtobufWriter::varint(std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) out_ += static_cast<char>((value & 0x7F) | 0x80);
  out_ += static_cast<char>(value);
}

void ProtobufWriter::key(int field, unsigned form) { varint(static_cast<std::uint64_t>(field) << 3 | form); }

template <class Bits>
void ProtobufWriter::little_endian(Bits bits) {
  for (std::size_t k = 0; k < sizeof(Bits); ++k) out_ += static_cast<char>(bits >> (8 * k) & 0xFF);
}

void ProtobufWriter::integer(int field, std::int64_t value) {
  key(field, kVarint);
  varint(static_cast<std::uint64_t>(value));
}

void ProtobufWriter::real32(int field, float value) {
  key(field, kFourBytes);
  little_endian(std::bit_cast<std::uint32_t>(value));
}

void ProtobufWriter::real64(int field, double value) {
  key(field, kEightBytes);
  little_endian(std::bit_cast<std::uint64_t>(value));
}

void ProtobufWriter::bytes(int field, std::string_view value) {
  key(field, kLengthFirst);
  varint(value.size());
  out_ += value;
}

void ProtobufWriter::packed(int field, std::span<const double> values) {
  key(field, kLengthFirst);
  varint(values.size() * sizeof(double));
  for (const double value : values) little_endian(std::bit_cast<std::uint64_t>(value));
}

}  // namespace asg::train
