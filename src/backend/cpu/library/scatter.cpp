#include "backend/cpu/library/scatter.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <functional>
#include <type_traits>

#include "asg/core/error.h"
#include "ops/indexing/scatter_parts.h"
#include "ops/support/indexing.h"

namespace asg::cpu {
namespace {

constexpr std::int64_t kFewestColumns = 16;  // one line of the cache
constexpr std::int64_t kMostColumns = 256;
constexpr std::int64_t kMostKept = 512 * 1024;  // bytes that a task may keep, which stay in the second cache

std::int64_t columns_for(std::int64_t run, std::int64_t length, std::int64_t bytes) {
  const std::int64_t fitting = kMostKept / bytes / std::max<std::int64_t>(length, 1);
  return std::min(std::max<std::int64_t>(run, 1), std::clamp(fitting, kFewestColumns, kMostColumns));
}

// Tasks keep what they keep in the slot of their thread, or in one of their own where there are few.
std::byte* slot_of(std::byte* scratch, std::int64_t slot_bytes, std::int64_t task, std::int64_t tasks,
                   const ThreadPool& pool) {
  return scratch + (tasks <= pool.threads() ? task : ThreadPool::current_thread()) * slot_bytes;
}

std::int64_t slots(std::int64_t tasks, int threads) {
  return std::min(tasks, static_cast<std::int64_t>(std::max(threads, 1)));
}

bool is_half(DType dtype) { return dtype == DType::f16 || dtype == DType::bf16; }

std::int64_t kept_bytes(const ElementsSpec& spec, ScatterReduction reduction) {
  if (reduction == ScatterReduction::none) return 1;
  const bool sums = reduction == ScatterReduction::add || reduction == ScatterReduction::mul;
  return sums && spec.dtype == DType::f32 ? 8 : 0;
}

template <class T>
T added(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
  } else {
    return a + b;
  }
}

template <class T>
T multiplied(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
  } else {
    return a * b;
  }
}

}  // namespace

ElementScatter::ElementScatter(const ElementsSpec& spec, ScatterReduction reduction)
    : spec_(spec), reduction_(reduction), rows_(spec.x, spec.indices, spec.axis) {
  const std::int64_t kept = kept_bytes(spec, reduction);
  columns_ = columns_for(rows_.run(), rows_.length(), std::max<std::int64_t>(kept, 1));
  strips_ = (rows_.run() + columns_ - 1) / columns_;
  slot_bytes_ = rows_.along() > 1 ? (rows_.length() * columns_ * kept + 63) / 64 * 64 : 0;
  // What would be large is summed where it lies; which elements are taken must be known in any case.
  if (reduction != ScatterReduction::none && slot_bytes_ > kMostKept) slot_bytes_ = 0;
}

bool ElementScatter::supports(DType dtype, ScatterReduction reduction) {
  return reduction == ScatterReduction::none || !is_half(dtype);
}

std::int64_t ElementScatter::scratch_bytes(int threads) const { return slots(tasks(), threads) * slot_bytes_; }

// Again, one after the other, as the card's kernel does it.
template <class Index>
void ElementScatter::fail_at_first(const Index* indices) const {
  std::vector<bool> taken(static_cast<std::size_t>(element_count(spec_.x)), false);
  for (std::int64_t row = 0; row < rows_.rows(); ++row) {
    const std::int64_t first = rows_.place(row / rows_.behind() / rows_.along(), row % rows_.behind());
    for (std::int64_t k = 0; k < rows_.run(); ++k) {
      const std::int64_t index = ops::wrapped_index(indices[row * rows_.run() + k], rows_.length(), "ScatterElements");
      if (reduction_ == ScatterReduction::none) ops::claim(taken, first + k + index * rows_.step());
    }
  }
  fail_internal("a scatter that failed without a reason");
}

template <class Index, class Body>
void ElementScatter::for_each_strip(const Index* indices, std::byte* scratch, ThreadPool& pool,
                                    const Body& body) const {
  std::atomic<bool> fits{rows_.length() > 0};
  const std::int64_t all = tasks();
  const auto part = [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t task = begin; task < end; ++task) {
      const std::int64_t row = task / strips_;
      const std::int64_t column = task % strips_ * columns_;
      const std::int64_t before = row / rows_.behind();
      const std::int64_t behind = row % rows_.behind();
      const std::int64_t first = (before * rows_.along() * rows_.behind() + behind) * rows_.run() + column;
      const bool misfit = body(rows_.place(before, behind) + column, first, std::min(columns_, rows_.run() - column),
                               slot_bytes_ == 0 ? nullptr : slot_of(scratch, slot_bytes_, task, all, pool));
      if (misfit) fits.store(false, std::memory_order_relaxed);
    }
  };
  const std::int64_t elements = columns_ * (rows_.along() + (slot_bytes_ == 0 ? 0 : rows_.length()));
  if (fits) pool.for_ranges(all, std::max<std::int64_t>(1, kElementsPerTask / elements), std::ref(part));
  if (!fits) fail_at_first(indices);
}

template <class T, class Index>
void ElementScatter::replace(const Index* indices, const T* updates, T* y, std::byte* scratch, ThreadPool& pool) const {
  const std::int64_t next = rows_.behind() * rows_.run();
  for_each_strip(indices, scratch, pool,
                 [&](std::int64_t place, std::int64_t first, std::int64_t columns, std::byte* taken) {
                   bool misfit = false;
                   if (taken != nullptr) std::memset(taken, 0, static_cast<std::size_t>(rows_.length() * columns));
                   for (std::int64_t row = 0; row < rows_.along(); ++row, first += next) {
                     for (std::int64_t k = 0; k < columns; ++k) {
                       const std::int64_t index = fitted_index(indices[first + k], rows_.length(), misfit);
                       y[place + k + index * rows_.step()] = updates[first + k];
                       if (taken == nullptr) continue;
                       std::byte& mark = taken[index * columns + k];
                       misfit = misfit || mark != std::byte{0};
                       mark = std::byte{1};
                     }
                   }
                   return misfit;
                 });
}

template <class T, class Index, class Fold>
void ElementScatter::fold_all(const Index* indices, const T* updates, T* y, std::byte* scratch, ThreadPool& pool,
                              Fold fold) const {
  const std::int64_t next = rows_.behind() * rows_.run();
  // Into `to`, where neighbours along the axis lie `step` apart.
  const auto fold_rows = [&]<class Wide>(Wide* to, std::int64_t step, std::int64_t first, std::int64_t columns) {
    bool misfit = false;
    for (std::int64_t row = 0; row < rows_.along(); ++row, first += next) {
      for (std::int64_t k = 0; k < columns; ++k) {
        Wide& at = to[fitted_index(indices[first + k], rows_.length(), misfit) * step + k];
        at = fold(at, static_cast<Wide>(updates[first + k]));
      }
    }
    return misfit;
  };
  for_each_strip(indices, scratch, pool,
                 [&](std::int64_t place, std::int64_t first, std::int64_t columns, std::byte* slot) {
                   if (slot == nullptr) return fold_rows(y + place, rows_.step(), first, columns);
                   auto* sums = reinterpret_cast<double*>(slot);
                   const auto for_each_place = [&](auto visit) {
                     for (std::int64_t row = 0; row < rows_.length(); ++row) {
                       for (std::int64_t k = 0; k < columns; ++k) {
                         visit(y[place + row * rows_.step() + k], sums[row * columns + k]);
                       }
                     }
                   };
                   for_each_place([](T& stored, double& sum) { sum = static_cast<double>(stored); });
                   const bool misfit = fold_rows(sums, columns, first, columns);
                   for_each_place([](T& stored, double& sum) { stored = static_cast<T>(sum); });
                   return misfit;
                 });
}

template <class T, class Index>
void ElementScatter::reduce(const Index* indices, const T* updates, T* y, std::byte* scratch, ThreadPool& pool) const {
  switch (reduction_) {
    case ScatterReduction::add:
      return fold_all(indices, updates, y, scratch, pool, [](auto a, auto b) { return added(a, b); });
    case ScatterReduction::mul:
      return fold_all(indices, updates, y, scratch, pool, [](auto a, auto b) { return multiplied(a, b); });
    case ScatterReduction::max:
      return fold_all(indices, updates, y, scratch, pool, [](auto a, auto b) { return ops::larger(a, b); });
    default:
      return fold_all(indices, updates, y, scratch, pool, [](auto a, auto b) { return ops::smaller(a, b); });
  }
}

template <class Index>
void ElementScatter::dispatch(const Index* indices, const void* updates, void* y, std::byte* scratch,
                              ThreadPool& pool) const {
  const auto replaced = [&]<class T>(T) {
    replace(indices, static_cast<const T*>(updates), static_cast<T*>(y), scratch, pool);
  };
  const auto reduced = [&]<class T>(T) {
    reduce(indices, static_cast<const T*>(updates), static_cast<T*>(y), scratch, pool);
  };
  if (reduction_ == ScatterReduction::none) {
    switch (bytes_of(spec_.dtype)) {
      case 1:
        return replaced(std::uint8_t{});
      case 2:
        return replaced(std::uint16_t{});
      case 4:
        return replaced(std::uint32_t{});
      default:
        return replaced(std::uint64_t{});
    }
  }
  switch (spec_.dtype) {
    case DType::f32:
      return reduced(float{});
    case DType::f64:
      return reduced(double{});
    case DType::i8:
      return reduced(std::int8_t{});
    case DType::i16:
      return reduced(std::int16_t{});
    case DType::i32:
      return reduced(std::int32_t{});
    case DType::i64:
      return reduced(std::int64_t{});
    case DType::u8:
      return reduced(std::uint8_t{});
    case DType::u16:
      return reduced(std::uint16_t{});
    case DType::u32:
      return reduced(std::uint32_t{});
    case DType::u64:
      return reduced(std::uint64_t{});
    default:
      fail_internal("a scatter that does not support its dtype");
  }
}

void ElementScatter::run(const void* x, bool repeated, const void* indices, const void* updates, void* y,
                         std::byte* scratch, ThreadPool& pool) const {
  const std::int64_t width = bytes_of(spec_.dtype);
  const auto* from = static_cast<const std::byte*>(x);
  auto* to = static_cast<std::byte*>(y);
  const auto copy = [&](std::int64_t first, std::int64_t last) {
    if (!repeated) {
      std::memcpy(to + first * width, from + first * width, static_cast<std::size_t>((last - first) * width));
      return;
    }
    // Zeros, almost always.
    if (std::all_of(from, from + width, [](std::byte each) { return each == std::byte{0}; })) {
      std::memset(to + first * width, 0, static_cast<std::size_t>((last - first) * width));
      return;
    }
    for (std::int64_t k = first; k < last; ++k) std::memcpy(to + k * width, from, static_cast<std::size_t>(width));
  };
  pool.for_ranges(element_count(spec_.x), kElementsPerTask, std::ref(copy));
  if (spec_.index == DType::i32) {
    return dispatch(static_cast<const std::int32_t*>(indices), updates, y, scratch, pool);
  }
  dispatch(static_cast<const std::int64_t*>(indices), updates, y, scratch, pool);
}

RowScatter::RowScatter(const ElementsSpec& spec) : dtype_(spec.dtype), index_(spec.index) {
  const ops::Lanes lanes = ops::lanes_of(spec.x, spec.axis);
  before_ = lanes.before_count;
  length_ = lanes.length;
  after_ = lanes.after_count;
  count_ = element_count(spec.indices);
  columns_ = columns_for(after_, length_, 8);
  strips_ = (after_ + columns_ - 1) / columns_;
  slot_bytes_ = dtype_ == DType::f32 ? (length_ * columns_ * 8 + 63) / 64 * 64 : 0;
  if (slot_bytes_ > kMostKept) slot_bytes_ = 0;
}

std::int64_t RowScatter::scratch_bytes(int threads) const { return slots(before_ * strips_, threads) * slot_bytes_; }

void RowScatter::run(const void* grad, const void* indices, void* y, std::byte* scratch, ThreadPool& pool) const {
  const auto of_type = [&]<class T>(T) {
    const auto* from = static_cast<const T*>(grad);
    auto* to = static_cast<T*>(y);
    if (index_ == DType::i32) return add_all(from, static_cast<const std::int32_t*>(indices), to, scratch, pool);
    add_all(from, static_cast<const std::int64_t*>(indices), to, scratch, pool);
  };
  if (dtype_ == DType::f32) return of_type(float{});
  of_type(double{});
}

template <class T, class Index>
void RowScatter::add_all(const T* grad, const Index* indices, T* y, std::byte* scratch, ThreadPool& pool) const {
  for (std::int64_t k = 0; k < count_; ++k) ops::wrapped_index(indices[k], length_, "GatherGrad");
  const std::int64_t tasks = before_ * strips_;
  // Rows of `columns` elements into rows that lie `step` apart in `to`.
  const auto add_rows = [&]<class Wide>(Wide* to, std::int64_t step, const T* from, std::int64_t columns) {
    for (std::int64_t row = 0; row < length_; ++row) std::fill_n(to + row * step, columns, Wide(0));
    for (std::int64_t k = 0; k < count_; ++k, from += after_) {
      Wide* sums = to + (indices[k] < 0 ? indices[k] + length_ : indices[k]) * step;
      for (std::int64_t column = 0; column < columns; ++column) sums[column] += static_cast<Wide>(from[column]);
    }
  };
  const auto part = [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t task = begin; task < end; ++task) {
      const std::int64_t before = task / strips_;
      const std::int64_t column = task % strips_ * columns_;
      const std::int64_t columns = std::min(columns_, after_ - column);
      const T* from = grad + before * count_ * after_ + column;
      T* to = y + before * length_ * after_ + column;
      if (slot_bytes_ == 0) {
        add_rows(to, after_, from, columns);
        continue;
      }
      auto* sums = reinterpret_cast<double*>(slot_of(scratch, slot_bytes_, task, tasks, pool));
      add_rows(sums, columns, from, columns);
      for (std::int64_t row = 0; row < length_; ++row) {
        for (std::int64_t k = 0; k < columns; ++k) to[row * after_ + k] = static_cast<T>(sums[row * columns + k]);
      }
    }
  };
  const std::int64_t elements = columns_ * (count_ + length_);
  pool.for_ranges(tasks, std::max<std::int64_t>(1, kElementsPerTask / std::max<std::int64_t>(elements, 1)),
                  std::ref(part));
}

}  // namespace asg::cpu
