#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace asg {

// SHA-256 (FIPS 180-4) of bytes that come in pieces. Of our own, since a library of cryptography would be a large thing
// to depend on for the one question whether a file is the one that is meant.
class Sha256 {
 public:
  void add(std::string_view bytes);
  std::string hex() const;  // of all that was added: 64 digits, lower case

 private:
  void add_block(const unsigned char* block);

  std::array<std::uint32_t, 8> state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<unsigned char, 64> rest_ = {};  // the bytes that do not fill a block yet
  std::uint64_t bytes_ = 0;
};

std::string sha256(std::string_view bytes);

}  // namespace asg
