// Processors as CPUID may describe them: with tiles, without, and with tiles whose sizes a virtual machine hides.
#include "backend/cpu/library/hidden_tiles.h"

#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "asg/core/platform.h"

namespace asg::test {
namespace {

using cpu::CpuLeaf;
using Leaves = std::map<std::pair<unsigned, unsigned>, CpuLeaf>;

constexpr unsigned kTileBit = 1U << 24;

bool avoids_tiles(const Leaves& leaves) {
  return cpu::tiles_must_be_avoided([&](unsigned leaf, unsigned subleaf) -> std::optional<CpuLeaf> {
    const auto found = leaves.find({leaf, subleaf});
    return found == leaves.end() ? std::nullopt : std::optional(found->second);
  });
}

class HiddenTiles : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"ONEDNN_MAX_CPU_ISA", "DNNL_MAX_CPU_ISA"}) {
      before_[name] = platform::environment(name);
      ::unsetenv(name);
    }
  }
  void TearDown() override {
    for (const auto& [name, value] : before_) {
      value ? ::setenv(name.c_str(), value->c_str(), 1) : ::unsetenv(name.c_str());
    }
  }

  // Eight tiles of 16 rows, as the first processors with tiles have them.
  Leaves with_tiles_{{{7, 0}, {.edx = kTileBit}},
                     {{0x1D, 1}, {.eax = 1024 << 16 | 8192, .ebx = 8 << 16 | 64, .ecx = 16}}};
  Leaves hidden_{{{7, 0}, {.edx = kTileBit}}};

 private:
  std::map<std::string, std::optional<std::string>> before_;
};

TEST_F(HiddenTiles, ProcessorsWithoutTilesHideNone) {
  EXPECT_FALSE(avoids_tiles({}));
  EXPECT_FALSE(avoids_tiles({{{7, 0}, {}}}));
  EXPECT_FALSE(avoids_tiles({{{7, 0}, {.eax = kTileBit, .ebx = kTileBit, .ecx = kTileBit, .edx = ~kTileBit}}}));
}

TEST_F(HiddenTiles, AreNotThoseWithSizes) {
  EXPECT_FALSE(avoids_tiles(with_tiles_));
  with_tiles_[{0x1D, 1}].ebx = 1 << 16;
  EXPECT_FALSE(avoids_tiles(with_tiles_));
}

TEST_F(HiddenTiles, HaveNoLeafOrNoTilesInIt) {
  EXPECT_TRUE(avoids_tiles(hidden_));
  hidden_[{0x1D, 0}] = {.eax = 1, .ebx = 8 << 16};  // only how many palettes there are
  EXPECT_TRUE(avoids_tiles(hidden_));
  hidden_[{0x1D, 1}] = {};
  EXPECT_TRUE(avoids_tiles(hidden_));
  hidden_[{0x1D, 1}] = {.ebx = 0xFFFF};  // bytes of a row, and no tiles
  EXPECT_TRUE(avoids_tiles(hidden_));
}

TEST_F(HiddenTiles, AreForTheEnvironmentWhereItChooses) {
  for (const char* name : {"ONEDNN_MAX_CPU_ISA", "DNNL_MAX_CPU_ISA"}) {
    ::setenv(name, "AVX512_CORE_AMX", 1);
    EXPECT_FALSE(avoids_tiles(hidden_)) << name;
    ::unsetenv(name);
    EXPECT_TRUE(avoids_tiles(hidden_)) << name;
  }
}

#if defined(__x86_64__)
TEST_F(HiddenTiles, LeavesOfThisProcessorAreRead) {
  const auto maker = cpu::read_cpu_leaf(0, 0);
  ASSERT_TRUE(maker);
  EXPECT_GE(maker->eax, 1u);  // the last leaf
  EXPECT_EQ(maker->ebx & 0x80808080u, 0u) << "letters of the maker's name";
  EXPECT_NE(maker->ebx, 0u);
  EXPECT_FALSE(cpu::read_cpu_leaf(maker->eax + 1, 0));
}
#endif

}  // namespace
}  // namespace asg::test
