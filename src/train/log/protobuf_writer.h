#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace asg::train {

// The wire format of protocol buffers, as much of it as events for TensorBoard need: a message is its fields one after
// another, each with its number and how it is written.
class ProtobufWriter {
 public:
  void integer(int field, std::int64_t value);
  void real32(int field, float value);
  void real64(int field, double value);
  void bytes(int field, std::string_view value);  // texts, bytes, and messages that are written already
  void packed(int field, std::span<const double> values);

  const std::string& message() const { return out_; }

 private:
  void varint(std::uint64_t value);
  void key(int field, unsigned form);
  template <class Bits>
  void little_endian(Bits bits);

  std::string out_;
};

}  // namespace asg::train
