#pragma once

#include <string>
#include <vector>

#include "asg/graph/card.h"

namespace asg {

// How one sample of an op fared against central differences.
struct GradientCheck {
  std::string op;
  std::string sample;
  int order = 1;
  double max_error = 0;  // max |analytic − numeric| / max(1, max |numeric|), the worst tensor
  double largest = 0;    // max |numeric| over all tensors
  double bound = 0;
  bool passed = false;
  std::string detail;  // where it failed, in words
};

// A sample whose gradients are all smaller proves nothing and fails.
inline constexpr double kLeastGradient = 0.1;

// Whether the op has gradients that can be checked: a rule or a body, and inputs or parameters to differentiate by.
bool has_checkable_gradient(const OpCard& op);

// Checks a sample in f64 by all its differentiable inputs and parameters. Order 1 compares the gradient of a weighted
// sum of the outputs with differences of that sum; order 2 does the same to a weighted sum of the gradients.
GradientCheck check_gradient(const OpCard& op, const Sample& sample, int order);

// All gradient samples of an op.
std::vector<GradientCheck> check_gradients(const OpCard& op, int order);

}  // namespace asg
