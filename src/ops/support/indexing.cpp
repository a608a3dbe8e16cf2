#include "ops/support/indexing.h"

#include <algorithm>
#include <limits>
#include <string>

#include "asg/graph/card.h"
#include "asg/graph/graph.h"
#include "ops/support/gradients.h"
#include "ops/support/infer.h"
#include "ops/support/operands.h"

namespace asg::ops {
namespace {

// Positions beyond these mean "to the very end" and "to the very beginning"; ONNX files write the limits of 32 or
// 64 bits. No axis is that long.
constexpr std::int64_t kFarEnd = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t kFarBegin = -kFarEnd;

// A position on an axis, counted from its beginning: a number as it is, negative ones from the end. Nothing where
// the sign of a symbolic one cannot be told.
std::optional<Dim> from_begin(const Dim& position, const Dim& size) {
  if (position.is_known()) return position.value() < 0 ? size + position : position;
  const auto least = position.lower_bound();
  if (least && *least >= 0) return position;
  return std::nullopt;
}

// Of a rising slice. Neither the start needs to be cut at the end nor the end at the beginning: the count is then
// not positive and becomes 0.
std::optional<Dim> rising_count(const Dim& start, const Dim& end, std::int64_t step, const Dim& size) {
  const bool to_end = end.is_known() && end.value() >= kFarEnd;
  if (to_end && start.is_known() && start.value() < 0) {
    return ceil_div(start.value() <= kFarBegin ? size : min(size, Dim(-start.value())), step);
  }
  const bool from_first = start.is_known() && start.value() <= kFarBegin;
  const auto first = from_first ? std::optional(Dim(0)) : from_begin(start, size);
  const auto past = to_end ? std::optional(size) : from_begin(end, size);
  if (!first || !past) return std::nullopt;
  return ceil_div(not_negative(min(*past, size) - not_negative(*first)), step);
}

// Of a falling slice: it begins at most at the last element and ends before `past`, which is at least -1.
std::optional<Dim> falling_count(const Dim& start, const Dim& end, std::int64_t step, const Dim& size) {
  const bool from_end = start.is_known() && (start.value() >= kFarEnd || start.value() == -1);
  const bool to_begin = end.is_known() && end.value() <= kFarBegin;
  const auto first = from_end ? std::optional(size - Dim(1)) : from_begin(start, size);
  const auto past = to_begin ? std::optional(Dim(-1)) : from_begin(end, size);
  if (!first || !past) return std::nullopt;
  const Dim distance = min(*first, size - Dim(1)) - max(*past, Dim(-1));
  return ceil_div(not_negative(distance), Dim(-step));
}

// Steps of the most negative number cannot be turned round; one so long takes one element anyway.
std::int64_t safe_step(std::int64_t step) { return std::max(step, -std::numeric_limits<std::int64_t>::max()); }

void check_slice_lists(std::size_t starts, std::size_t ends, std::size_t axes, std::size_t steps) {
  if (starts == ends && starts == axes && starts == steps) return;
  fail(ErrorCode::bad_shape,
       std::to_string(starts) + " starts, " + std::to_string(ends) + " ends, " + std::to_string(axes) + " axes and " +
           std::to_string(steps) + " steps",
       "as many of each", "give one start, one end, one axis and one step for each axis that is cut");
}

std::int64_t checked_step(std::int64_t step) {
  if (step == 0) {
    fail(ErrorCode::bad_index, "a slice with step 0", "a step that is not 0", "use 1 to take every element");
  }
  return safe_step(step);
}

std::vector<std::int64_t> first_axes(std::size_t count) {
  std::vector<std::int64_t> axes;
  for (std::size_t axis = 0; axis < count; ++axis) axes.push_back(static_cast<std::int64_t>(axis));
  return axes;
}

// The number of positions in an integer vector, which its type tells even where its contents are unknown.
std::size_t list_length(const InferContext& ctx, int index) {
  const Shape& shape = ctx.shape(index);
  if (shape.rank() != 1 || !shape[0].is_known()) {
    fail(ErrorCode::bad_shape,
         "input '" + std::string(ctx.op().inputs[static_cast<std::size_t>(index)].name) + "' of shape " +
             shape.to_string(),
         "a vector with one number for each axis that is cut");
  }
  return static_cast<std::size_t>(shape[0].value());
}

}  // namespace

std::vector<int> distinct_axes(const std::vector<std::int64_t>& axes, int rank) {
  std::vector<int> result;
  for (std::int64_t axis : axes) {
    const int normalized = normalize_axis(axis, rank);
    if (std::find(result.begin(), result.end(), normalized) != result.end()) {
      fail(ErrorCode::bad_index, "axis " + std::to_string(axis) + " twice", "each axis at most once");
    }
    result.push_back(normalized);
  }
  return result;
}

SliceRange slice_range(std::int64_t start, std::int64_t end, std::int64_t step, std::int64_t size) {
  const bool rising = step > 0;
  const std::int64_t low = rising ? 0 : -1;
  const std::int64_t high = rising ? size : size - 1;
  auto place = [&](std::int64_t position) { return std::clamp(position < 0 ? position + size : position, low, high); };
  const std::int64_t first = place(start);
  const std::int64_t distance = rising ? place(end) - first : first - place(end);
  const std::int64_t stride = rising ? step : -safe_step(step);
  SliceRange range;
  if (distance > 0) range = {first, (distance - 1) / stride + 1, step};
  if (range.count <= 1) range.step = 1;
  return range;
}

std::optional<Dim> slice_count(const Dim& start, const Dim& end, std::int64_t step, const Dim& size) {
  if (start.is_known() && end.is_known() && size.is_known()) {
    return slice_range(start.value(), end.value(), step, size.value()).count;
  }
  // So that no sum with a length leaves 64 bits.
  const auto near = [](const Dim& position) {
    return position.is_known() ? Dim(std::clamp(position.value(), kFarBegin, kFarEnd)) : position;
  };
  return step > 0 ? rising_count(near(start), near(end), step, size)
                  : falling_count(near(start), near(end), step, size);
}

Shape slice_shape(InferContext& ctx, const Shape& shape, int first) {
  const std::size_t count = list_length(ctx, first);
  const bool has_axes = ctx.has(first + 2);
  const bool has_steps = ctx.has(first + 3);
  check_slice_lists(count, list_length(ctx, first + 1), has_axes ? list_length(ctx, first + 2) : count,
                    has_steps ? list_length(ctx, first + 3) : count);
  const auto axes = distinct_axes(has_axes ? need_integers(ctx, first + 2, "axes") : first_axes(count), shape.rank());
  const auto starts = ctx.known(first);
  const auto ends = ctx.known(first + 1);
  const auto steps = has_steps ? ctx.known(first + 3) : std::optional(std::vector<Dim>(count, Dim(1)));
  std::vector<Dim> dims = shape.dims();
  for (std::size_t k = 0; k < axes.size(); ++k) {
    Dim& dim = dims[static_cast<std::size_t>(axes[k])];
    std::optional<Dim> length;
    if (starts && ends && steps && (*steps)[k].is_known()) {
      length = slice_count((*starts)[k], (*ends)[k], checked_step((*steps)[k].value()), dim);
    }
    dim = length ? *length : ctx.fresh_symbol();
  }
  return Shape(std::move(dims));
}

std::vector<int> sliced_axes(const BodyContext& ctx, int first, int rank) {
  const auto count = static_cast<std::size_t>(ctx.in(first).shape()[0].value());
  if (!ctx.has(first + 2)) return distinct_axes(first_axes(count), rank);
  return distinct_axes(known_ints(ctx.in(first + 2)), rank);
}

std::vector<SliceRange> slice_ranges(const std::vector<std::int64_t>& starts, const std::vector<std::int64_t>& ends,
                                     const std::vector<std::int64_t>& axes, const std::vector<std::int64_t>& steps,
                                     const Sizes& sizes) {
  std::vector<SliceRange> ranges;
  for (std::int64_t size : sizes) ranges.push_back({0, size, 1});
  const auto cut = distinct_axes(axes, static_cast<int>(sizes.size()));
  for (std::size_t k = 0; k < cut.size(); ++k) {
    const auto axis = static_cast<std::size_t>(cut[k]);
    ranges[axis] = slice_range(starts[k], ends[k], checked_step(steps[k]), sizes[axis]);
  }
  return ranges;
}

Array slice_view(const KernelContext& ctx, const Array& array, int first) {
  const auto starts = ints_of(ctx.in(first));
  const auto ends = ints_of(ctx.in(first + 1));
  const auto axes = ctx.has(first + 2) ? ints_of(ctx.in(first + 2)) : first_axes(starts.size());
  const auto steps = ctx.has(first + 3) ? ints_of(ctx.in(first + 3)) : std::vector<std::int64_t>(starts.size(), 1);
  check_slice_lists(starts.size(), ends.size(), axes.size(), steps.size());
  const auto ranges = slice_ranges(starts, ends, axes, steps, array.sizes());
  Array view = array;
  for (int axis = 0; axis < array.rank(); ++axis) {
    const SliceRange& range = ranges[static_cast<std::size_t>(axis)];
    view = view.sliced(axis, range.start, range.count, range.step);
  }
  return view;
}

std::int64_t wrapped_index(std::int64_t index, std::int64_t size, std::string_view op) {
  if (index < -size || index >= size) {
    fail(ErrorCode::computation_error, "index " + std::to_string(index) + " in " + std::string(op),
         size == 0 ? "no index at all: the axis has no elements"
                   : "an index from " + std::to_string(-size) + " to " + std::to_string(size - 1) +
                         ", because the axis has " + std::to_string(size) + " elements",
         "check the indices, or the size of what they point into");
  }
  return index < 0 ? index + size : index;
}

void check_element_indices(const Shape& x, const Shape& indices, int axis) {
  if (x.rank() != indices.rank()) {
    fail(ErrorCode::bad_shape, "indices of shape " + indices.to_string() + " into a tensor of shape " + x.to_string(),
         "the same rank for both");
  }
  for (int other = 0; other < x.rank(); ++other) {
    if (other == axis || !x[other].is_known() || !indices[other].is_known()) continue;
    if (indices[other].value() <= x[other].value()) continue;
    fail(ErrorCode::bad_shape, "indices of shape " + indices.to_string() + " into a tensor of shape " + x.to_string(),
         "on every axis but " + std::to_string(axis) + " at most the length of the tensor");
  }
}

Tensor length_of(const Tensor& tensor, int axis) {
  Graph& graph = tensor.graph();
  const Dim& length = tensor.shape()[axis];
  if (length.is_known()) return ints(graph, {length.value()});
  return add_op("Gather", {shape_of(tensor), ints(graph, {axis})});
}

Dim not_negative(const Dim& dim) {
  const auto least = dim.lower_bound();
  return least && *least >= 0 ? dim : max(dim, Dim(0));
}

bool surely_differ(const Dim& a, const Dim& b) {
  if (a == b) return false;
  if (a.is_known() && b.is_known()) return true;
  // Expressions of the same symbols that must be equal for every value of them are so for this one too, which most
  // divisors divide: 64*batch and 63*batch are never meant to be the same.
  constexpr std::int64_t kProbe = 5040;
  if (a.symbols() != b.symbols()) return false;
  const auto probe = [](std::string_view) { return std::optional(Dim(kProbe)); };
  return a.substitute(probe) != b.substitute(probe);
}

}  // namespace asg::ops
