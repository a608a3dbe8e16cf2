#include "backend/cpu/library/convolution.h"

#include <utility>

#include "asg/core/error.h"
#include "backend/cpu/library/onednn_convolution.h"
#include "backend/cpu/library/patch_convolution.h"

namespace asg::cpu {

Convolution::Convolution(ConvolutionSpec spec, Library library) : spec_(spec), library_(library) {
  internal_check(spec_.dtype == DType::f32 || spec_.dtype == DType::f64, "Convolution computes in f32 and f64");
  if (library == Library::onednn) plan_ = onednn_convolution(spec_);
  if (plan_ != nullptr) return;
  library_ = Library::builtin;
  plan_ = patch_convolution(spec_);
}

}  // namespace asg::cpu
