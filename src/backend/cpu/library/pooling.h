#pragma once

#include <cstdint>
#include <vector>

#include "asg/core/dtype.h"
#include "asg/core/thread_pool.h"
#include "backend/cpu/library/function_ref.h"
#include "ops/support/windows.h"

namespace asg::cpu {

// Pools of dense tensors [batch, channels, …], plane by plane: MaxPool, AveragePool and the gradient of that, as the
// cards define them.
struct PoolingSpec {
  DType dtype = DType::f32;  // or f64
  std::int64_t planes = 0;   // batch times channels
  ops::Windows windows;
  bool by_columns = false;     // indices of MaxPool count by columns (storage_order)
  bool count_padding = false;  // of AveragePool (count_include_pad)
};

// Called by a worker as soon as some planes of the result, from first to before last, are complete.
using PlanesDone = FunctionRef<void(std::int64_t first, std::int64_t last)>;

// Allocates when made, never in a run. The bits of the results do not depend on the number of threads.
class Pooling {
 public:
  explicit Pooling(const PoolingSpec& spec);

  const PoolingSpec& spec() const { return spec_; }
  // `places` gets where each maximum stands in x, counted over all elements; it may be null.
  void max(const void* x, void* y, std::int64_t* places, ThreadPool& pool, PlanesDone after = {}) const;
  void average(const void* x, void* y, ThreadPool& pool, PlanesDone after = {}) const;
  void average_gradient(const void* grad, void* x, ThreadPool& pool, PlanesDone after = {}) const;

 private:
  template <class Body>
  void for_planes(ThreadPool& pool, PlanesDone after, const Body& body) const;
  template <class T>
  const T* shares() const;

  PoolingSpec spec_;
  std::vector<double> shares_;  // by position: 1 over the number of elements that count in an average
  std::vector<float> shares_f32_;
};

}  // namespace asg::cpu
