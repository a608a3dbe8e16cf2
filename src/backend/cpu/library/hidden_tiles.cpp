#include "backend/cpu/library/hidden_tiles.h"

#include "asg/core/platform.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace asg::cpu {
namespace {

bool tiles_are_hidden(const ReadLeaf& read) {
  constexpr unsigned kTiles = 1U << 24;  // AMX-TILE, in edx of leaf 7
  constexpr unsigned kTileLeaf = 0x1D;
  const auto features = read(7, 0);
  if (!features || (features->edx & kTiles) == 0) return false;
  const auto palette = read(kTileLeaf, 1);
  return !palette || palette->ebx >> 16 == 0;  // how many tiles palette 1 has
}

bool environment_chooses() {
  return platform::environment("ONEDNN_MAX_CPU_ISA") || platform::environment("DNNL_MAX_CPU_ISA");
}

}  // namespace

std::optional<CpuLeaf> read_cpu_leaf([[maybe_unused]] unsigned leaf, [[maybe_unused]] unsigned subleaf) {
#if defined(__x86_64__)
  CpuLeaf found;
  if (__get_cpuid_count(leaf, subleaf, &found.eax, &found.ebx, &found.ecx, &found.edx) != 0) return found;
#endif
  return std::nullopt;
}

bool tiles_must_be_avoided(const ReadLeaf& read) { return tiles_are_hidden(read) && !environment_chooses(); }

}  // namespace asg::cpu
