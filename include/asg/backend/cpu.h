#pragma once

#include <memory>

#include "asg/backend/interpreter.h"
#include "asg/core/thread_pool.h"

namespace asg {

namespace cpu {
class ArenaPool;
}

struct CpuOptions {
  int threads = 0;     // 0: as many as the machine has
  bool onednn = true;  // false: products and convolutions by code of our own, also where the build has oneDNN
};

// The engine on the processor: graphs are compiled to fused kernels and library calls over one planned arena, for each
// set of input sizes once. Results have the same bits on any number of threads. Single ops run by reference kernels.
class CpuBackend : public Interpreter {
 public:
  explicit CpuBackend(const CpuOptions& options);
  explicit CpuBackend(int threads = 0) : CpuBackend(CpuOptions{.threads = threads}) {}

  std::string name() const override { return "cpu"; }
  NamedDeviceArrays execute(const Graph& graph, const NamedDeviceArrays& inputs) override;
  std::unique_ptr<Executable> compile(const Graph& graph, const CompileOptions& options = {}) override;

 private:
  CpuOptions options_;
  std::shared_ptr<ThreadPool> pool_;
  std::weak_ptr<cpu::ArenaPool> arenas_;  // of the executables that there are
};

}  // namespace asg
