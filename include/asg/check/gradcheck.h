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
  double bound = 0;      // as the card says, see GradientBounds
  bool passed = false;
  std::string detail;  // where it failed, in words
};

// A sample whose first-order gradients are all smaller proves nothing and fails.
inline constexpr double kLeastGradient = 0.1;

// Checks a sample in f64 by all its differentiable inputs and parameters. Order 1 compares the gradient of a weighted
// sum of the outputs with differences of that sum; order 2 does the same to a weighted sum of the gradients.
GradientCheck check_gradient(const OpCard& op, const Sample& sample, int order);

// All gradient samples of an op.
struct OpGradientReport {
  std::string name;
  int order = 1;
  int samples = 0;
  double max_error = 0;
  double bound = 0;
  bool passed = false;
  std::vector<GradientCheck> failures;
};
OpGradientReport check_gradients(const OpCard& op, int order);

// Why an op has no gradient of this order that could be checked, in words; "" where it has one.
std::string why_not_checked(const OpCard& op, int order);

// The products of a sample's Jacobian J with vectors u and v: ⟨u, Jv⟩ = ⟨Jᵀu, v⟩, and Jv against a central difference
// along v.
struct ProductCheck {
  double adjoint_error = 0;     // |⟨u, Jv⟩ − ⟨Jᵀu, v⟩| / max(1, Σ|u · Jv|)
  double difference_error = 0;  // max |Jv − numeric| / max(1, max |numeric|)
  bool passed = false;
  std::string detail;
};
inline constexpr double kAdjointBound = 1e-11;
ProductCheck check_products(const OpCard& op, const Sample& sample);

}  // namespace asg
