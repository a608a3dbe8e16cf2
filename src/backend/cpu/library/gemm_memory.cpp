#include "backend/cpu/library/gemm_memory.h"

namespace asg::cpu {

GemmMemory& gemm_memory() {
  static thread_local GemmMemory memory;
  return memory;
}

}  // namespace asg::cpu
