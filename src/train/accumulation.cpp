#include "asg/train/accumulation.h"

#include "train/gather.h"

namespace asg::train {

Accumulation::Accumulation(const StepGraph& step, Backend& backend, Executable& training, const CompileOptions& options)
    : count_(step.updates.state.at({VarId{}, kMicroBatches})),
      micro_batches_(step.micro_batches),
      training_(training),
      apply_(backend.compile(step.apply.value(), options), training) {
  outputs_.resize(apply_->graph().outputs().size());
}

std::int64_t Accumulation::gathered() const { return training_.read(count_).get_i64(0); }

bool Accumulation::advance() { return gathered() >= micro_batches_ && flush(); }

bool Accumulation::flush() {
  if (gathered() == 0) return false;
  apply_.bring();
  apply_->run_into({}, outputs_);
  apply_.give_back();
  return true;
}

}  // namespace asg::train
