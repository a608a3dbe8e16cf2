#include "backend/cpu/library/onednn_tiles.h"

#include <oneapi/dnnl/dnnl.h>

#include "backend/cpu/library/hidden_tiles.h"

namespace asg::cpu {

void keep_off_hidden_tiles() {
  [[maybe_unused]] static const bool done = [] {
    // Refused where somebody else in this process has used oneDNN before: then it is for them to keep off.
    if (tiles_must_be_avoided(read_cpu_leaf)) dnnl_set_max_cpu_isa(dnnl_cpu_isa_avx512_core_bf16);
    return true;
  }();
}

}  // namespace asg::cpu
