#include <algorithm>

#include "check/compiler/grower.h"

namespace asg {

// Neighbouring axes joined, or an axis parted.
Tensor CaseGrower::reshaped(const Tensor& x) {
  Sizes sizes = x.shape().sizes();
  if (sizes.size() >= 2 && dice_.one_in(2)) {
    const std::size_t axis = dice_.below(sizes.size() - 1);
    sizes[axis] *= sizes[axis + 1];
    sizes.erase(sizes.begin() + static_cast<std::ptrdiff_t>(axis) + 1);
    return reshape(x, sizes);
  }
  for (std::size_t axis = 0; axis < sizes.size(); ++axis) {
    for (const std::int64_t factor : {2, 3, 5}) {
      if (sizes[axis] <= factor || sizes[axis] % factor != 0 || sizes.size() >= 4) continue;
      sizes[axis] /= factor;
      sizes.insert(sizes.begin() + static_cast<std::ptrdiff_t>(axis) + 1, factor);
      return reshape(x, sizes);
    }
  }
  return reshape(x, Ints{-1});
}

Tensor CaseGrower::sliced(const Tensor& x) {
  const int axis = random_axis(x);
  const std::int64_t size = x.shape().sizes()[static_cast<std::size_t>(axis)];
  if (size == 0) return x;
  const std::int64_t start = dice_.from_to(0, size - 1);
  const std::int64_t end = dice_.from_to(start + 1, size);
  const std::int64_t step = dice_.one_in(4) ? 2 : 1;
  if (dice_.one_in(5)) return slice(x, Ints{end - 1}, Ints{start - size - 1}, Ints{axis}, Ints{-step});  // backwards
  return slice(x, Ints{start}, Ints{end}, Ints{axis}, Ints{step});
}

void CaseGrower::view() {
  const Tensor x = pick_of_rank(1, 4);
  if (!x.valid()) return;
  const Sizes sizes = x.shape().sizes();
  const double m = magnitude_of(x);
  const bool empty = element_count(sizes) == 0;
  const int axis = random_axis(x);
  const std::int64_t size = sizes[static_cast<std::size_t>(axis)];
  switch (dice_.pick(9)) {
    case 0:
    case 1:
      return empty ? void() : keep(reshaped(x), m);
    case 2:
    case 3: {
      std::vector<std::int64_t> perm;
      for (std::int64_t each = 0; each < x.rank(); ++each) perm.push_back(each);
      for (std::size_t left = perm.size(); left > 1; --left) std::swap(perm[left - 1], perm[dice_.below(left)]);
      return keep(transpose(x, {.perm = perm}), m);
    }
    case 4:
      return keep(sliced(x), m);
    case 5: {
      if (size < 2) return;
      const std::int64_t first = dice_.from_to(1, size - 1);
      const std::vector<Tensor> parts = split(x, Ints{first, size - first}, {.axis = axis});
      keep(parts[0], m);
      return keep(parts[1], m);
    }
    case 6: {
      Sizes wider = sizes;
      wider.insert(wider.begin(), std::int64_t{1 + dice_.pick(3)});
      for (std::size_t each = 0; each < sizes.size(); ++each) {
        if (sizes[each] == 1 && dice_.one_in(2)) wider[each + 1] = length();
      }
      if (wider.size() > 4 || !is_small_enough(wider)) return;
      return keep(expand(x, wider), m);
    }
    case 7: {
      std::vector<std::int64_t> pads(static_cast<std::size_t>(2 * x.rank()), 0);
      pads[static_cast<std::size_t>(axis)] = dice_.from_to(0, 2);
      pads[static_cast<std::size_t>(axis + x.rank())] = dice_.from_to(0, 2);
      const bool can_reflect = size > 2 && !empty;
      const std::string mode = !can_reflect || dice_.one_in(2) ? "constant" : dice_.one_in(2) ? "reflect" : "edge";
      return keep(pad(x, pads, {}, {}, {.mode = mode}), m);
    }
    default:
      return x.rank() < 4 ? keep(unsqueeze(x, Ints{axis}), m) : keep(flatten(x), m);
  }
}

// Values of the same sizes, side by side.
void CaseGrower::join() {
  const Tensor x = pick_of_rank(1, 4);
  if (!x.valid()) return;
  std::vector<Tensor> parts = {x};
  double magnitude = magnitude_of(x);
  for (const Entry& entry : pool_) {
    if (parts.size() >= 4 || graph().type(entry.value).shape != x.shape() || dice_.one_in(3)) continue;
    parts.push_back(moderate(entry));
    magnitude = std::max(magnitude, entry.magnitude);
  }
  if (parts.size() == 1) parts.push_back(weight(x.shape().sizes(), 1));
  Sizes sizes = x.shape().sizes();
  const int axis = random_axis(x);
  sizes[static_cast<std::size_t>(axis)] *= static_cast<std::int64_t>(parts.size());
  if (!is_small_enough(sizes)) return;
  if (x.rank() < 4 && dice_.one_in(4)) return keep(stack(parts, {.axis = axis}), magnitude);
  if (dice_.one_in(6)) return keep(tile(x, Sizes(sizes.size(), 2)), magnitude);
  keep(concat(parts, axis), magnitude);
}

void CaseGrower::look_up() {
  const Tensor x = pick_of_rank(1, 3);
  if (!x.valid()) return;
  const int axis = random_axis(x);
  Sizes sizes = x.shape().sizes();
  const std::int64_t size = sizes[static_cast<std::size_t>(axis)];
  if (size == 0) return;
  const DType kind = dice_.one_in(2) ? DType::i64 : DType::i32;
  const double m = magnitude_of(x);
  switch (dice_.pick(3)) {
    case 0: {
      // A few places, or as many as there are: then the result is as large as what it looks up.
      const std::int64_t count = dice_.one_in(3) ? size : dice_.from_to(1, 6);
      const Tensor indices = integer_input(kind, {count}, -size, size - 1);
      return keep(gather(x, indices, {.axis = axis}), m);
    }
    case 1: {
      Sizes picked = sizes;
      picked[static_cast<std::size_t>(axis)] = dice_.from_to(1, 4);
      const Tensor indices = integer_input(kind, picked, 0, size - 1);
      return keep(gather_elements(x, indices, {.axis = axis}), m);
    }
    default: {
      // Rows of a table by many indices, as an embedding has them.
      if (sizes[0] == 0 || x.rank() > 2) return;
      const Tensor indices = integer_input(kind, {dice_.from_to(1, 4), dice_.from_to(1, 4)}, 0, sizes[0] - 1);
      return keep(gather(x, indices), m);
    }
  }
}

void CaseGrower::write_into() {
  const Tensor x = pick_of_rank(1, 3);
  if (!x.valid()) return;
  Sizes sizes = x.shape().sizes();
  if (sizes[0] < 2 || element_count(sizes) == 0) return;
  const double m = magnitude_of(x);
  if (dice_.one_in(2)) {
    // Rows in an order of their own; where they meet, they are added.
    const std::int64_t rows = dice_.from_to(1, 3);
    const bool adds = rows > 1 || dice_.one_in(2);
    const Tensor indices = integer_input(DType::i64, {rows, 1}, 0, sizes[0] - 1);
    Sizes part = sizes;
    part[0] = rows;
    const Tensor updates = tanh(partner(graph().constant(dice_.numbers(part, -1, 1).cast(dtype_))));
    return keep(scatter_nd(x, indices, expand(updates, part), {.reduction = adds ? "add" : "none"}), m + 3);
  }
  const int axis = random_axis(x);
  Sizes part = sizes;
  part[static_cast<std::size_t>(axis)] = 2;
  if (sizes[static_cast<std::size_t>(axis)] < 2) return;
  const Tensor indices = integer_input(DType::i64, part, 0, sizes[static_cast<std::size_t>(axis)] - 1);
  keep(scatter_elements(x, indices, weight(part, 1), {.axis = axis, .reduction = "add"}), m + 2);
}

}  // namespace asg
