#include "compile/gpu/vectors.h"

#include <algorithm>

#include "compile/gpu/passes.h"

namespace asg::gpu {
namespace {

using Access = GpuPlan::Access;

constexpr int kWidest = 8;
constexpr std::int64_t kShortestShifted = 256;  // of a row: shorter ones gain less than the two incomplete vectors cost

class Chooser {
 public:
  Chooser(const Kernel& kernel, std::size_t first, bool may_shift) : kernel_(kernel), first_(first) {
    single_axis_ = first + 1 == kernel.space.size();
    may_shift_ = may_shift && single_axis_ && kernel.space.back() >= kShortestShifted;
  }

  Vectors choose(const GpuLimits& limits) const {
    Vectors scalar;
    scalar.access.assign(kernel_.arguments.size(), Access::element);
    if (first_ >= kernel_.space.size()) return scalar;
    for (int width = widest(limits); width > 1; width /= 2) {
      if (!single_axis_ && kernel_.space.back() % width != 0) continue;
      Vectors vectors = with_width(width);
      if (useful(vectors)) return vectors;
    }
    return scalar;
  }

 private:
  bool is_dense(const KernelArgument& argument) const { return argument.strides.back() == 1; }

  // As many elements as the smallest dense argument has in one access.
  int widest(const GpuLimits& limits) const {
    std::int64_t smallest = 0;
    for (const KernelArgument& argument : kernel_.arguments) {
      if (is_dense(argument) && (smallest == 0 || bytes_of(argument.dtype) < smallest)) {
        smallest = bytes_of(argument.dtype);
      }
    }
    if (smallest == 0) return 1;
    return static_cast<int>(std::min<std::int64_t>(kWidest, limits.access_bytes / smallest));
  }

  // Where the vectors of an argument begin, as far as it matters: the remainders of the offset and of all strides but
  // the last one.
  std::vector<std::int64_t> phase_of(const KernelArgument& argument, int width) const {
    std::vector<std::int64_t> phase = {(argument.offset % width + width) % width};
    for (std::size_t axis = 0; axis + 1 < kernel_.space.size(); ++axis) {
      phase.push_back((argument.strides[axis] % width + width) % width);
    }
    return phase;
  }

  static bool is_aligned(const std::vector<std::int64_t>& phase) {
    return std::all_of(phase.begin(), phase.end(), [](std::int64_t each) { return each == 0; });
  }

  Vectors with_width(int width) const {
    Vectors vectors{.width = width, .shifted = false, .access = {}};
    std::vector<std::int64_t> shared;  // the phase of all dense arguments that can be read as vectors
    const bool divides = kernel_.space.back() % width == 0;
    // Most bytes decide; the largest arguments are those that move along every axis.
    for (const KernelArgument& argument : kernel_.arguments) {
      if (!is_dense(argument) || !moves_everywhere(argument)) continue;
      const std::vector<std::int64_t> phase = phase_of(argument, width);
      if (may_shift_ && !is_aligned(phase)) {
        shared = phase;
        vectors.shifted = true;
        break;
      }
    }
    for (const KernelArgument& argument : kernel_.arguments) {
      Access access = Access::element;
      if (is_dense(argument)) {
        const std::vector<std::int64_t> phase = phase_of(argument, width);
        if (vectors.shifted ? phase == shared : is_aligned(phase)) access = Access::vector;
      } else if (argument.strides.back() == 0 && (single_axis_ || divides)) {
        access = Access::uniform;
      }
      vectors.access.push_back(access);
    }
    return vectors;
  }

  bool moves_everywhere(const KernelArgument& argument) const {
    for (std::size_t axis = 0; axis < kernel_.space.size(); ++axis) {
      if (kernel_.space[axis] > 1 && argument.strides[axis] == 0) return false;
    }
    return true;
  }

  // Whether every dense argument that is read or written once is accessed by vectors.
  bool useful(const Vectors& vectors) const {
    bool any = false;
    for (std::size_t k = 0; k < kernel_.arguments.size(); ++k) {
      const KernelArgument& argument = kernel_.arguments[k];
      if (vectors.access[k] == Access::vector) any = true;
      if (is_dense(argument) && moves_everywhere(argument) && vectors.access[k] != Access::vector) return false;
    }
    return any;
  }

  const Kernel& kernel_;
  std::size_t first_;
  bool single_axis_;
  bool may_shift_;
};

}  // namespace

Vectors vectors_along(const Kernel& kernel, std::size_t first, bool may_shift, const GpuLimits& limits) {
  return Chooser(kernel, first, may_shift).choose(limits);
}

std::size_t first_vector_axis(const GpuPlan& plan) {
  if (plan.shape == GpuPlan::Shape::points) return 0;
  return plan.kernel.space.size() - static_cast<std::size_t>(plan.kernel.row_axes);
}

bool is_ragged(const GpuPlan& plan) {
  return plan.vector > 1 && (plan.shifted || plan.kernel.space.back() % plan.vector != 0);
}

int shifted_argument(const GpuPlan& plan) {
  for (std::size_t k = 0; k < plan.access.size(); ++k) {
    if (plan.access[k] == GpuPlan::Access::vector) return static_cast<int>(k);
  }
  return -1;
}

}  // namespace asg::gpu
