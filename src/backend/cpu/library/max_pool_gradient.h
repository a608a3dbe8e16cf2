#pragma once

#include <cstdint>

#include "asg/core/dtype.h"
#include "asg/core/thread_pool.h"

namespace asg::cpu {

// The gradient of a pool that keeps maxima, over dense tensors of so many planes.
struct MaxPoolGradientSpec {
  DType dtype = DType::f32;    // or f64
  std::int64_t planes = 0;     // batch times channels
  std::int64_t positions = 0;  // of the windows in a plane
  std::int64_t pixels = 0;     // of the input in a plane
};

// Fills x with zeros and adds each gradient at its place, which counts over all elements of x by rows. A pool's places
// lie each in the plane of its gradient, so that planes are worked on in parallel; others are added at the end. Throws
// computation_error for a place outside x. Allocates nothing; the bits do not depend on the number of threads.
void max_pool_gradient(const MaxPoolGradientSpec& spec, const void* grad, const std::int64_t* places, void* x,
                       ThreadPool& pool);

}  // namespace asg::cpu
