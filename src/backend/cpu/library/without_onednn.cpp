#include "asg/core/error.h"
#include "backend/cpu/library/library.h"
#include "backend/cpu/library/onednn_bf16.h"
#include "backend/cpu/library/onednn_convolution.h"
#include "backend/cpu/library/onednn_gemm.h"

// What a build without oneDNN has in its place (see the CMakeLists.txt of the folder).
namespace asg::cpu {

bool has_onednn() { return false; }
std::int64_t onednn_primitives_made() { return 0; }

void onednn_gemm(const GemmSizes&, const MatrixView<float>&, const MatrixView<float>&, float*, std::int64_t, bool) {
  fail_internal("this build has no oneDNN");
}

bool has_bf16() { return false; }

std::unique_ptr<const ProductPlan> onednn_bf16_product(const MatmulSpec&, const MatmulSplit&) { return nullptr; }

std::unique_ptr<const ConvolutionPlan> onednn_convolution(const ConvolutionSpec&) { return nullptr; }

}  // namespace asg::cpu
