#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "asg/check/random_graph.h"
#include "asg/ops/ops.h"
#include "check/dice.h"

namespace asg {

// Grows one random graph for the comparison of backends. Steps append ops by the public builders; a step that finds
// nothing to work on does nothing.
//
// Well-conditioned by construction: inputs are in [-1, 1]; the grower keeps an estimate of how large each value is and
// scales what became large before it is used again; divisors, logarithms and roots stay away from 0. So what two
// backends compute differs by rounding, and rounding stays small.
class CaseGrower {
 public:
  CaseGrower(std::uint64_t seed, std::uint64_t number);
  GraphCase grow();

 private:
  static constexpr std::int64_t kMostElements = 600;

  struct Entry {
    Value value;
    double magnitude = 1;  // estimate of the largest element
  };

  // ---- Values (grower.cpp)
  Graph& graph() { return made_.graph; }
  std::int64_t length() { return dice_.any_of(lengths_); }
  Sizes random_sizes(int rank);
  Tensor new_input(DType dtype, const Sizes& sizes, const Array& numbers);
  Tensor float_input(const Sizes& sizes);
  Tensor large_input();
  Tensor integer_input(DType dtype, const Sizes& sizes, std::int64_t first, std::int64_t last);
  Tensor boolean_input(const Sizes& sizes);
  // A weight: an input, a constant or a parameter.
  Tensor weight(const Sizes& sizes, double reach);
  Tensor new_parameter(const Sizes& sizes, const Array& numbers);
  // A float value to read: often the hub or the newest one. Scaled if it has become large.
  Tensor pick() { return moderate(pick_entry()); }
  const Entry& pick_entry();
  Tensor moderate(const Entry& entry);
  // One of the given rank; none where there is none.
  Tensor pick_of_rank(int least, int most);
  // One that broadcasts with `x`: another value of this shape, of a part of its axes, or a new weight.
  Tensor partner(const Tensor& x);
  Tensor scalar(double number) { return graph().scalar(dtype_, number); }
  void keep(const Tensor& value, double magnitude);
  double magnitude_of(const Tensor& value) const;
  bool is_large() const { return most_elements_ > kMostElements; }
  bool is_small_enough(const Sizes& sizes) const { return element_count(sizes) <= most_elements_; }
  std::vector<std::int64_t> random_axes(int rank);
  int random_axis(const Tensor& x) { return dice_.pick(x.rank()); }

  // ---- Steps: elementwise (steps_elementwise.cpp)
  void unary();
  void binary();
  void choose();
  void round_trip();  // through another dtype
  void integers();
  void drop_out();
  // What is computed quickly from an input, for a reader that needs it in another way.
  void share_cheap(const Tensor& x);
  void share_first() { share_cheap(graph().tensor(pool_.front().value)); }
  Tensor bent(const Tensor& x, double magnitude);
  Tensor condition(const Tensor& x);

  // ---- Reductions and norms (steps_reduction.cpp)
  void reduce();
  void reduce_and_use();  // beside elementwise users of the same value
  void normalise();
  void normalise_channels();
  void soften();
  void cumulate();
  void order();
  Tensor turned(const Tensor& reduced, const Tensor& x);
  Tensor reduced(const Tensor& x, const std::vector<std::int64_t>& axes, bool keepdims, double& magnitude);

  // ---- Views (steps_view.cpp)
  void view();
  void join();
  void look_up();
  void write_into();
  Tensor reshaped(const Tensor& x);
  Tensor sliced(const Tensor& x);

  // ---- Products and windows (steps_product.cpp)
  void multiply();
  void convolve();
  void pool_windows();
  void attend();
  void work_between_calls();
  Tensor called(const Tensor& x);  // of the same sizes and about as large, by a step that does not fuse
  void read_beside(const Tensor& x);

  // ---- The end (grower.cpp)
  void step();
  void choose_hub();
  void update_variables();
  Tensor first_of_two(const Tensor& x);
  void set_outputs();

  Dice dice_;
  GraphCase made_{Graph("random"), {}};
  DType dtype_ = DType::f32;  // of most floats
  std::vector<std::int64_t> lengths_;
  std::int64_t most_elements_ = kMostElements;
  std::vector<Entry> pool_;       // floats of dtype_
  std::vector<Tensor> others_;    // integers, conditions and floats of other dtypes, for outputs
  std::vector<VarId> variables_;  // that no layer has made
  std::size_t hub_ = 0;           // into pool_: the value with many readers
  int next_name_ = 0;
};

}  // namespace asg
