#include "asg/train/accumulation.h"

#include "train/gather.h"

namespace asg::train {

Accumulation::Accumulation(const StepGraph& step, Backend& backend, Executable& training, const CompileOptions& options)
    : count_(step.updates.state.at({VarId{}, kMicroBatches})), micro_batches_(step.micro_batches), training_(training) {
  internal_check(step.apply.has_value(), "a step with micro-batches");
  apply_ = backend.compile(*step.apply, options);
  shares_variables_ = apply_->share_variables(training);
  outputs_.resize(apply_->graph().outputs().size());
}

std::int64_t Accumulation::gathered() const { return training_.read(count_).get_i64(0); }

bool Accumulation::advance() { return gathered() >= micro_batches_ && flush(); }

bool Accumulation::flush() {
  if (gathered() == 0) return false;
  if (!shares_variables_) {
    for (const VarId id : apply_->graph().variable_ids()) apply_->write(id, training_.read(id));
  }
  apply_->run_into({}, outputs_);
  if (!shares_variables_) {
    for (const Update& update : apply_->graph().updates()) {
      training_.write(update.variable, apply_->read(update.variable));
    }
  }
  return true;
}

}  // namespace asg::train
