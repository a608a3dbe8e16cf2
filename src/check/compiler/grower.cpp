#include "check/compiler/grower.h"

#include <algorithm>
#include <cmath>

#include "asg/compile/executable.h"
#include "asg/graph/walk.h"

namespace asg {
namespace {

constexpr std::int64_t kMostOfLarge = 12000;  // elements
constexpr double kLargeMagnitude = 16;        // what is larger is scaled before it is used again

// Lengths around the widths of vectors (4, 8, 16), of tiles of products and of rows, and odd ones.
const std::vector<std::int64_t> kShortLengths = {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17};
const std::vector<std::int64_t> kMiddleLengths = {23, 31, 32, 33, 48, 49, 64, 65};
const std::vector<std::int64_t> kLongLengths = {96, 100, 127, 128, 129, 255, 256, 257, 300, 513, 1000, 4097};

}  // namespace

CaseGrower::CaseGrower(std::uint64_t seed, std::uint64_t number) : dice_(seed, combine(StreamKey{11}, number)) {
  const int kind = dice_.pick(20);
  dtype_ = kind < 12 ? DType::f32 : kind < 16 ? DType::f64 : kind < 18 ? DType::bf16 : DType::f16;
  for (int k = 0; k < 3; ++k) lengths_.push_back(dice_.any_of(kShortLengths));
  const int size = dice_.pick(12);
  if (size < 4) lengths_.push_back(dice_.any_of(kMiddleLengths));
  if (size < 2) {
    lengths_.push_back(dice_.any_of(kLongLengths));
    most_elements_ = kMostOfLarge;
  }
  if (size == 11 && dice_.one_in(2)) lengths_.push_back(0);
}

GraphCase CaseGrower::grow() {
  const int inputs = 1 + dice_.pick(3);
  const bool images = dice_.one_in(4);
  for (int k = 0; k < inputs; ++k) {
    const int rank = images && k == 0 ? 3 + dice_.pick(2) : 1 + dice_.pick(3);
    const Sizes sizes = random_sizes(rank);
    // What a step may change is looked at and cut up like everything else.
    const bool changes = k > 0 && dice_.one_in(4);
    keep(changes ? new_parameter(sizes, dice_.numbers(sizes, -1, 1).cast(dtype_)) : float_input(sizes), 1);
  }
  if (is_large() && dice_.one_in(2)) share_cheap(large_input());
  const int steps = 3 + dice_.pick(8);
  const int hub_at = dice_.pick(3);
  for (int k = 0; k < steps; ++k) {
    step();
    if (k == hub_at) choose_hub();
  }
  update_variables();
  set_outputs();
  return std::move(made_);
}

void CaseGrower::step() {
  using Step = void (CaseGrower::*)();
  static const std::vector<std::pair<Step, int>> steps = {{&CaseGrower::unary, 5},
                                                          {&CaseGrower::binary, 6},
                                                          {&CaseGrower::choose, 2},
                                                          {&CaseGrower::round_trip, 1},
                                                          {&CaseGrower::integers, 1},
                                                          {&CaseGrower::drop_out, 1},
                                                          {&CaseGrower::share_first, 2},
                                                          {&CaseGrower::reduce, 3},
                                                          {&CaseGrower::reduce_and_use, 4},
                                                          {&CaseGrower::normalise, 4},
                                                          {&CaseGrower::normalise_channels, 2},
                                                          {&CaseGrower::soften, 2},
                                                          {&CaseGrower::cumulate, 1},
                                                          {&CaseGrower::order, 1},
                                                          {&CaseGrower::view, 5},
                                                          {&CaseGrower::join, 2},
                                                          {&CaseGrower::look_up, 2},
                                                          {&CaseGrower::write_into, 2},
                                                          {&CaseGrower::multiply, 5},
                                                          {&CaseGrower::work_between_calls, 2},
                                                          {&CaseGrower::convolve, 2},
                                                          {&CaseGrower::pool_windows, 2},
                                                          {&CaseGrower::attend, 1}};
  int total = 0;
  for (const auto& [step, weight] : steps) total += weight;
  int at = dice_.pick(total);
  for (const auto& [step, weight] : steps) {
    if (at < weight) return (this->*step)();
    at -= weight;
  }
}

void CaseGrower::choose_hub() { hub_ = dice_.one_in(2) ? pool_.size() - 1 : dice_.below(pool_.size()); }

// ---- Values

Sizes CaseGrower::random_sizes(int rank) {
  Sizes sizes;
  for (int axis = 0; axis < rank; ++axis) {
    const bool is_square = axis > 0 && dice_.one_in(4);
    sizes.push_back(is_square ? sizes.back() : length());
  }
  for (std::size_t axis = 0; !is_small_enough(sizes); axis = (axis + 1) % sizes.size()) {
    sizes[axis] = std::max<std::int64_t>(1, sizes[axis] / 2);
  }
  return sizes;
}

Tensor CaseGrower::new_input(DType dtype, const Sizes& sizes, const Array& numbers) {
  const std::string name = "x" + std::to_string(next_name_++);
  made_.values[name] = numbers.cast(dtype);
  return graph().input(name, {dtype, Shape::of(sizes)});
}

Tensor CaseGrower::float_input(const Sizes& sizes) { return new_input(dtype_, sizes, dice_.numbers(sizes, -1, 1)); }

// So large that computing it again may be better than keeping it.
Tensor CaseGrower::large_input() {
  constexpr std::int64_t kElements = 4096;
  const std::int64_t columns = length();
  return float_input({kElements / std::max<std::int64_t>(columns, 1) + 1, columns});
}

Tensor CaseGrower::integer_input(DType dtype, const Sizes& sizes, std::int64_t first, std::int64_t last) {
  Array numbers(DType::i64, sizes);
  for (std::int64_t& number : numbers.mutable_data<std::int64_t>()) number = dice_.from_to(first, last);
  if (dice_.one_in(2)) return graph().constant(numbers.cast(dtype));
  return new_input(dtype, sizes, numbers);
}

Tensor CaseGrower::boolean_input(const Sizes& sizes) { return integer_input(DType::boolean, sizes, 0, 1); }

Tensor CaseGrower::weight(const Sizes& sizes, double reach) {
  const Array numbers = dice_.numbers(sizes, -reach, reach).cast(dtype_);
  switch (dice_.pick(4)) {
    case 0:
      return graph().constant(numbers);
    case 1:
      return new_input(dtype_, sizes, numbers);
    default:
      return new_parameter(sizes, numbers);
  }
}

Tensor CaseGrower::new_parameter(const Sizes& sizes, const Array& numbers) {
  const std::string name = "v" + std::to_string(next_name_++);
  made_.values[name] = numbers;
  const Tensor read = graph().parameter(name, {dtype_, Shape::of(sizes)}, Initializer::zeros());
  variables_.push_back(graph().find_variable(name));
  return read;
}

const CaseGrower::Entry& CaseGrower::pick_entry() {
  const int how = dice_.pick(10);
  if (how < 4) return pool_[hub_];
  if (how < 7) return pool_.back();
  return pool_[dice_.below(pool_.size())];
}

Tensor CaseGrower::moderate(const Entry& entry) {
  const Tensor value = graph().tensor(entry.value);
  if (entry.magnitude <= kLargeMagnitude) return value;
  return value * (1 / entry.magnitude);
}

Tensor CaseGrower::pick_of_rank(int least, int most) {
  const auto fits = [&](const Entry& entry) {
    const int rank = graph().type(entry.value).shape.rank();
    return rank >= least && rank <= most;
  };
  const Entry first = pick_entry();
  if (fits(first)) return moderate(first);
  std::vector<Entry> fitting;
  std::copy_if(pool_.begin(), pool_.end(), std::back_inserter(fitting), fits);
  return fitting.empty() ? Tensor() : moderate(dice_.any_of(fitting));
}

Tensor CaseGrower::partner(const Tensor& x) {
  const Sizes sizes = x.shape().sizes();
  std::vector<Entry> fitting;
  for (const Entry& entry : pool_) {
    const Shape& shape = graph().type(entry.value).shape;
    if (can_broadcast_to(shape, x.shape())) fitting.push_back(entry);
  }
  if (!fitting.empty() && !dice_.one_in(4)) return moderate(dice_.any_of(fitting));
  // A row, a column, or any other part of the axes.
  Sizes part = sizes;
  for (std::int64_t& size : part) size = dice_.one_in(2) ? 1 : size;
  const int left_out = dice_.pick(static_cast<int>(part.size()) + 1);
  if (dice_.one_in(2)) part.erase(part.begin(), part.begin() + left_out);
  return weight(part, 1);
}

void CaseGrower::keep(const Tensor& value, double magnitude) {
  if (value.dtype() != dtype_ || !value.shape().is_known()) {
    others_.push_back(value);
  } else {
    pool_.push_back({value.value(), magnitude});
  }
}

double CaseGrower::magnitude_of(const Tensor& value) const {
  for (const Entry& entry : pool_) {
    if (entry.value == value.value()) return std::min(entry.magnitude, kLargeMagnitude);
  }
  return 1;  // a weight, or one that was scaled
}

std::vector<std::int64_t> CaseGrower::random_axes(int rank) {
  const int how = dice_.pick(4);
  std::vector<std::int64_t> axes;
  if (rank == 0) return axes;
  const auto count = static_cast<std::int64_t>(1 + dice_.pick(rank));
  if (how == 0) {  // leading ones
    for (std::int64_t axis = 0; axis < count; ++axis) axes.push_back(axis);
  } else if (how == 1) {  // trailing ones
    for (std::int64_t axis = rank - count; axis < rank; ++axis) axes.push_back(axis);
  } else {
    for (std::int64_t axis = 0; axis < rank; ++axis) {
      if (dice_.one_in(2)) axes.push_back(axis);
    }
    if (axes.empty()) axes.push_back(dice_.from_to(0, rank - 1));
  }
  return axes;
}

// ---- The end

// A part of what one kernel computes.
Tensor CaseGrower::first_of_two(const Tensor& x) {
  const Sizes sizes = x.shape().sizes();
  Sizes factors(sizes.size() + 1, 1);
  factors[0] = 2;
  const Tensor both = x * weight(factors, 1);
  return reshape(slice(both, Ints{0}, Ints{1}, Ints{0}), sizes);
}

// New values of variables: a part of the old one and of something else of its shape, or rows written into it. Sometimes
// a second variable takes the same value, or both take the old value of the other.
void CaseGrower::update_variables() {
  const std::vector<VarId> all = variables_;
  for (const VarId id : all) {
    if (!dice_.one_in(2)) continue;
    const Tensor old = graph().read(id);
    const Sizes sizes = old.shape().sizes();
    Tensor moved = old * 0.75;
    for (const Entry& entry : pool_) {
      if (!can_broadcast_to(graph().type(entry.value).shape, old.shape()) || dice_.one_in(3)) continue;
      moved = moved + moderate(entry) * 0.25;
      break;
    }
    if (!sizes.empty() && sizes[0] > 0 && dice_.one_in(3)) {
      const std::int64_t row = dice_.from_to(0, sizes[0] - 1);
      Sizes part = sizes;
      part[0] = 1;
      const Tensor rows = graph().constant(Array::of<std::int64_t>({1, 1}, {row}));
      const Tensor written = slice(moved, Ints{row}, Ints{row + 1}, Ints{0});
      moved = scatter_nd(dice_.one_in(2) ? old : moved, rows, written);
    }
    if (dice_.one_in(6)) moved = first_of_two(moved);
    if (dice_.one_in(4)) {
      // The new value is read in the same step as well.
      const Tensor length = reduce_sum(abs(moved), {}, {.keepdims = false});
      graph().set_output("size_of_" + graph().variable(id).name, length);
    }
    if (dice_.one_in(4)) {
      const Tensor twin = new_parameter(sizes, dice_.numbers(sizes, -1, 1).cast(dtype_));
      const bool exchanged = dice_.one_in(2);
      graph().add_update(variables_.back(), exchanged ? old : moved);
      graph().add_update(id, exchanged ? twin : moved);
    } else {
      graph().add_update(id, moved);
    }
    if (dice_.one_in(3)) graph().set_output("old_" + graph().variable(id).name, old);
  }
  if (!graph().updates().empty() && dice_.one_in(3)) {
    const Tensor value = reduce_max(abs(pick()), {}, {.keepdims = false});
    graph().set_output(std::string(kAllFinite), less(value, scalar(dice_.one_in(4) ? 1e-6 : 1e4)));
  }
}

// What nobody reads, and some of what is read as well.
void CaseGrower::set_outputs() {
  constexpr int kMostOutputs = 6;
  const UseMap uses(graph());
  std::vector<Value> last;
  std::vector<Value> between;
  for (const Entry& entry : pool_) {
    const bool leaf = graph().node(entry.value.node).op->traits.leaf;
    if (uses.uses(graph(), entry.value).empty()) {
      if (!leaf) last.push_back(entry.value);
    } else if (entry.value == pool_[hub_].value ? dice_.one_in(2) : dice_.one_in(leaf ? 20 : 5)) {
      between.push_back(entry.value);
    }
  }
  for (const Tensor& other : others_) last.push_back(other.value());
  std::reverse(last.begin(), last.end());  // the newest first
  last.insert(last.end(), between.begin(), between.end());
  if (last.empty()) last.push_back(pool_.back().value);
  if (last.size() > kMostOutputs) {
    // Those between count too.
    std::rotate(last.begin() + kMostOutputs / 2, last.end() - kMostOutputs / 2, last.end());
    last.resize(kMostOutputs);
  }
  for (std::size_t k = 0; k < last.size(); ++k) graph().set_output("y" + std::to_string(k), graph().tensor(last[k]));
}

}  // namespace asg
