#include "backend/cpu/tile_access.h"

namespace asg::cpu {

TileAccess::TileAccess(std::span<const std::int64_t> sizes, std::span<const std::int64_t> strides,
                       std::size_t leading_axes, std::int64_t offset)
    : leading_(merged(sizes.first(leading_axes), strides.first(leading_axes))),
      along_(merged(sizes.subspan(leading_axes), strides.subspan(leading_axes))),
      offset_(offset),
      row_length_(1) {
  for (const std::int64_t size : sizes.subspan(leading_axes)) row_length_ *= size;
}

std::vector<TileAccess::Axis> TileAccess::merged(std::span<const std::int64_t> sizes,
                                                 std::span<const std::int64_t> strides) {
  std::vector<Axis> axes;
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    if (sizes[k] == 1) continue;
    if (!axes.empty() && axes.back().stride == strides[k] * sizes[k]) {
      axes.back() = {axes.back().size * sizes[k], strides[k]};
    } else {
      axes.push_back({sizes[k], strides[k]});
    }
  }
  return axes;
}

bool TileAccess::moves_with_rows() const {
  return std::any_of(leading_.begin(), leading_.end(), [](Axis axis) { return axis.stride != 0; });
}

bool TileAccess::moves_along_row() const {
  return std::any_of(along_.begin(), along_.end(), [](Axis axis) { return axis.stride != 0; });
}

bool TileAccess::has_unit_rows() const { return along_.empty() || (along_.size() == 1 && along_.front().stride == 1); }

bool TileAccess::has_unit_runs(std::int64_t length) const {
  if (along_.size() <= 1) return has_unit_rows();
  return along_.back().stride == 1 && length > 0 && along_.back().size % length == 0;
}

bool TileAccess::has_adjacent_rows() const {
  return leading_.empty() || (leading_.size() == 1 && leading_.front().stride == row_length_);
}

}  // namespace asg::cpu
