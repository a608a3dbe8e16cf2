#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

#include "asg/io/tokenizer.h"

namespace asg::io {

// The tokens of words that were met lately. A word has one place, which it takes from its predecessor there: so the
// memory is fixed, and no choice of words makes it slow. Long words are not kept.
class WordCache {
 public:
  static constexpr std::size_t kLongestWord = 30;
  static constexpr std::size_t kMostTokens = 8;

  // Empty where the word is not known.
  std::span<const TokenId> find(std::string_view word) const {
    if (word.size() > kLongestWord || slots_.empty()) return {};
    const Slot& slot = slots_[slot_of(word)];
    if (slot.length != word.size() || std::memcmp(slot.word.data(), word.data(), word.size()) != 0) return {};
    return std::span(slot.tokens).first(slot.count);
  }

  void keep(std::string_view word, std::span<const TokenId> tokens) {
    if (word.empty() || word.size() > kLongestWord || tokens.empty() || tokens.size() > kMostTokens) return;
    if (slots_.empty()) slots_.resize(kSlots);
    Slot& slot = slots_[slot_of(word)];
    slot.length = static_cast<std::uint8_t>(word.size());
    slot.count = static_cast<std::uint8_t>(tokens.size());
    std::memcpy(slot.word.data(), word.data(), word.size());
    std::memcpy(slot.tokens.data(), tokens.data(), tokens.size_bytes());
  }

 private:
  static constexpr std::size_t kSlots = std::size_t{1} << 16;

  // One line of the processor's cache.
  struct alignas(64) Slot {
    std::uint8_t length = 0;  // 0: nothing is here
    std::uint8_t count = 0;
    std::array<char, kLongestWord> word = {};
    std::array<TokenId, kMostTokens> tokens = {};
  };
  static_assert(sizeof(Slot) == 64);

  static std::size_t slot_of(std::string_view word) {
    constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15;
    std::uint64_t mixed = word.size() * kOdd;
    while (!word.empty()) {
      const std::size_t size = word.size() < 8 ? word.size() : 8;
      std::uint64_t part = 0;
      std::memcpy(&part, word.data(), size);
      mixed = (mixed ^ part) * kOdd;
      mixed ^= mixed >> 32;
      word.remove_prefix(size);
    }
    return static_cast<std::size_t>(mixed * kOdd >> 48) % kSlots;
  }

  std::vector<Slot> slots_;
};

}  // namespace asg::io
