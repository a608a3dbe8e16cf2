#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace asg::io {

// A hash table of 64-bit keys and values in one piece of memory: a lookup is mostly one access. Nothing is ever
// removed.
class FlatMap {
 public:
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};  // no key, and the value of what is not there

  explicit FlatMap(std::size_t expected = 0) { resize(slots_for(expected)); }

  std::uint64_t find(std::uint64_t key) const {
    for (std::size_t slot = slot_of(key);; slot = (slot + 1) & mask_) {
      if (entries_[slot].key == key) return entries_[slot].value;
      if (entries_[slot].key == kNone) return kNone;
    }
  }

  // Tells whether the key is new; else the old value stays.
  bool insert(std::uint64_t key, std::uint64_t value) {
    if ((count_ + 1) * 2 > entries_.size()) grow();
    std::size_t slot = slot_of(key);
    for (; entries_[slot].key != kNone; slot = (slot + 1) & mask_) {
      if (entries_[slot].key == key) return false;
    }
    entries_[slot] = {key, value};
    ++count_;
    return true;
  }

 private:
  struct Entry {
    std::uint64_t key = kNone;
    std::uint64_t value = kNone;
  };

  static std::size_t slots_for(std::size_t expected) {
    std::size_t slots = 16;
    while (slots < 2 * (expected + 1)) slots *= 2;
    return slots;
  }

  std::size_t slot_of(std::uint64_t key) const {
    constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15;
    const std::uint64_t mixed = (key ^ key >> 32) * kOdd;
    return static_cast<std::size_t>(mixed >> 32) & mask_;
  }

  void resize(std::size_t slots) {
    entries_.assign(slots, {});
    mask_ = slots - 1;
  }

  void grow() {
    const std::vector<Entry> old = std::exchange(entries_, {});
    resize(old.size() * 2);
    count_ = 0;
    for (const Entry& entry : old) {
      if (entry.key != kNone) insert(entry.key, entry.value);
    }
  }

  std::vector<Entry> entries_;
  std::size_t mask_ = 0;
  std::size_t count_ = 0;
};

}  // namespace asg::io
