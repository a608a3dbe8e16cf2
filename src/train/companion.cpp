#include "asg/train/companion.h"

namespace asg::train {

Companion::Companion(std::unique_ptr<Executable> own, Executable& training)
    : own_(std::move(own)), training_(&training), shares_(own_->share_variables(training)) {}

void Companion::bring() const {
  if (shares_) return;
  for (const VarId id : own_->graph().variable_ids()) own_->write(id, training_->read(id));
}

void Companion::give_back() const {
  if (shares_) return;
  for (const Update& update : own_->graph().updates()) training_->write(update.variable, own_->read(update.variable));
}

}  // namespace asg::train
