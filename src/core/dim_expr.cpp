#include "dim_expr.h"

#include <algorithm>
#include <utility>

#include "asg/core/error.h"

namespace asg {
namespace {

[[noreturn]] void fail_too_large() {
  fail(ErrorCode::bad_dim, "an expression of dimensions that is too large or too deep",
       "at most " + std::to_string(kMaxDimWeight) + " parts, nested at most " + std::to_string(kMaxDimDepth) +
           " deep, of degree at most " + std::to_string(kMaxDimDegree),
       "give a part of it a symbol of its own");
}

int degree(const DimMonomial& monomial) {
  int sum = 0;
  for (const DimFactor& factor : monomial) sum += factor.power;
  return sum;
}

int depth_of(const Dim& dim) {
  const DimExpr* expr = DimExpr::of(dim);
  return expr == nullptr ? 0 : expr->depth();
}

int weight_of(const Dim& dim) {
  const DimExpr* expr = DimExpr::of(dim);
  return expr == nullptr ? 1 : expr->weight();
}

void merge_equal_monomials(DimTerms& terms) {
  std::sort(terms.begin(), terms.end(),
            [](const DimTerm& a, const DimTerm& b) { return order(a.monomial, b.monomial) < 0; });
  std::size_t kept = 0;
  for (std::size_t next = 0; next < terms.size(); ++next) {
    if (kept > 0 && order(terms[kept - 1].monomial, terms[next].monomial) == 0) {
      const Dim sum = Dim(terms[kept - 1].coefficient) + Dim(terms[next].coefficient);
      terms[kept - 1].coefficient = sum.value();
      continue;
    }
    if (kept != next) terms[kept] = std::move(terms[next]);
    ++kept;
  }
  terms.resize(kept);
  terms.erase(std::remove_if(terms.begin(), terms.end(), [](const DimTerm& term) { return term.coefficient == 0; }),
              terms.end());
}

}  // namespace

DimTerms DimExpr::terms_of(const Dim& dim) {
  if (const DimExpr* expr = of(dim)) return expr->terms();
  if (dim.value() == 0) return {};
  return {{dim.value(), {}}};
}

std::span<const DimTerm> DimExpr::variable_terms(const Dim& dim) {
  const DimExpr* expr = of(dim);
  if (expr == nullptr) return {};
  return {expr->terms_.data(), expr->terms_.size() - (expr->terms_.back().monomial.empty() ? 1 : 0)};
}

std::int64_t DimExpr::constant_of(const Dim& dim) {
  const DimExpr* expr = of(dim);
  if (expr == nullptr) return dim.value_;
  return expr->terms_.back().monomial.empty() ? expr->terms_.back().coefficient : 0;
}

Dim DimExpr::make(DimTerms terms) {
  merge_equal_monomials(terms);
  if (terms.empty()) return 0;
  if (terms.front().monomial.empty()) return terms.front().coefficient;
  int depth = 0;
  int weight = 0;
  for (const DimTerm& term : terms) {
    if (degree(term.monomial) > kMaxDimDegree) fail_too_large();
    ++weight;
    for (const DimFactor& factor : term.monomial) {
      depth = std::max(depth, factor.atom->depth);
      weight += factor.atom->weight;
    }
    if (weight > kMaxDimWeight) fail_too_large();
  }
  return Dim(std::make_shared<const DimExpr>(std::move(terms), depth, weight));
}

Dim DimExpr::of_atom(std::shared_ptr<const DimAtom> atom) {
  const int depth = atom->depth;
  const int weight = atom->weight + 1;
  DimTerms terms(1);
  terms[0].coefficient = 1;
  terms[0].monomial.push_back({std::move(atom), 1});
  return Dim(std::make_shared<const DimExpr>(std::move(terms), depth, weight));
}

Dim DimExpr::call(DimAtomKind kind, std::vector<Dim> arguments) {
  auto atom = std::make_shared<DimAtom>();
  atom->kind = kind;
  for (const Dim& argument : arguments) {
    atom->depth = std::max(atom->depth, depth_of(argument) + 1);
    atom->weight += weight_of(argument);
    if (atom->depth > kMaxDimDepth || atom->weight >= kMaxDimWeight) fail_too_large();
  }
  atom->arguments = std::move(arguments);
  return of_atom(std::move(atom));
}

std::strong_ordering order(const DimAtom& a, const DimAtom& b) {
  if (&a == &b) return std::strong_ordering::equal;
  if (a.kind != b.kind) return a.kind <=> b.kind;
  if (a.kind == DimAtomKind::symbol) return a.name.compare(b.name) <=> 0;
  const std::size_t common = std::min(a.arguments.size(), b.arguments.size());
  for (std::size_t position = 0; position < common; ++position) {
    const auto result = order(a.arguments[position], b.arguments[position]);
    if (result != 0) return result;
  }
  return a.arguments.size() <=> b.arguments.size();
}

std::strong_ordering order(const DimMonomial& a, const DimMonomial& b) {
  const int degree_a = degree(a);
  const int degree_b = degree(b);
  if (degree_a != degree_b) return degree_b <=> degree_a;
  // The degrees are equal: where one list ended, so did the other, or they differed before.
  const std::size_t common = std::min(a.size(), b.size());
  for (std::size_t position = 0; position < common; ++position) {
    const auto result = order(*a[position].atom, *b[position].atom);
    if (result != 0) return result;
    if (a[position].power != b[position].power) return b[position].power <=> a[position].power;
  }
  return std::strong_ordering::equal;
}

DimMonomial multiply(const DimMonomial& a, const DimMonomial& b) {
  DimMonomial product;
  product.reserve(a.size() + b.size());
  auto in_a = a.begin();
  auto in_b = b.begin();
  while (in_a != a.end() && in_b != b.end()) {
    const auto result = order(*in_a->atom, *in_b->atom);
    if (result == 0) {
      product.push_back({in_a->atom, in_a->power + in_b->power});
      ++in_a;
      ++in_b;
    } else {
      product.push_back(result < 0 ? *in_a++ : *in_b++);
    }
  }
  product.insert(product.end(), in_a, a.end());
  product.insert(product.end(), in_b, b.end());
  return product;
}

std::optional<DimMonomial> divide(const DimMonomial& a, const DimMonomial& b) {
  DimMonomial quotient;
  auto in_b = b.begin();
  for (const DimFactor& factor : a) {
    int power = factor.power;
    if (in_b != b.end() && order(*factor.atom, *in_b->atom) == 0) {
      power -= in_b->power;
      ++in_b;
    }
    if (power < 0) return std::nullopt;
    if (power > 0) quotient.push_back({factor.atom, power});
  }
  if (in_b != b.end()) return std::nullopt;
  return quotient;
}

Dim power(const Dim& base, int exponent) {
  Dim result = 1;
  for (int count = 0; count < exponent; ++count) result = result * base;
  return result;
}

Dim Dim::add(const Dim& a, const Dim& b) {
  if (both_known(a, b)) {
    fail(ErrorCode::bad_dim, a.to_string() + " + " + b.to_string(), "a dimension that fits 64 bits");
  }
  DimTerms terms = DimExpr::terms_of(a);
  const DimTerms more = DimExpr::terms_of(b);
  terms.insert(terms.end(), more.begin(), more.end());
  return DimExpr::make(std::move(terms));
}

Dim Dim::subtract(const Dim& a, const Dim& b) {
  if (both_known(a, b)) {
    fail(ErrorCode::bad_dim, a.to_string() + " - " + b.to_string(), "a dimension that fits 64 bits");
  }
  return a + b * -1;
}

Dim Dim::multiply(const Dim& a, const Dim& b) {
  if (both_known(a, b)) {
    fail(ErrorCode::bad_dim, a.to_string() + " * " + b.to_string(), "a dimension that fits 64 bits");
  }
  const DimTerms terms_a = DimExpr::terms_of(a);
  const DimTerms terms_b = DimExpr::terms_of(b);
  // Also what merges to little afterwards must first be written out.
  if (terms_a.size() * terms_b.size() > 4 * static_cast<std::size_t>(kMaxDimWeight)) fail_too_large();
  DimTerms product;
  product.reserve(terms_a.size() * terms_b.size());
  for (const DimTerm& term_a : terms_a) {
    for (const DimTerm& term_b : terms_b) {
      const Dim coefficient = Dim(term_a.coefficient) * Dim(term_b.coefficient);
      product.push_back({coefficient.value(), asg::multiply(term_a.monomial, term_b.monomial)});
    }
  }
  return DimExpr::make(std::move(product));
}

}  // namespace asg
