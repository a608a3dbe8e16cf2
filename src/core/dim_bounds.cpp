// Bounds of expressions by interval arithmetic. Symbols are sizes: from 0 to their bound.

#include <algorithm>

#include "dim_expr.h"

namespace asg {
namespace {

using Bound = std::optional<std::int64_t>;  // nothing: unbounded, or not within 64 bits

struct Interval {
  Bound low;
  Bound high;
};

Interval interval_of(const Dim& dim);

Bound sum(Bound a, Bound b) {
  std::int64_t result = 0;
  if (!a || !b || __builtin_add_overflow(*a, *b, &result)) return std::nullopt;
  return result;
}

Bound product(Bound a, Bound b) {
  std::int64_t result = 0;
  if (!a || !b || __builtin_mul_overflow(*a, *b, &result)) return std::nullopt;
  return result;
}

Interval product(const Interval& a, const Interval& b) {
  if (a.low && b.low && *a.low >= 0 && *b.low >= 0) {
    // What is lost to overflow below is at least 0 all the same.
    return {product(a.low, b.low).value_or(0), product(a.high, b.high)};
  }
  const Bound corners[] = {product(a.low, b.low), product(a.low, b.high), product(a.high, b.low),
                           product(a.high, b.high)};
  if (std::any_of(std::begin(corners), std::end(corners), [](const Bound& corner) { return !corner; })) return {};
  const auto [low, high] = std::minmax_element(std::begin(corners), std::end(corners));
  return {*low, *high};
}

Interval scaled(const Interval& a, std::int64_t coefficient) {
  if (coefficient < 0) return {product(a.high, coefficient), product(a.low, coefficient)};
  return {product(a.low, coefficient), product(a.high, coefficient)};
}

Interval quotient(const Interval& a, const Dim& divisor) {
  if (divisor.is_known()) {
    const std::int64_t by = divisor.value();  // positive in normal form
    return {a.low ? Bound(floor_quotient(*a.low, by)) : std::nullopt,
            a.high ? Bound(floor_quotient(*a.high, by)) : std::nullopt};
  }
  const Interval by = interval_of(divisor);
  // The divisor is not 0, so at least 1; then neither rounding leaves [0, a].
  if (a.low && by.low && *a.low >= 0 && *by.low >= 0) return {0, a.high};
  return {};
}

Interval extremum_interval(const DimAtom& atom) {
  const bool is_min = atom.kind == DimAtomKind::min;
  // The side that every operand must bound, and the side for which one is enough; seen as for min.
  Interval result = interval_of(atom.arguments[0]);
  for (std::size_t position = 1; position < atom.arguments.size(); ++position) {
    const Interval next = interval_of(atom.arguments[position]);
    if (is_min) {
      result.low = result.low && next.low ? Bound(std::min(*result.low, *next.low)) : std::nullopt;
      if (next.high) result.high = std::min(result.high.value_or(*next.high), *next.high);
    } else {
      result.high = result.high && next.high ? Bound(std::max(*result.high, *next.high)) : std::nullopt;
      if (next.low) result.low = std::max(result.low.value_or(*next.low), *next.low);
    }
  }
  return result;
}

Interval interval_of(const DimAtom& atom) {
  switch (atom.kind) {
    case DimAtomKind::symbol:
      return {0, atom.at_most};
    case DimAtomKind::floordiv:
    case DimAtomKind::ceildiv:
      return quotient(interval_of(atom.arguments[0]), atom.arguments[1]);
    default:
      return extremum_interval(atom);
  }
}

Interval interval_of(const Dim& dim) {
  const DimExpr* expr = DimExpr::of(dim);
  if (expr == nullptr) return {dim.value(), dim.value()};
  Interval total{0, 0};
  for (const DimTerm& term : expr->terms()) {
    Interval value{1, 1};
    for (const DimFactor& factor : term.monomial) {
      const Interval of_atom = interval_of(*factor.atom);
      for (int count = 0; count < factor.power; ++count) value = product(value, of_atom);
    }
    value = scaled(value, term.coefficient);
    total = {sum(total.low, value.low), sum(total.high, value.high)};
  }
  return total;
}

}  // namespace

std::optional<std::int64_t> Dim::lower_bound() const { return interval_of(*this).low; }
std::optional<std::int64_t> Dim::upper_bound() const { return interval_of(*this).high; }

}  // namespace asg
