#include "asg/core/dim.h"

#include <algorithm>
#include <limits>
#include <set>
#include <span>
#include <utility>

#include "asg/core/error.h"
#include "dim_expr.h"

namespace asg {
namespace {

[[noreturn]] void fail_division(const Dim& a, const Dim& b) {
  if (b == Dim(0)) {
    fail(ErrorCode::bad_dim, a.to_string() + " divided by 0", "a divisor that is not 0");
  }
  fail(ErrorCode::bad_dim, a.to_string() + " divided by " + b.to_string(), "a dimension that fits 64 bits");
}

void collect_symbols(const Dim& dim, std::set<std::string>& names) {
  const DimExpr* expr = DimExpr::of(dim);
  if (expr == nullptr) return;
  for (const DimTerm& term : expr->terms()) {
    for (const DimFactor& factor : term.monomial) {
      if (factor.atom->kind == DimAtomKind::symbol) names.insert(factor.atom->name);
      for (const Dim& argument : factor.atom->arguments) collect_symbols(argument, names);
    }
  }
}

Dim substitute_atom(const DimFactor& factor, const Dim::SymbolValues& values) {
  const DimAtom& atom = *factor.atom;
  if (atom.kind == DimAtomKind::symbol) {
    if (std::optional<Dim> value = values(atom.name)) return *std::move(value);
    return DimExpr::of_atom(factor.atom);
  }
  std::vector<Dim> arguments;
  arguments.reserve(atom.arguments.size());
  for (const Dim& argument : atom.arguments) arguments.push_back(argument.substitute(values));
  switch (atom.kind) {
    case DimAtomKind::floordiv:
      return floor_div(arguments[0], arguments[1]);
    case DimAtomKind::ceildiv:
      return ceil_div(arguments[0], arguments[1]);
    default:
      return extremum(atom.kind, arguments);
  }
}

// For dims that differ by a known integer: whether a is the smaller one. Nothing for all others.
std::optional<bool> is_provably_less(const Dim& a, const Dim& b) {
  const std::span<const DimTerm> terms_a = DimExpr::variable_terms(a);
  const std::span<const DimTerm> terms_b = DimExpr::variable_terms(b);
  const bool same = std::equal(
      terms_a.begin(), terms_a.end(), terms_b.begin(), terms_b.end(), [](const DimTerm& left, const DimTerm& right) {
        return left.coefficient == right.coefficient && order(left.monomial, right.monomial) == 0;
      });
  if (!same) return std::nullopt;
  return DimExpr::constant_of(a) < DimExpr::constant_of(b);
}

// The operands of a dim that is itself one such function, else the dim.
std::vector<Dim> operands_of(DimAtomKind kind, const Dim& dim) {
  const DimExpr* expr = DimExpr::of(dim);
  if (expr == nullptr || expr->terms().size() != 1 || expr->terms()[0].coefficient != 1) return {dim};
  const DimMonomial& monomial = expr->terms()[0].monomial;
  if (monomial.size() != 1 || monomial[0].power != 1 || monomial[0].atom->kind != kind) return {dim};
  return monomial[0].atom->arguments;
}

}  // namespace

Dim::Dim(std::shared_ptr<const DimExpr> expr) : expr_(std::move(expr)) {}

Dim Dim::symbol(std::string name, std::optional<std::int64_t> at_most) {
  const bool well_formed = !name.empty() && name.size() <= kMaxSymbolLength && is_symbol_start(name.front()) &&
                           std::all_of(name.begin(), name.end(), is_symbol_part);
  if (!well_formed) {
    fail(ErrorCode::bad_name, "the symbol \"" + name.substr(0, kMaxSymbolLength) + "\"",
         "a letter or '_', then letters, digits, '_', '.', '#'; at most " + std::to_string(kMaxSymbolLength) +
             " characters");
  }
  if (at_most && *at_most < 0) {
    fail(ErrorCode::bad_dim, "the symbol " + name + " of at most " + std::to_string(*at_most), "a bound of at least 0");
  }
  auto atom = std::make_shared<DimAtom>();
  atom->name = std::move(name);
  atom->at_most = at_most;
  return DimExpr::of_atom(std::move(atom));
}

void Dim::fail_not_known() const {
  fail(ErrorCode::bad_dim, "the dimension " + to_string(), "a known integer", "give its symbols a value");
}

bool Dim::is_symbol() const {
  if (is_known() || expr_->terms().size() != 1 || expr_->terms()[0].coefficient != 1) return false;
  const DimMonomial& monomial = expr_->terms()[0].monomial;
  return monomial.size() == 1 && monomial[0].power == 1 && monomial[0].atom->kind == DimAtomKind::symbol;
}

std::vector<std::string> Dim::symbols() const {
  std::set<std::string> names;
  collect_symbols(*this, names);
  return {names.begin(), names.end()};
}

Dim Dim::substitute(const SymbolValues& values) const {
  if (is_known()) return *this;
  Dim sum = 0;
  for (const DimTerm& term : expr_->terms()) {
    Dim product = term.coefficient;
    for (const DimFactor& factor : term.monomial) {
      product = product * power(substitute_atom(factor, values), factor.power);
    }
    sum = sum + product;
  }
  return sum;
}

Dim Dim::divide_down(const Dim& a, const Dim& b) {
  if (b == Dim(0)) fail_division(a, b);
  if (b == Dim(1)) return a;
  if (!both_known(a, b)) return divide_expression(a, b);
  if (a.value_ == std::numeric_limits<std::int64_t>::min() && b.value_ == -1) fail_division(a, b);
  const bool inexact = a.value_ % b.value_ != 0;
  return a.value_ / b.value_ - (inexact && (a.value_ < 0) != (b.value_ < 0) ? 1 : 0);
}

Dim Dim::divide_up(const Dim& a, const Dim& b) {
  if (!b.is_known()) return floor_div(a * -1, b) * -1;
  const Dim down = floor_div(a, b);
  if (a.is_known()) return down + (a.value_ % b.value_ == 0 ? 0 : 1);
  return b.value_ < 0 ? ceil_div(a * -1, b * -1) : floor_div(a - 1, b) + 1;
}

Dim mod(const Dim& a, const Dim& b) {
  if (b == Dim(0)) fail_division(a, b);
  if (!Dim::both_known(a, b)) return a - b * floor_div(a, b);
  if (b.value_ == -1) return 0;  // where the quotient may not fit
  const std::int64_t remainder = a.value_ % b.value_;
  return remainder != 0 && (remainder < 0) != (b.value_ < 0) ? remainder + b.value_ : remainder;
}

Dim extremum(DimAtomKind kind, const std::vector<Dim>& operands) {
  // Those that differ by an integer are represented by the one that wins.
  std::vector<Dim> kept = operands_of(kind, operands.front());
  const auto add = [&](const Dim& candidate) {
    for (Dim& other : kept) {
      const std::optional<bool> less = is_provably_less(candidate, other);
      if (!less) continue;
      if (*less == (kind == DimAtomKind::min)) other = candidate;
      return;
    }
    kept.push_back(candidate);
  };
  for (std::size_t position = 1; position < operands.size(); ++position) {
    for (const Dim& candidate : operands_of(kind, operands[position])) add(candidate);
  }
  if (kept.size() == 1) return kept[0];
  std::sort(kept.begin(), kept.end(), [](const Dim& a, const Dim& b) { return order(a, b) < 0; });
  return DimExpr::call(kind, std::move(kept));
}

Dim Dim::smaller(const Dim& a, const Dim& b) { return extremum(DimAtomKind::min, {a, b}); }
Dim Dim::larger(const Dim& a, const Dim& b) { return extremum(DimAtomKind::max, {a, b}); }

bool Dim::same_expression(const Dim& a, const Dim& b) { return order(a, b) == 0; }

std::strong_ordering order(const Dim& a, const Dim& b) {
  if (a.is_known() != b.is_known()) return b.is_known() <=> a.is_known();
  if (a.is_known()) return a.value_ <=> b.value_;
  if (a.expr_ == b.expr_) return std::strong_ordering::equal;
  const DimTerms& terms_a = a.expr_->terms();
  const DimTerms& terms_b = b.expr_->terms();
  const std::size_t common = std::min(terms_a.size(), terms_b.size());
  for (std::size_t position = 0; position < common; ++position) {
    const auto result = order(terms_a[position].monomial, terms_b[position].monomial);
    if (result != 0) return result;
    if (terms_a[position].coefficient != terms_b[position].coefficient) {
      return terms_a[position].coefficient <=> terms_b[position].coefficient;
    }
  }
  return terms_a.size() <=> terms_b.size();
}

}  // namespace asg
