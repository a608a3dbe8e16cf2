#include <algorithm>
#include <utility>

#include "asg/core/dim.h"
#include "asg/core/error.h"

namespace asg {
namespace {

constinit const Dim kOne = 1;

// Axis counted from the last; axes that a shorter shape lacks are 1.
const Dim& from_last(const Shape& shape, int axis) {
  return axis < shape.rank() ? shape[shape.rank() - 1 - axis] : kOne;
}

[[noreturn]] void fail_shape_text(std::string_view text) {
  constexpr std::size_t kShown = 80;
  std::string shown(text.substr(0, kShown));
  if (text.size() > kShown) shown += "…";
  fail(ErrorCode::bad_shape, "\"" + shown + "\"", "dimensions between brackets, like [batch, 784] or []");
}

}  // namespace

Shape Shape::of(const std::vector<std::int64_t>& sizes) {
  std::vector<Dim> dims;
  dims.reserve(sizes.size());
  for (const std::int64_t size : sizes) {
    if (size < 0) fail(ErrorCode::bad_dim, "the size " + std::to_string(size), "a size of at least 0");
    dims.emplace_back(size);
  }
  return Shape(std::move(dims));
}

Shape Shape::parse(std::string_view text) {
  if (text.size() < 2 || text.front() != '[' || text.back() != ']') fail_shape_text(text);
  const std::string_view inside = text.substr(1, text.size() - 2);
  std::vector<Dim> dims;
  if (inside.find_first_not_of(' ') == std::string_view::npos) return Shape(std::move(dims));
  std::size_t start = 0;
  int open = 0;  // commas inside parentheses belong to functions
  for (std::size_t position = 0; position <= inside.size(); ++position) {
    const char letter = position < inside.size() ? inside[position] : ',';
    if (letter == '(') ++open;
    if (letter == ')') --open;
    if (letter != ',' || (open != 0 && position < inside.size())) continue;
    dims.push_back(Dim::parse(inside.substr(start, position - start)));
    start = position + 1;
  }
  return Shape(std::move(dims));
}

bool Shape::is_known() const {
  return std::all_of(dims_.begin(), dims_.end(), [](const Dim& dim) { return dim.is_known(); });
}

std::vector<std::int64_t> Shape::sizes() const {
  std::vector<std::int64_t> result;
  result.reserve(dims_.size());
  for (const Dim& dim : dims_) {
    if (!dim.is_known()) {
      fail(ErrorCode::bad_dim, "the dimension " + dim.to_string() + " of the shape " + to_string(),
           "a known size on each axis", "give its symbols a value");
    }
    if (dim.value() < 0) {
      fail(ErrorCode::bad_dim, "the dimension " + dim.to_string() + " of the shape " + to_string(),
           "a size of at least 0 on each axis");
    }
    result.push_back(dim.value());
  }
  return result;
}

Dim Shape::element_count() const {
  // An axis without elements decides, also where the others would overflow.
  if (std::any_of(dims_.begin(), dims_.end(), [](const Dim& dim) { return dim == Dim(0); })) return 0;
  Dim count = 1;
  for (const Dim& dim : dims_) count = count * dim;
  return count;
}

std::string Shape::to_string() const {
  std::string text = "[";
  for (const Dim& dim : dims_) {
    if (text.size() > 1) text += ", ";
    text += dim.to_string();
  }
  text += ']';
  return text;
}

Shape Shape::substitute(const Dim::SymbolValues& values) const {
  std::vector<Dim> dims;
  dims.reserve(dims_.size());
  for (const Dim& dim : dims_) dims.push_back(dim.substitute(values));
  return Shape(std::move(dims));
}

Shape broadcast(const Shape& a, const Shape& b) {
  if (a == b) return a;
  const int rank = std::max(a.rank(), b.rank());
  std::vector<Dim> dims(static_cast<std::size_t>(rank));
  for (int axis = 0; axis < rank; ++axis) {
    const Dim& in_a = from_last(a, axis);
    const Dim& in_b = from_last(b, axis);
    if (in_a != in_b && in_a != kOne && in_b != kOne) {
      fail(ErrorCode::broadcast_mismatch, "shapes " + a.to_string() + " and " + b.to_string(),
           "equal sizes, or 1, on each axis counted from the last", "reshape one of them, or insert an axis of size 1");
    }
    dims[static_cast<std::size_t>(rank - 1 - axis)] = in_a == kOne ? in_b : in_a;
  }
  return Shape(std::move(dims));
}

bool can_broadcast_to(const Shape& from, const Shape& to) {
  if (from.rank() > to.rank()) return false;
  for (int axis = 0; axis < from.rank(); ++axis) {
    const Dim& size = from_last(from, axis);
    if (size != kOne && size != from_last(to, axis)) return false;
  }
  return true;
}

int normalize_axis(std::int64_t axis, int rank) {
  if (axis < -rank || axis >= rank) {
    fail(ErrorCode::bad_index, "axis " + std::to_string(axis) + " of a tensor of rank " + std::to_string(rank),
         rank == 0 ? "a tensor of rank at least 1"
                   : "an axis from " + std::to_string(-rank) + " to " + std::to_string(rank - 1));
  }
  return static_cast<int>(axis < 0 ? axis + rank : axis);
}

std::vector<int> normalize_axes(const std::vector<std::int64_t>& axes, int rank) {
  std::vector<int> result;
  result.reserve(axes.size());
  for (const std::int64_t axis : axes) result.push_back(normalize_axis(axis, rank));
  std::sort(result.begin(), result.end());
  const auto repeat = std::adjacent_find(result.begin(), result.end());
  if (repeat != result.end()) {
    fail(ErrorCode::bad_index, "axis " + std::to_string(*repeat) + " twice in a list of axes", "each axis once",
         "name it once; counted from the end, axis " + std::to_string(*repeat - rank) + " is the same");
  }
  return result;
}

}  // namespace asg
