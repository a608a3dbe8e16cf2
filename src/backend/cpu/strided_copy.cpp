#include "backend/cpu/strided_copy.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>

namespace asg::cpu {
namespace {

constexpr std::size_t kMostAxes = 12;
constexpr std::int64_t kBytesPerTask = 128 * 1024;

template <class T>
void copy_elements(const std::byte* from, std::byte* to, std::int64_t count, std::int64_t from_step,
                   std::int64_t to_step) {
  for (std::int64_t k = 0; k < count; ++k) std::memcpy(to + k * to_step, from + k * from_step, sizeof(T));
}

}  // namespace

std::optional<StridedCopy> StridedCopy::make(const Sizes& sizes, const Sizes& from, const Sizes& to,
                                             std::int64_t element_bytes) {
  StridedCopy copy;
  copy.element_bytes_ = element_bytes;
  std::vector<Axis> axes;
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    if (sizes[k] == 1) continue;
    const Axis axis{sizes[k], from[k] * element_bytes, to[k] * element_bytes};
    const bool continues =
        !axes.empty() && axes.back().from == axis.from * axis.count && axes.back().to == axis.to * axis.count;
    if (continues) {
      axes.back() = {axes.back().count * axis.count, axis.from, axis.to};
    } else {
      axes.push_back(axis);
    }
  }
  if (axes.size() > kMostAxes) return std::nullopt;
  if (axes.empty()) axes.push_back({1, element_bytes, element_bytes});
  copy.row_ = axes.back();
  copy.outer_.assign(axes.begin(), axes.end() - 1);
  copy.dense_rows_ = copy.row_.from == element_bytes && copy.row_.to == element_bytes;
  for (const Axis& axis : copy.outer_) copy.rows_ *= axis.count;
  return copy;
}

void StridedCopy::copy_row(const std::byte* from, std::byte* to) const {
  if (dense_rows_) {
    std::memcpy(to, from, static_cast<std::size_t>(row_.count * element_bytes_));
    return;
  }
  switch (element_bytes_) {
    case 1:
      return copy_elements<std::uint8_t>(from, to, row_.count, row_.from, row_.to);
    case 2:
      return copy_elements<std::uint16_t>(from, to, row_.count, row_.from, row_.to);
    case 4:
      return copy_elements<std::uint32_t>(from, to, row_.count, row_.from, row_.to);
    default:
      return copy_elements<std::uint64_t>(from, to, row_.count, row_.from, row_.to);
  }
}

void StridedCopy::run_rows(const std::byte* from, std::byte* to, std::int64_t first, std::int64_t last) const {
  std::array<std::int64_t, kMostAxes> index{};
  std::int64_t left = first;
  for (std::size_t axis = outer_.size(); axis-- > 0;) {
    index[axis] = left % outer_[axis].count;
    left /= outer_[axis].count;
    from += index[axis] * outer_[axis].from;
    to += index[axis] * outer_[axis].to;
  }
  for (std::int64_t row = first; row < last; ++row) {
    copy_row(from, to);
    for (std::size_t axis = outer_.size(); axis-- > 0;) {
      from += outer_[axis].from;
      to += outer_[axis].to;
      if (++index[axis] < outer_[axis].count) break;
      from -= outer_[axis].from * outer_[axis].count;
      to -= outer_[axis].to * outer_[axis].count;
      index[axis] = 0;
    }
  }
}

void StridedCopy::run(const std::byte* from, std::byte* to, ThreadPool& pool) const {
  if (outer_.empty() && dense_rows_) {
    const auto part = [&](std::int64_t first, std::int64_t last) {
      std::memcpy(to + first, from + first, static_cast<std::size_t>(last - first));
    };
    pool.for_ranges(row_.count * element_bytes_, kBytesPerTask, std::ref(part));
    return;
  }
  const std::int64_t row_bytes = std::max<std::int64_t>(1, row_.count * element_bytes_);
  const auto rows = [&](std::int64_t first, std::int64_t last) { run_rows(from, to, first, last); };
  pool.for_ranges(rows_, std::max<std::int64_t>(1, kBytesPerTask / row_bytes), std::ref(rows));
}

}  // namespace asg::cpu
