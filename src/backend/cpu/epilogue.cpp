#include "backend/cpu/epilogue.h"

#include <algorithm>
#include <cstring>

namespace asg::cpu {

Epilogue::Epilogue(const Step& call, std::int64_t pieces)
    : runner_(*call.kernel), buffers_(call.arguments), pieces_(pieces), arguments_(call.arguments.size()) {}

std::int64_t Epilogue::scratch_bytes(int threads) const {
  return runner_.thread_scratch_bytes() * std::max(threads, 1) + pieces_ * runner_.sum_bytes();
}

void Epilogue::begin(const Bases& bases, std::byte* scratch, int threads) const {
  for (std::size_t k = 0; k < buffers_.size(); ++k) arguments_[k] = bases[static_cast<std::size_t>(buffers_[k])];
  scratch_ = scratch;
  sums_ = scratch + runner_.thread_scratch_bytes() * std::max(threads, 1);
  const std::int64_t bytes = pieces_ * runner_.sum_bytes();
  if (bytes > 0) std::memset(sums_, 0, static_cast<std::size_t>(bytes));
  faults_.store(0, std::memory_order_relaxed);
}

void Epilogue::run(const PointBlock& block, std::int64_t piece) const {
  std::byte* mine = scratch_ + ThreadPool::current_thread() * runner_.thread_scratch_bytes();
  const std::uint32_t faults = runner_.run_block(arguments_, mine, sums_ + piece * runner_.sum_bytes(), block);
  if (faults != 0) faults_.fetch_or(faults, std::memory_order_relaxed);
}

void Epilogue::end() const {
  if (runner_.sum_bytes() > 0) runner_.store_sums(arguments_, sums_, pieces_);
  TileRunner::throw_faults(faults_.load(std::memory_order_relaxed));
}

bool needs_rows(const Kernel& kernel) {
  const bool reduces = std::any_of(kernel.instructions.begin(), kernel.instructions.end(),
                                   [](const auto& each) { return each.kind == KernelInstruction::Kind::reduce; });
  return reduces || std::any_of(kernel.stores.begin(), kernel.stores.end(),
                                [](const KernelStore& store) { return store.sum_over_leading; });
}

}  // namespace asg::cpu
