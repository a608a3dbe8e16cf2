#pragma once

#include <memory>

#include "asg/compile/executable.h"

namespace asg::train {

// An executable beside that of a training, on the same variables: shared where the device can, else copied to and fro.
class Companion {
 public:
  // `training` must outlive this.
  Companion(std::unique_ptr<Executable> own, Executable& training);

  Executable& operator*() const { return *own_; }
  Executable* operator->() const { return own_.get(); }
  // From now on it has the values that the training has now.
  void bring() const;
  // The training has what the updates of this one wrote.
  void give_back() const;

 private:
  std::unique_ptr<Executable> own_;
  Executable* training_;
  bool shares_;
};

}  // namespace asg::train
