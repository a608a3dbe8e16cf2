// Rules of arithmetic and logic. Each holds for every float: signs of zeros, infinities and NaN included, and for
// integers that wrap around. So x · 0 and x - x are no zeros, and x + 0 is x only where x is not -0.
#include <array>
#include <cmath>

#include "compile/passes/simplify_site.h"

namespace asg::passes {
namespace {

// Tries both operands of a commutative op: `holds(index)` says whether one may go, then the other one stands for both.
template <class Holds>
Rewritten other_operand(const Site& site, Holds holds) {
  for (const std::size_t index : {std::size_t{1}, std::size_t{0}}) {
    if (holds(index)) return site.broadcast(site.in(1 - index));
  }
  return std::nullopt;
}

bool is_integral(const Site& site) { return !is_float(site.type().dtype); }

// -0 + 0 is 0, so for floats only -0 is neutral, unless the other operand cannot be -0.
Rewritten add_zero(const Site& site) {
  return other_operand(site, [&](std::size_t index) {
    if (is_integral(site)) return site.is_number(index, 0);
    return site.is_number(index, -0.0) || (site.is_number(index, 0.0) && site.is_at_least_zero(1 - index));
  });
}

Rewritten subtract_zero(const Site& site) {
  if (!site.is_number(1, 0.0)) return std::nullopt;
  return site.broadcast(site.in(0));
}

Rewritten multiply_by_one(const Site& site) {
  return other_operand(site, [&](std::size_t index) { return site.is_number(index, 1); });
}

Rewritten multiply_by_minus_one(const Site& site) {
  if (is_unsigned_int(site.type().dtype)) return std::nullopt;
  for (const std::size_t index : {std::size_t{1}, std::size_t{0}}) {
    if (site.is_number(index, -1) && site.type(1 - index) == site.type()) {
      return Site::replace("Neg", {site.in(1 - index)});
    }
  }
  return std::nullopt;
}

Rewritten divide_by_one(const Site& site) {
  if (!site.is_number(1, 1)) return std::nullopt;
  return site.broadcast(site.in(0));
}

// Both are the rounded value of the same real number where the reciprocal is exact.
Rewritten divide_by_power_of_two(const Site& site) {
  if (is_integral(site) || site.type(0) != site.type()) return std::nullopt;
  const auto divisor = site.uniform(1);
  if (!divisor) return std::nullopt;
  int exponent = 0;
  const double number = divisor->get(0);
  if (!std::isfinite(number) || std::fabs(std::frexp(number, &exponent)) != 0.5) return std::nullopt;
  const double reciprocal = 1 / number;
  // Within the range of the narrowest exponent among the floats; a subnormal factor would be flushed by some devices.
  constexpr int kMostExponent = 13;
  if (exponent < -kMostExponent || exponent > kMostExponent) return std::nullopt;
  return site.replace("Mul", {site.in(0), site.constant(Array::scalar(divisor->dtype(), reciprocal))});
}

Rewritten power_one(const Site& site) {
  if (!site.is_number(1, 1)) return std::nullopt;
  return site.broadcast(site.in(0));
}

// Integers to a float power are computed as floats and saturate; products wrap.
bool is_power_of_its_kind(const Site& site) { return is_float(site.type(0).dtype) || is_integer(site.type(1).dtype); }

Rewritten power_two(const Site& site) {
  if (!site.is_number(1, 2) || !is_power_of_its_kind(site)) return std::nullopt;
  return Site::replace("Mul", {site.in(0), site.in(0)});
}

Rewritten power_minus_one(const Site& site) {
  if (!site.is_number(1, -1) || is_integral(site)) return std::nullopt;
  return Site::replace("Reciprocal", {site.in(0)});
}

// The power of -0 is 0 and that of minus infinity infinite; the roots are -0 and NaN.
Rewritten power_half(const Site& site) {
  if (is_integral(site) || !site.is_number(1, 0.5) || !site.is_at_least_zero(0)) return std::nullopt;
  return Site::replace("Sqrt", {site.in(0)});
}

Rewritten twice(const Site& site) {
  const Node* inner = site.made_by(0, site.node.op->name);
  return inner != nullptr ? Site::forward(inner->inputs[0]) : std::nullopt;
}

Rewritten once_is_enough(const Site& site) {
  return site.made_by(0, site.node.op->name) != nullptr ? Site::forward(site.in(0)) : std::nullopt;
}

Rewritten absolute_of_negative(const Site& site) {
  const Node* negative = site.made_by(0, "Neg");
  return negative != nullptr ? site.replace_inputs({negative->inputs[0]}) : std::nullopt;
}

Rewritten add_negative(const Site& site) {
  for (const std::size_t index : {std::size_t{1}, std::size_t{0}}) {
    const Node* negative = site.made_by(index, "Neg");
    if (negative != nullptr) return Site::replace("Sub", {site.in(1 - index), negative->inputs[0]});
  }
  return std::nullopt;
}

Rewritten subtract_negative(const Site& site) {
  const Node* negative = site.made_by(1, "Neg");
  return negative != nullptr ? Site::replace("Add", {site.in(0), negative->inputs[0]}) : std::nullopt;
}

Rewritten of_one_input(const Site& site) {
  return site.node.inputs.size() == 1 ? Site::forward(site.in(0)) : std::nullopt;
}

Rewritten clip_without_bounds(const Site& site) {
  return !site.has(1) && !site.has(2) ? Site::forward(site.in(0)) : std::nullopt;
}

Rewritten and_true(const Site& site) {
  return other_operand(site, [&](std::size_t index) { return site.is_number(index, 1); });
}

Rewritten or_false(const Site& site) {
  return other_operand(site, [&](std::size_t index) { return site.is_number(index, 0); });
}

}  // namespace

std::span<const Rule> arithmetic_rules() {
  static const std::array kRules = {
      Rule{"add_zero", "x + 0 is x", {"Add"}, add_zero},
      Rule{"subtract_zero", "x - 0 is x", {"Sub"}, subtract_zero},
      Rule{"multiply_by_one", "x · 1 is x", {"Mul"}, multiply_by_one},
      Rule{"multiply_by_minus_one", "x · -1 is -x", {"Mul"}, multiply_by_minus_one},
      Rule{"divide_by_one", "x / 1 is x", {"Div"}, divide_by_one},
      Rule{"divide_by_power_of_two", "x / 4 is x · 0.25", {"Div"}, divide_by_power_of_two},
      Rule{"power_one", "x^1 is x", {"Pow"}, power_one},
      Rule{"power_two", "x^2 is x · x", {"Pow"}, power_two},
      Rule{"power_minus_one", "x^-1 is 1 / x", {"Pow"}, power_minus_one},
      Rule{"power_half", "x^0.5 is the root of x", {"Pow"}, power_half},
      Rule{"twice", "-(-x) is x", {"Neg", "Not", "BitwiseNot"}, twice},
      Rule{"once_is_enough", "|(|x|)| is |x|", {"Abs", "Relu", "Floor", "Ceil", "Round", "Sign"}, once_is_enough},
      Rule{"absolute_of_negative", "|-x| is |x|", {"Abs"}, absolute_of_negative},
      Rule{"add_negative", "x + (-y) is x - y", {"Add"}, add_negative},
      Rule{"subtract_negative", "x - (-y) is x + y", {"Sub"}, subtract_negative},
      Rule{"of_one_input", "the sum of one is that one", {"Sum", "Mean", "Min", "Max", "Concat"}, of_one_input},
      Rule{"clip_without_bounds", "without bounds nothing is cut", {"Clip"}, clip_without_bounds},
      Rule{"and_true", "a and true is a", {"And"}, and_true},
      Rule{"or_false", "a or false is a", {"Or", "Xor"}, or_false},
  };
  return kRules;
}

}  // namespace asg::passes
