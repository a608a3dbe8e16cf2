#include "backend/cpu/library/elements.h"

#include <algorithm>
#include <atomic>
#include <functional>

#include "asg/core/error.h"
#include "ops/support/indexing.h"

namespace asg::cpu {

ElementRows::ElementRows(const Sizes& x, const Sizes& indices, int axis) {
  const auto along = static_cast<std::size_t>(axis);
  const Sizes strides = dense_strides(x);
  before_ = merged(x, indices, 0, along);
  behind_ = merged(x, indices, along + 1, x.size());
  for (const Axis& each : before_) before_count_ *= each.size;
  along_ = indices[along];
  length_ = x[along];
  step_ = strides[along];
  if (!behind_.empty() && behind_.back().stride == 1) {
    run_ = behind_.back().size;
    behind_.pop_back();
  }
  for (const Axis& each : behind_) behind_count_ *= each.size;
}

// Axes as the indices have them, with the strides of x; neighbours that x walks as one become one.
std::vector<ElementRows::Axis> ElementRows::merged(const Sizes& x, const Sizes& indices, std::size_t first,
                                                   std::size_t last) {
  const Sizes strides = dense_strides(x);
  std::vector<Axis> axes;
  for (std::size_t k = first; k < last; ++k) {
    if (indices[k] == 1) continue;
    if (!axes.empty() && axes.back().stride == indices[k] * strides[k]) {
      axes.back() = {axes.back().size * indices[k], strides[k]};
    } else {
      axes.push_back({indices[k], strides[k]});
    }
  }
  return axes;
}

std::int64_t ElementRows::folded(const std::vector<Axis>& axes, std::int64_t number) {
  if (axes.size() == 1) return number * axes.front().stride;
  std::int64_t place = 0;
  for (std::size_t k = axes.size(); k-- > 0;) {
    place += number % axes[k].size * axes[k].stride;
    number /= axes[k].size;
  }
  return place;
}

ElementGather::ElementGather(const ElementsSpec& spec) : spec_(spec), rows_(spec.x, spec.indices, spec.axis) {}

namespace {

// Whether all indices of these rows fit.
template <class T, class Index>
bool gather_rows(const ElementRows& rows, std::int64_t first, std::int64_t last, const T* x, const Index* indices,
                 T* y) {
  bool misfit = false;
  const std::int64_t run = rows.run();
  for (std::int64_t row = first; row < last; ++row) {
    const T* from = x + rows.place(row / rows.behind() / rows.along(), row % rows.behind());
    for (std::int64_t k = row * run; k < (row + 1) * run; ++k, ++from) {
      y[k] = from[fitted_index(indices[k], rows.length(), misfit) * rows.step()];
    }
  }
  return !misfit;
}

template <class T, class Index>
void gather(const ElementRows& rows, const T* x, const Index* indices, T* y, ThreadPool& pool) {
  std::atomic<bool> fits{rows.length() > 0};
  const auto part = [&](std::int64_t first, std::int64_t last) {
    if (!gather_rows(rows, first, last, x, indices, y)) fits.store(false, std::memory_order_relaxed);
  };
  if (fits) pool.for_ranges(rows.rows(), std::max<std::int64_t>(1, kElementsPerTask / rows.run()), std::ref(part));
  if (fits) return;
  for (std::int64_t k = 0; k < rows.rows() * rows.run(); ++k) {
    ops::wrapped_index(indices[k], rows.length(), "GatherElements");
  }
}

}  // namespace

void ElementGather::run(const void* x, const void* indices, void* y, ThreadPool& pool) const {
  const auto of_type = [&]<class T>(T) {
    const auto* from = static_cast<const T*>(x);
    auto* to = static_cast<T*>(y);
    if (spec_.index == DType::i32) return gather(rows_, from, static_cast<const std::int32_t*>(indices), to, pool);
    gather(rows_, from, static_cast<const std::int64_t*>(indices), to, pool);
  };
  switch (bytes_of(spec_.dtype)) {
    case 1:
      return of_type(std::uint8_t{});
    case 2:
      return of_type(std::uint16_t{});
    case 4:
      return of_type(std::uint32_t{});
    default:
      return of_type(std::uint64_t{});
  }
}

}  // namespace asg::cpu
