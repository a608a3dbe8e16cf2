#pragma once

#include <atomic>
#include <optional>
#include <vector>

#include "backend/cpu/prepared.h"
#include "backend/cpu/tile_runner.h"

namespace asg::cpu {

// The kernel with which a call ends, run over each block of the call's result by the thread that has made it.
class Epilogue {
 public:
  // The result is made in so many pieces. Each has sums of its own where the kernel sums over rows.
  Epilogue(const Step& call, std::int64_t pieces);

  std::int64_t scratch_bytes(int threads) const;

  // One run of the call: begin, then blocks from any threads of the pool that cover the result once, then end.
  void begin(const Bases& bases, std::byte* scratch, int threads) const;
  void run(const PointBlock& block, std::int64_t piece) const;
  void end() const;

 private:
  TileRunner runner_;
  std::vector<int> buffers_;
  std::int64_t pieces_;
  // Of the run under way.
  mutable std::vector<std::byte*> arguments_;
  mutable std::byte* scratch_ = nullptr;
  mutable std::byte* sums_ = nullptr;
  mutable std::atomic<std::uint32_t> faults_{0};
};

// Whether a kernel reduces rows or sums over them, so that it wants whole rows.
bool needs_rows(const Kernel& kernel);

}  // namespace asg::cpu
