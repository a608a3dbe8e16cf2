// Stands in front of the allocator of this program and of all shared libraries in it. Who asked is told by the address
// to which the call returns: within the code of oneDNN, or elsewhere.
#include "allocation/count_allocations.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <string_view>

#include <execinfo.h>
#include <link.h>

// The allocator of glibc itself.
extern "C" {
void* __libc_malloc(std::size_t bytes);                           // NOLINT
void* __libc_calloc(std::size_t count, std::size_t bytes);        // NOLINT
void* __libc_realloc(void* memory, std::size_t bytes);            // NOLINT
void* __libc_memalign(std::size_t alignment, std::size_t bytes);  // NOLINT
}

namespace {

struct Range {
  std::uintptr_t first = 0;
  std::uintptr_t last = 0;
};

constexpr int kMostRanges = 32;
constexpr int kMostCallers = 8;

Range library[kMostRanges];
int ranges = 0;
std::uintptr_t program_start = 0;
std::atomic<bool> counting{false};
std::atomic<long> ours{0};
std::atomic<long> theirs{0};
std::atomic<int> callers{0};
constexpr int kDepth = 24;
void* caller[kMostCallers][kDepth];
int depth[kMostCallers];
thread_local bool tracing = false;

int find_ranges(dl_phdr_info* info, std::size_t, void*) {
  const std::string_view name = info->dlpi_name;
  if (name.empty() && program_start == 0) program_start = info->dlpi_addr;
  if (name.find("libdnnl") == std::string_view::npos && name.find("libgomp") == std::string_view::npos) return 0;
  for (int k = 0; k < info->dlpi_phnum; ++k) {
    const auto& part = info->dlpi_phdr[k];
    if (part.p_type != PT_LOAD || (part.p_flags & PF_X) == 0 || ranges == kMostRanges) continue;
    const auto start = static_cast<std::uintptr_t>(info->dlpi_addr + part.p_vaddr);
    library[ranges++] = {start, start + static_cast<std::uintptr_t>(part.p_memsz)};
  }
  return 0;
}

void record(const void* to) {
  if (!counting.load(std::memory_order_relaxed) || tracing) return;
  const auto address = reinterpret_cast<std::uintptr_t>(to);
  for (int k = 0; k < ranges; ++k) {
    if (address >= library[k].first && address < library[k].last) {
      ++theirs;
      return;
    }
  }
  ++ours;
  const int number = callers.fetch_add(1);
  if (number >= kMostCallers) return;
  tracing = true;
  depth[number] = backtrace(caller[number], kDepth);
  tracing = false;
}

void* allocated(std::size_t bytes, std::size_t alignment, const void* to) {
  record(to);
  void* memory = alignment == 0 ? __libc_malloc(bytes == 0 ? 1 : bytes) : __libc_memalign(alignment, bytes);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

// NOLINTBEGIN
extern "C" {
void* malloc(std::size_t bytes) {
  record(__builtin_return_address(0));
  return __libc_malloc(bytes);
}
void* calloc(std::size_t count, std::size_t bytes) {
  record(__builtin_return_address(0));
  return __libc_calloc(count, bytes);
}
void* realloc(void* memory, std::size_t bytes) {
  record(__builtin_return_address(0));
  return __libc_realloc(memory, bytes);
}
void* memalign(std::size_t alignment, std::size_t bytes) {
  record(__builtin_return_address(0));
  return __libc_memalign(alignment, bytes);
}
void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
  record(__builtin_return_address(0));
  return __libc_memalign(alignment, bytes);
}
int posix_memalign(void** memory, std::size_t alignment, std::size_t bytes) {
  record(__builtin_return_address(0));
  *memory = __libc_memalign(alignment, bytes);
  return *memory == nullptr ? ENOMEM : 0;
}
}
void* operator new(std::size_t bytes) { return allocated(bytes, 0, __builtin_return_address(0)); }
void* operator new[](std::size_t bytes) { return allocated(bytes, 0, __builtin_return_address(0)); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return allocated(bytes, static_cast<std::size_t>(alignment), __builtin_return_address(0));
}
void* operator new[](std::size_t bytes, std::align_val_t alignment) {
  return allocated(bytes, static_cast<std::size_t>(alignment), __builtin_return_address(0));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
// NOLINTEND

namespace asg::test {

AllocationCounter::AllocationCounter() {
  if (ranges == 0) dl_iterate_phdr(find_ranges, nullptr);
  void* warm[1];
  backtrace(warm, 1);  // loads what it needs now
  ours = theirs = 0;
  callers = 0;
  counting = true;
}

AllocationCounter::~AllocationCounter() { counting = false; }

Allocations AllocationCounter::counted() const { return {ours, theirs}; }

std::string AllocationCounter::first_callers() const {
  std::string text;
  for (int k = 0; k < std::min(callers.load(), kMostCallers); ++k) {
    for (int frame = 2; frame < depth[k]; ++frame) {
      char place[32];
      std::snprintf(place, sizeof place, "%#zx ",
                    static_cast<std::size_t>(reinterpret_cast<std::uintptr_t>(caller[k][frame]) - program_start));
      text += place;
    }
    text += '\n';
  }
  return text;
}

}  // namespace asg::test
