#include "compile/bounded/stored.h"

#include <algorithm>

namespace asg::bounded {
namespace {

// Known digits beside each other are one.
void append(StoredAxis& axis, const StoredDigit& digit) {
  if (digit.stored == 1 && !digit.is_ragged()) return;
  if (!axis.empty() && !digit.is_ragged() && !axis.back().is_ragged()) {
    const std::int64_t stored = axis.back().stored * digit.stored;
    axis.back() = {stored, stored};
    return;
  }
  axis.push_back(digit);
}

}  // namespace

StoredAxis plain_axis(const Dim& length, std::int64_t stored) {
  StoredAxis axis;
  append(axis, {stored, length});
  return axis;
}

StoredShape plain_shape(const Shape& lengths, const Shape& stored) {
  StoredShape shape;
  for (int axis = 0; axis < lengths.rank(); ++axis) shape.push_back(plain_axis(lengths[axis], stored[axis].value()));
  return shape;
}

std::int64_t stored_length(const StoredAxis& axis) {
  std::int64_t length = 1;
  for (const StoredDigit& digit : axis) length *= digit.stored;
  return length;
}

Dim length_of(const StoredAxis& axis) {
  Dim length = 1;
  for (const StoredDigit& digit : axis) length = length * digit.length;
  return length;
}

bool is_ragged(const StoredAxis& axis) {
  return std::any_of(axis.begin(), axis.end(), [](const StoredDigit& digit) { return digit.is_ragged(); });
}

bool is_ragged(const StoredShape& shape) {
  return std::any_of(shape.begin(), shape.end(), [](const StoredAxis& axis) { return is_ragged(axis); });
}

std::optional<StoredShape> regrouped(const StoredShape& shape, std::span<const std::int64_t> sizes) {
  StoredAxis left;  // digits that are not placed yet, the next one last
  for (const StoredAxis& axis : shape) {
    for (const StoredDigit& digit : axis) append(left, digit);
  }
  std::reverse(left.begin(), left.end());
  StoredShape result;
  for (const std::int64_t size : sizes) {
    if (size == 0) return std::nullopt;
    StoredAxis axis;
    for (std::int64_t missing = size; missing > 1;) {
      if (left.empty()) return std::nullopt;
      StoredDigit& next = left.back();
      if (next.stored == 0) return std::nullopt;
      if (missing % next.stored == 0) {
        missing /= next.stored;
        append(axis, next);
        left.pop_back();
      } else if (!next.is_ragged() && next.stored % missing == 0) {
        append(axis, {missing, missing});
        const std::int64_t rest = next.stored / missing;
        next = {rest, rest};
        missing = 1;
      } else {
        return std::nullopt;
      }
    }
    result.push_back(std::move(axis));
  }
  if (!left.empty()) return std::nullopt;
  return result;
}

Array digits_along(const StoredAxis& axis, std::size_t digit, int trailing) {
  Sizes sizes(static_cast<std::size_t>(trailing) + 1, 1);
  sizes.front() = stored_length(axis);
  std::int64_t inner = 1;
  for (std::size_t k = digit + 1; k < axis.size(); ++k) inner *= axis[k].stored;
  Array digits(DType::i64, sizes);
  std::int64_t place = 0;
  for (std::int64_t& value : digits.mutable_data<std::int64_t>()) value = place++ / inner % axis[digit].stored;
  return digits;
}

}  // namespace asg::bounded
