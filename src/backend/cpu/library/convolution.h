#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "asg/core/dtype.h"
#include "asg/core/thread_pool.h"
#include "backend/cpu/library/function_ref.h"
#include "backend/cpu/library/library.h"
#include "ops/convolution/conv_parts.h"

namespace asg::cpu {

// A convolution (operands x, w), its gradient by the input (operands gradient of y, w) or by the weights (gradient of
// y, x): those of the ops Conv, ConvInputGrad and ConvWeightGrad. Tensors are dense, [batch, channels, …] and
// [outputs, channels of a group, …].
enum class ConvolutionKind { forward, by_input, by_weight };

struct ConvolutionSpec {
  ConvolutionKind kind = ConvolutionKind::forward;
  DType dtype = DType::f32;  // or f64
  ops::Convolution geometry;
};

// A part of the result: some elements (positions in a plane of y or of x, or weights of an output) of some channels of
// a picture. By weight there is one picture, and channels are outputs.
struct ConvolutionBlock {
  std::int64_t picture = 0;
  std::int64_t first_channel = 0;
  std::int64_t last_channel = 0;  // one past it; elements too
  std::int64_t first_element = 0;
  std::int64_t last_element = 0;
};
// Called by a worker as soon as a block is complete, while it is in its cache. Blocks cover the result once.
using ConvolutionDone = FunctionRef<void(const ConvolutionBlock&)>;

// One way to compute a convolution.
class ConvolutionPlan {
 public:
  virtual ~ConvolutionPlan() = default;
  virtual std::size_t scratch_bytes() const = 0;
  virtual void run(const void* left, const void* right, void* result, void* scratch, ThreadPool& pool,
                   ConvolutionDone after_block) const = 0;
};

// A convolution whose sizes are known: made once, run often. The bits of the result do not depend on the number of
// threads.
class Convolution {
 public:
  explicit Convolution(ConvolutionSpec spec, Library library = default_library());

  const ConvolutionSpec& spec() const { return spec_; }
  Library library() const { return library_; }  // whose code runs; oneDNN does not know every convolution
  // Memory that a run needs beside its operands; any content, aligned to 64 bytes.
  std::size_t scratch_bytes() const { return plan_->scratch_bytes(); }
  // Allocates nothing (oneDNN may). One run at a time.
  void run(const void* left, const void* right, void* result, void* scratch, ThreadPool& pool,
           ConvolutionDone after_block = {}) const {
    plan_->run(left, right, result, scratch, pool, after_block);
  }

 private:
  ConvolutionSpec spec_;
  Library library_;
  std::unique_ptr<const ConvolutionPlan> plan_;
};

}  // namespace asg::cpu
