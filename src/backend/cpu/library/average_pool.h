#pragma once

#include "ops/support/windows.h"

namespace asg::cpu {

// One plane of an AveragePool, or of its gradient. `shares` has, for each position, 1 over the number of elements that
// count under its window.
template <class T>
struct AveragePlane {
  const T* from = nullptr;
  T* to = nullptr;
  const T* shares = nullptr;
};

// Sums in the order of the taps.
void average_pool_plane(const ops::Windows& windows, const AveragePlane<float>& plane);
void average_pool_plane(const ops::Windows& windows, const AveragePlane<double>& plane);

// From gradients by position to those of the pixels.
void average_pool_gradient_plane(const ops::Windows& windows, const AveragePlane<float>& plane);
void average_pool_gradient_plane(const ops::Windows& windows, const AveragePlane<double>& plane);

}  // namespace asg::cpu
