#pragma once

#include <span>
#include <string>
#include <vector>

#include "asg/compile/bounded.h"
#include "backend/cpu/bound_program.h"

namespace asg::cpu {

// Between a caller with arrays of any length and a program that computes at the bounds: puts inputs into memory of that
// size, tells the lengths, and cuts results out.
class BoundedRun {
 public:
  // `given`: the graph that was held at its bounds.
  BoundedRun(const Graph& given, BoundedGraph held);

  const Graph& graph() const { return graph_; }
  std::vector<InputType> input_types() const;  // of the graph, those for lengths included

  // Whether these are inputs of one of the lengths for which the program is made.
  bool fits(std::span<const InputType> inputs) const;
  bool fits(std::span<const Array> inputs) const;

  // What the program reads, for inputs that fit.
  std::span<const Array> stage(std::span<const Array> inputs);
  // What it writes: arrays of the caller where a result has no bounded axis.
  std::span<Array> results(std::span<const Array> outputs);
  void deliver(std::span<Array> outputs);

 private:
  struct Input {
    DType dtype = DType::f32;
    Sizes stored = {};
    std::vector<int> symbols = {};  // of each axis; -1: its length is fixed
    Array memory = {};              // where it is not given at the bounds
  };
  struct Output {
    bool is_ragged = false;
    StoredShape shape = {};
    Sizes digits = {};  // stored lengths of all digits
    Array memory = {};
  };

  int symbol_number(const std::string& name);
  template <typename Given>
  bool read_lengths(std::span<const Given> inputs) const;
  void tell_lengths();
  std::int64_t value_of(const Dim& length) const;

  Graph graph_;
  std::vector<std::string> symbols_;
  std::vector<Dim> lengths_;
  std::vector<Input> inputs_;
  std::vector<Output> outputs_;
  mutable std::vector<std::int64_t> values_;  // of the symbols, as last read
  std::vector<std::int64_t> told_;
  std::vector<Array> staged_;
  std::vector<Array> results_;
};

}  // namespace asg::cpu
