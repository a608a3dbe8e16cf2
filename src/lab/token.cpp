#include "lab/token.h"

#include <algorithm>
#include <cstdint>
#include <random>

namespace asg::lab {
namespace {

constexpr std::string_view kTokenLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
constexpr std::size_t kTokenLength = 32;
constexpr std::size_t kShortestToken = 16;

}  // namespace

std::string make_token() {
#ifdef _WIN32
  std::random_device source;
#else
  std::random_device source("/dev/urandom");  // else a library may ask the processor instead of the system
#endif
  std::string token;
  while (token.size() < kTokenLength) {
    // Five letters of 6 bits each from the 32 bits of a draw.
    for (std::uint32_t bits = source(), letter = 0; letter < 5 && token.size() < kTokenLength; ++letter, bits >>= 6) {
      token.push_back(kTokenLetters[bits & 63]);
    }
  }
  return token;
}

bool is_fit_for_token(std::string_view text) {
  return text.size() >= kShortestToken && std::all_of(text.begin(), text.end(), [](char letter) {
           return kTokenLetters.find(letter) != std::string_view::npos;
         });
}

bool equal_in_constant_time(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  // The compiler must not end the loop early: it may not guess what a volatile holds.
  volatile unsigned char difference = 0;
  for (std::size_t at = 0; at < a.size(); ++at) {
    difference = static_cast<unsigned char>(difference | static_cast<unsigned char>(a[at] ^ b[at]));
  }
  return difference == 0;
}

}  // namespace asg::lab
