#pragma once

#include <memory>

#include "asg/backend/backend.h"
#include "asg/train/accumulation.h"
#include "asg/train/step_graph.h"

namespace asg::test {

// A step that runs, from variables as a training begins with them.
class SmallTraining {
 public:
  // "interp" or "cpu".
  SmallTraining(const Graph& model, const optim::Optimizer& optimizer, const std::string& backend = "interp");

  // Whether it was committed; whether it made an update is told by `updated`.
  bool step(const NamedArrays& batch);
  bool updated() const { return updated_; }
  bool flush() { return accumulation_->flush(); }
  const NamedArrays& outputs() const { return outputs_; }
  double loss() const { return outputs_.at("loss").get(0); }

  const train::StepGraph& graph() const { return step_; }
  void set_learning_rate(double rate);
  void write(const std::string& variable, const Array& value) { executable_->write(find(variable), value); }
  Array read(const std::string& variable) const { return executable_->read(find(variable)); }
  Array read(VarId variable) const { return executable_->read(variable); }

 private:
  VarId find(const std::string& variable) const;

  std::unique_ptr<Backend> backend_;
  train::StepGraph step_;
  std::unique_ptr<Executable> executable_;
  std::unique_ptr<train::Accumulation> accumulation_;
  NamedArrays outputs_;
  bool updated_ = false;
};

// y = tanh(x · first.weight + first.bias) · second.weight + second.bias in f64; loss: the mean of (y − target)².
// Inputs: x f64[batch, 3], y f64[batch, 2].
Graph small_model();
// Values between −1 and 1.
Array wave(const Sizes& sizes, int phase);

}  // namespace asg::test
