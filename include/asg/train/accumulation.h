#pragma once

#include <vector>

#include "asg/backend/backend.h"
#include "asg/train/companion.h"
#include "asg/train/step_graph.h"

namespace asg::train {

// Applies what micro-batches have gathered. How many there are is a variable of the step, so that a training can be
// saved, edited and resumed between two of them.
class Accumulation {
 public:
  // `step` has micro-batches; `training` runs its graph and must outlive this.
  Accumulation(const StepGraph& step, Backend& backend, Executable& training, const CompileOptions& options = {});

  void prepare() { apply_->prepare({}); }  // see Executable::prepare

  // After each run of `training` that was committed: makes the update when all micro-batches of it are there, and says
  // whether it did.
  bool advance();
  // Makes the update from those that are there, as at the end of an epoch: their mean counts, however many. False where
  // there are none.
  bool flush();
  std::int64_t gathered() const;

 private:
  VarId count_;  // the variable
  std::int64_t micro_batches_;
  Executable& training_;
  Companion apply_;
  std::vector<Array> outputs_;
};

}  // namespace asg::train
