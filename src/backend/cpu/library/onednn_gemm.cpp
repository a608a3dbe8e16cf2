#include "backend/cpu/library/onednn_gemm.h"

#include <algorithm>

#include <oneapi/dnnl/dnnl.h>

#include "asg/core/error.h"
#include "backend/cpu/library/library.h"
#include "backend/cpu/library/onednn_thread.h"
#include "backend/cpu/library/onednn_tiles.h"

namespace asg::cpu {
namespace {

// Each element of c is summed in f32 one product after the other. The rounding of such a sum grows with the root of its
// length, so it is made of short ones: oneDNN's own, of 256 and more, lose nearly twice as much.
constexpr std::int64_t kMostProducts = 64;

}  // namespace

bool has_onednn() { return true; }

void onednn_gemm(const GemmSizes& sizes, const MatrixView<float>& a, const MatrixView<float>& b, float* c,
                 std::int64_t c_step, bool accumulate) {
  keep_off_hidden_tiles();
  const OneThread alone;
  const bool turned = a.column_step != 1;
  // A matrix of one line may have any step; oneDNN wants at least the length of a line.
  const std::int64_t a_step = std::max(turned ? a.column_step : a.row_step, turned ? sizes.m : sizes.k);
  const std::int64_t b_step = std::max(b.row_step, sizes.n);
  std::int64_t k = 0;
  do {  // once without any products: then c is zero
    const dnnl_status_t status =
        dnnl_sgemm(turned ? 'T' : 'N', 'N', sizes.m, sizes.n, std::min(kMostProducts, sizes.k - k), 1.0F,
                   a.data + k * a.column_step, a_step, b.data + k * b.row_step, b_step,
                   accumulate || k > 0 ? 1.0F : 0.0F, c, std::max(c_step, sizes.n));
    internal_check(status == dnnl_success, "oneDNN refused a product");
    k += kMostProducts;
  } while (k < sizes.k);
}

}  // namespace asg::cpu
