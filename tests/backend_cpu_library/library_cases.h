#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <string>
#include <vector>

#include "asg/core/dtype.h"
#include "backend/cpu/library/library.h"

// What the tests of products, convolutions and pools have in common.
namespace asg::test {

// The libraries of this build.
inline std::vector<cpu::Library> libraries() {
  std::vector<cpu::Library> all = {cpu::Library::builtin};
  if (cpu::has_onednn()) all.push_back(cpu::Library::onednn);
  return all;
}
inline std::string name_of(cpu::Library library) { return library == cpu::Library::builtin ? "built in" : "oneDNN"; }

// Numbers from -1 to 1, the same for the same seed.
template <class T>
std::vector<T> numbers(std::int64_t count, std::uint32_t seed) {
  std::vector<T> values(static_cast<std::size_t>(count));
  std::uint32_t state = seed * 2654435761U + 12345U;
  for (T& value : values) {
    state = state * 1664525U + 1013904223U;
    value = static_cast<T>(static_cast<double>(state >> 8U) / static_cast<double>(1U << 23U) - 1);
  }
  return values;
}

// Aligned memory full of a pattern that no result may depend on.
class Scratch {
 public:
  explicit Scratch(std::size_t bytes)
      : data_(static_cast<unsigned char*>(::operator new(bytes + 1, std::align_val_t(64)))) {
    for (std::size_t k = 0; k < bytes; ++k) data_[k] = 0xFF;
  }
  ~Scratch() { ::operator delete(data_, std::align_val_t(64)); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  void* data() { return data_; }

 private:
  unsigned char* data_;
};

}  // namespace asg::test
