#pragma once

#include <algorithm>

namespace asg::train {

// Time that work beside the training may take: a share of the training's own time, saved up to a limit. One piece of
// work may take more than is left; the debt is paid back before the next one begins.
class TimeBudget {
 public:
  TimeBudget(double share, double most_saved) : share_(share), most_saved_(most_saved), saved_(most_saved) {}

  void earn(double seconds) { saved_ = std::min(most_saved_, saved_ + share_ * seconds); }
  void spend(double seconds) { saved_ -= seconds; }
  bool is_left() const { return saved_ > 0; }
  void set_share(double share) { share_ = share; }

 private:
  double share_;
  double most_saved_;
  double saved_;
};

}  // namespace asg::train
