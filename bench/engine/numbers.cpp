#include "numbers.h"

namespace asg::bench {
namespace {

// FNV-1a: numbers of different names have nothing in common.
std::uint32_t hash_of(std::string_view name) {
  std::uint32_t hash = 2166136261U;
  for (const char letter : name) hash = (hash ^ static_cast<unsigned char>(letter)) * 16777619U;
  return hash;
}

std::uint32_t scrambled(std::uint32_t bits) {
  bits = (bits ^ (bits >> 16)) * 0x7feb352dU;
  bits = (bits ^ (bits >> 15)) * 0x846ca68bU;
  return bits ^ (bits >> 16);
}

}  // namespace

Array uniform(std::string_view name, Sizes sizes, float limit) {
  Array result = Array::uninitialised(DType::f32, std::move(sizes));
  std::uint32_t place = hash_of(name);
  for (float& value : result.mutable_data<float>()) {
    const auto share = static_cast<float>(scrambled(place++) >> 8) * 0x1p-24F;  // exact: 24 bits
    value = (share - 0.5F) * (2 * limit);
  }
  return result;
}

Array whole(std::string_view name, Sizes sizes, std::uint32_t below) {
  Array result = Array::uninitialised(DType::i64, std::move(sizes));
  std::uint32_t place = hash_of(name);
  for (std::int64_t& value : result.mutable_data<std::int64_t>()) value = scrambled(place++) % below;
  return result;
}

}  // namespace asg::bench
