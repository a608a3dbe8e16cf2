#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace asg::train {

// CRC-32 as zip, PNG and Python's zlib.crc32 compute it, piece by piece. It finds damage, not malice.
class Checksum {
 public:
  void add(std::string_view piece);
  std::string hex() const;  // "cbf43926"

 private:
  std::uint32_t rest_ = 0xFFFFFFFFu;
};

}  // namespace asg::train
