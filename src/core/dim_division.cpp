// floordiv in normal form. What divides exactly is divided; whole multiples of the divisor are pulled out of the
// rest, so that floordiv(a + q*b, b) and q + floordiv(a, b) are the same thing:
//   floordiv(4*n + 2, 4)     = n
//   floordiv(h + 1, 2)       = floordiv(h - 1, 2) + 1
//   floordiv(n*m + k, m)     = n + floordiv(k, m)
//   floordiv(n*m + m, n + 1) = m
// One family of equal things stays apart, since either form is the natural one somewhere: floordiv(n - 1, 2) and
// n - 1 - floordiv(n, 2), and likewise for larger divisors (the sum of all shifts is n).
// Divisors are taken to be different from 0, as they must be where the expression has a value.

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

#include "asg/core/error.h"
#include "dim_expr.h"

namespace asg {
namespace {

std::uint64_t magnitude(std::int64_t value) {
  return value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
}

std::int64_t gcd_with(std::int64_t positive, std::int64_t value) {
  return static_cast<std::int64_t>(std::gcd(static_cast<std::uint64_t>(positive), magnitude(value)));
}

DimMonomial common_part(const DimMonomial& a, const DimMonomial& b) {
  DimMonomial common;
  auto in_b = b.begin();
  for (const DimFactor& factor : a) {
    while (in_b != b.end() && order(*in_b->atom, *factor.atom) < 0) ++in_b;
    if (in_b == b.end()) break;
    if (order(*in_b->atom, *factor.atom) == 0) common.push_back({factor.atom, std::min(factor.power, in_b->power)});
  }
  return common;
}

// The integer and the monomial that divide every term of both; the first term of b is positive.
DimTerm common_factor(const DimTerms& a, const DimTerms& b) {
  DimTerm common = b.front();
  for (const DimTerms* terms : {&b, &a}) {
    for (const DimTerm& term : *terms) {
      common.coefficient = gcd_with(common.coefficient, term.coefficient);
      common.monomial = common_part(common.monomial, term.monomial);
    }
  }
  return common;
}

Dim divided_by_factor(DimTerms terms, const DimTerm& factor) {
  for (DimTerm& term : terms) {
    term.coefficient /= factor.coefficient;
    term.monomial = *divide(term.monomial, factor.monomial);
  }
  return DimExpr::make(std::move(terms));
}

// The only term of the form floordiv(x, integer) or -floordiv(x, integer); null when there is none or more than one.
const DimTerm* only_inner_division(const DimTerms& terms) {
  const DimTerm* found = nullptr;
  for (const DimTerm& term : terms) {
    if ((term.coefficient != 1 && term.coefficient != -1) || term.monomial.size() != 1) continue;
    const DimFactor& factor = term.monomial[0];
    if (factor.power != 1 || factor.atom->kind != DimAtomKind::floordiv) continue;
    if (!factor.atom->arguments[1].is_known()) continue;
    if (found != nullptr) return nullptr;
    found = &term;
  }
  return found;
}

// floordiv of all terms and the constant, where coefficients are already smaller than the divisor. Uses
// floordiv(floordiv(x, a) + c, b) == floordiv(x + a*c, a*b) and -floordiv(x, a) == floordiv(a - 1 - x, a).
Dim divide_rest(const DimTerms& terms, std::int64_t constant, std::int64_t divisor) {
  const Dim numerator = DimExpr::make(terms) + constant;
  const DimTerm* inner = only_inner_division(terms);
  if (inner == nullptr) return DimExpr::call(DimAtomKind::floordiv, {numerator, divisor});
  const std::vector<Dim>& arguments = inner->monomial[0].atom->arguments;
  const std::int64_t inner_divisor = arguments[1].value();
  std::int64_t product = 0;
  if (__builtin_mul_overflow(inner_divisor, divisor, &product)) {
    return DimExpr::call(DimAtomKind::floordiv, {numerator, divisor});
  }
  const Dim others = numerator - DimExpr::make({*inner});
  const Dim x = inner->coefficient > 0 ? arguments[0] : inner_divisor - 1 - arguments[0];
  return floor_div(x + inner_divisor * others, product);
}

// The divisor is positive. The form that remains has coefficients in (-divisor/2, divisor/2], the first that is
// not divisor/2 positive, and a constant in (-divisor, 0].
Dim divide_by_integer(const Dim& numerator, std::int64_t divisor) {
  const std::span<const DimTerm> variable = DimExpr::variable_terms(numerator);
  DimTerms terms(variable.begin(), variable.end());
  std::int64_t constant = DimExpr::constant_of(numerator);

  // floordiv(g*x + c, g*b) == floordiv(x + floordiv(c, g), b)
  std::int64_t common = divisor;
  for (const DimTerm& term : terms) common = gcd_with(common, term.coefficient);
  for (DimTerm& term : terms) term.coefficient /= common;
  constant = floor_quotient(constant, common);
  divisor /= common;
  if (divisor == 1) return DimExpr::make(std::move(terms)) + constant;

  DimTerms whole;
  DimTerms rest;
  bool sign_found = false;
  bool negative = false;
  for (const DimTerm& term : terms) {
    std::int64_t quotient = floor_quotient(term.coefficient, divisor);
    std::int64_t remainder = floor_remainder(term.coefficient, divisor);
    const bool is_half = remainder == divisor - remainder;
    if (remainder > divisor - remainder) {
      remainder -= divisor;
      ++quotient;
    }
    if (quotient != 0) whole.push_back({quotient, term.monomial});
    if (remainder != 0) rest.push_back({remainder, term.monomial});
    if (!sign_found && remainder != 0 && !is_half) {
      sign_found = true;
      negative = remainder < 0;
    }
  }
  std::int64_t whole_constant = floor_quotient(constant, divisor);
  std::int64_t rest_constant = floor_remainder(constant, divisor);
  if (rest_constant > 0) {
    rest_constant -= divisor;
    ++whole_constant;
  }
  const Dim outside = DimExpr::make(std::move(whole)) + whole_constant;
  // floordiv(x, b) == -floordiv(-x - 1, b) - 1
  if (negative) return outside - 1 - divide_by_integer((DimExpr::make(rest) + rest_constant) * -1 - 1, divisor);
  return outside + divide_rest(rest, rest_constant, divisor);
}

struct Division {
  Dim quotient;
  Dim remainder;
};

// a == quotient * b + remainder, by long division of polynomials. The first term of b is positive.
Division long_division(const Dim& a, const Dim& b) {
  constexpr int kMaxSteps = kMaxDimWeight;
  const DimTerm lead = DimExpr::terms_of(b).front();
  const Dim after_lead = b - DimExpr::make({lead});
  DimTerms quotient;
  DimTerms remainder;
  DimTerms left = DimExpr::terms_of(a);
  std::size_t next = 0;
  for (int step = 0; next < left.size(); ++step) {
    if (step == kMaxSteps) return {0, a};
    DimTerm top = std::move(left[next++]);
    const std::optional<DimMonomial> monomial = divide(top.monomial, lead.monomial);
    const std::int64_t coefficient = floor_quotient(top.coefficient, lead.coefficient);
    if (monomial && coefficient != 0) {
      quotient.push_back({coefficient, *monomial});
      top.coefficient = floor_remainder(top.coefficient, lead.coefficient);
      if (after_lead != Dim(0)) {
        const Dim below = DimExpr::make({left.begin() + static_cast<std::ptrdiff_t>(next), left.end()});
        left = DimExpr::terms_of(below - DimExpr::make({quotient.back()}) * after_lead);
        next = 0;
      }
    }
    if (top.coefficient != 0) remainder.push_back(std::move(top));
  }
  return {DimExpr::make(std::move(quotient)), DimExpr::make(std::move(remainder))};
}

// Coefficients may grow on the way beyond 64 bits although the undivided form is fine; then that form is kept.
Division divide_where_possible(const Dim& a, const Dim& b) {
  try {
    return long_division(a, b);
  } catch (const UserError&) {
    return {0, a};
  }
}

}  // namespace

Dim divide_expression(const Dim& a, const Dim& b) {
  if (a == Dim(0)) return 0;
  const DimTerms divisor_terms = DimExpr::terms_of(b);
  if (divisor_terms.front().coefficient < 0) return floor_div(a * -1, b * -1);

  const DimTerm common = common_factor(DimExpr::terms_of(a), divisor_terms);
  if (common.coefficient != 1 || !common.monomial.empty()) {
    return floor_div(divided_by_factor(DimExpr::terms_of(a), common), divided_by_factor(divisor_terms, common));
  }
  if (b.is_known()) return divide_by_integer(a, b.value());

  const auto [quotient, remainder] = divide_where_possible(a, b);
  if (remainder == Dim(0)) return quotient;
  // floordiv(-x, b) == -ceildiv(x, b)
  if (DimExpr::terms_of(remainder).front().coefficient < 0) {
    return quotient - DimExpr::call(DimAtomKind::ceildiv, {remainder * -1, b});
  }
  return quotient + DimExpr::call(DimAtomKind::floordiv, {remainder, b});
}

}  // namespace asg
