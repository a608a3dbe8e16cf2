#pragma once

#include <cstdint>

#include "ops/support/windows.h"

namespace asg::cpu {

// One plane of a MaxPool. `places` may be null; they count from `offset` on.
template <class T>
struct MaxPlane {
  const T* x = nullptr;
  T* y = nullptr;
  std::int64_t* places = nullptr;
  std::int64_t offset = 0;
};

// Of equal elements the first wins, of any with NaN the first NaN; padding never does.
void max_pool_plane(const ops::Windows& windows, bool by_columns, const MaxPlane<float>& plane);
void max_pool_plane(const ops::Windows& windows, bool by_columns, const MaxPlane<double>& plane);

}  // namespace asg::cpu
