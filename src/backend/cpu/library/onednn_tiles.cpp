#include "backend/cpu/library/onednn_tiles.h"

#include <cstdlib>

#include <oneapi/dnnl/dnnl.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace asg::cpu {
namespace {

bool tiles_are_hidden() {
#if defined(__x86_64__)
  constexpr unsigned kTiles = 1U << 24;  // AMX-TILE, in edx of leaf 7
  constexpr unsigned kTileLeaf = 0x1D;
  unsigned eax = 0;
  unsigned ebx = 0;
  unsigned ecx = 0;
  unsigned edx = 0;
  if (__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) == 0 || (edx & kTiles) == 0) return false;
  const bool has_leaf = __get_cpuid_count(kTileLeaf, 1, &eax, &ebx, &ecx, &edx) != 0;
  return !has_leaf || ebx >> 16 == 0;  // how many tiles palette 1 has
#else
  return false;
#endif
}

bool environment_chooses() {
  return std::getenv("ONEDNN_MAX_CPU_ISA") != nullptr || std::getenv("DNNL_MAX_CPU_ISA") != nullptr;
}

}  // namespace

void keep_off_hidden_tiles() {
  [[maybe_unused]] static const bool done = [] {
    // Refused where somebody else in this process has used oneDNN before: then it is for them to keep off.
    if (tiles_are_hidden() && !environment_chooses()) dnnl_set_max_cpu_isa(dnnl_cpu_isa_avx512_core_bf16);
    return true;
  }();
}

}  // namespace asg::cpu
