#include "backend/cpu/kernel_cache.h"

#include <atomic>
#include <bit>
#include <mutex>
#include <unordered_map>

#include "asg/core/error.h"

namespace asg::cpu {
namespace {

constexpr std::size_t kRoom = 1024;

std::atomic<std::int64_t> kernels_made{0};

// A number that tells structures apart, down to the sign of a constant 0.
class Hash {
 public:
  void add(std::uint64_t number) {
    state_ ^= number + 0x9e3779b97f4a7c15U + (state_ << 6U) + (state_ >> 2U);
    state_ *= 0xff51afd7ed558ccdU;
    state_ ^= state_ >> 32U;
  }
  template <class T>
  void add_all(const T& numbers) {
    add(numbers.size());
    for (const auto number : numbers) add(static_cast<std::uint64_t>(number));
  }
  std::uint64_t value() const { return state_; }

 private:
  std::uint64_t state_ = 0;
};

std::uint64_t hash_of(const Kernel& kernel) {
  Hash hash;
  hash.add_all(kernel.space);
  hash.add(static_cast<std::uint64_t>(kernel.row_axes));
  for (const KernelArgument& argument : kernel.arguments) {
    hash.add(static_cast<std::uint64_t>(argument.dtype) * 2 + (argument.output ? 1 : 0));
    hash.add(static_cast<std::uint64_t>(argument.offset));
    hash.add_all(argument.strides);
  }
  for (const KernelInstruction& each : kernel.instructions) {
    hash.add(static_cast<std::uint64_t>(each.kind) << 24U | static_cast<std::uint64_t>(each.op) << 16U |
             static_cast<std::uint64_t>(each.reduction) << 8U | static_cast<std::uint64_t>(each.dtype));
    hash.add_all(each.operands);
    hash.add(static_cast<std::uint64_t>(each.argument));
    hash.add(std::bit_cast<std::uint64_t>(each.number));
    hash.add(static_cast<std::uint64_t>(each.integer));
    hash.add(static_cast<std::uint64_t>(each.stream));
    hash.add_all(each.strides);
    hash.add(static_cast<std::uint64_t>(each.gather_stride));
    hash.add(static_cast<std::uint64_t>(each.gather_length));
  }
  for (const KernelStore& store : kernel.stores) {
    hash.add(static_cast<std::uint64_t>(store.argument));
    hash.add(static_cast<std::uint64_t>(store.value) * 2 + (store.sum_over_leading ? 1 : 0));
  }
  return hash.value();
}

class KernelCache {
 public:
  std::shared_ptr<const PreparedKernel> get(const Kernel& kernel) {
    const std::uint64_t hash = hash_of(kernel);
    const std::lock_guard lock(mutex_);
    const auto [first, last] = entries_.equal_range(hash);
    for (auto entry = first; entry != last; ++entry) {
      if (entry->second.given == kernel) return entry->second.prepared;
    }
    auto fresh = std::make_shared<const PreparedKernel>(kernel);
    if (entries_.size() >= room_) forget_unused();
    entries_.emplace(hash, Entry{kernel, fresh});
    return fresh;
  }

 private:
  struct Entry {
    Kernel given;
    std::shared_ptr<const PreparedKernel> prepared;
  };

  // What nobody uses stays until there are many: a program is made only when it first runs, and after an edit the one
  // before is gone by then.
  void forget_unused() {
    std::erase_if(entries_, [](const auto& entry) { return entry.second.prepared.use_count() == 1; });
    room_ = 2 * entries_.size() + kRoom;
  }

  std::mutex mutex_;
  std::unordered_multimap<std::uint64_t, Entry> entries_;  // looked up only, never walked in order
  std::size_t room_ = kRoom;
};

}  // namespace

PreparedKernel::PreparedKernel(const Kernel& given) : kernel(with_merged_axes(given)) {
  check_kernel(kernel);
  internal_check(tiles_support(kernel), "a kernel that tiles do not support");
  plan = make_tile_plan(kernel);
  ++kernels_made;
}

std::shared_ptr<const PreparedKernel> prepared_kernel(const Kernel& kernel) {
  static KernelCache cache;
  return cache.get(kernel);
}

std::int64_t kernels_prepared() { return kernels_made; }

}  // namespace asg::cpu
