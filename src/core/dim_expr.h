#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "asg/core/dim.h"

namespace asg {

// Limits of one expression. Printing, comparing and destroying walk an expression as a tree, so its depth must
// fit the stack, and its weight (nodes of that tree) must not grow without end where parts are shared.
inline constexpr int kMaxDimDepth = 64;
inline constexpr int kMaxDimWeight = 1024;
inline constexpr int kMaxDimDegree = 64;
inline constexpr std::size_t kMaxSymbolLength = 128;
inline constexpr std::size_t kMaxDimText = std::size_t{1} << 17;  // more than any expression within the limits prints

// ceildiv stands only over divisors that are no integers: ceildiv(a, 2) is floordiv(a - 1, 2) + 1. There is no
// mod: mod(a, b) is a - b*floordiv(a, b). So each of these things has one form.
enum class DimAtomKind : std::uint8_t { symbol, floordiv, ceildiv, min, max };

// What the polynomials are over: a symbol, or a function of other dims.
struct DimAtom {
  DimAtomKind kind = DimAtomKind::symbol;
  std::string name;                     // of a symbol
  std::optional<std::int64_t> at_most;  // of a symbol
  std::vector<Dim> arguments;           // of a function: two; of min and max two or more, sorted
  int depth = 0;
  int weight = 1;
};

struct DimFactor {
  std::shared_ptr<const DimAtom> atom;
  int power = 1;
};

using DimMonomial = std::vector<DimFactor>;  // sorted by atom, none twice; empty is 1

struct DimTerm {
  std::int64_t coefficient = 0;
  DimMonomial monomial;
};

using DimTerms = std::vector<DimTerm>;

// A polynomial that is no integer: terms sorted by monomial (higher degree first, so the constant is last), none
// twice, no coefficient 0.
class DimExpr {
 public:
  DimExpr(DimTerms terms, int depth, int weight) : terms_(std::move(terms)), depth_(depth), weight_(weight) {}

  const DimTerms& terms() const { return terms_; }
  int depth() const { return depth_; }
  int weight() const { return weight_; }

  // Null when the dim is an integer.
  static const DimExpr* of(const Dim& dim) { return dim.expr_.get(); }
  // Terms in normal order; an integer has one, 0 has none.
  static DimTerms terms_of(const Dim& dim);
  // The terms without the constant, and the constant. The terms live as long as the dim.
  static std::span<const DimTerm> variable_terms(const Dim& dim);
  static std::int64_t constant_of(const Dim& dim);
  // Sorts and merges any terms. Throws bad_dim when a coefficient overflows or a limit is passed.
  static Dim make(DimTerms terms);
  // The function as it stands, without simplification.
  static Dim call(DimAtomKind kind, std::vector<Dim> arguments);
  static Dim of_atom(std::shared_ptr<const DimAtom> atom);

 private:
  DimTerms terms_;
  int depth_;
  int weight_;
};

// Sorted order of atoms and of monomials. That of monomials is compatible with multiplication (graded
// lexicographic), which is what makes division of polynomials work.
std::strong_ordering order(const DimAtom& a, const DimAtom& b);
std::strong_ordering order(const DimMonomial& a, const DimMonomial& b);

DimMonomial multiply(const DimMonomial& a, const DimMonomial& b);
std::optional<DimMonomial> divide(const DimMonomial& a, const DimMonomial& b);  // nothing when it does not divide
Dim power(const Dim& base, int exponent);

// floordiv in normal form; neither both integers nor division by 0 arrive here.
Dim divide_expression(const Dim& a, const Dim& b);
// min or max in normal form.
Dim extremum(DimAtomKind kind, const std::vector<Dim>& operands);

std::string_view function_name(DimAtomKind kind);
bool is_symbol_start(char letter);
bool is_symbol_part(char letter);

// Integer division toward minus infinity and its remainder, for divisor > 0.
inline std::int64_t floor_quotient(std::int64_t a, std::int64_t divisor) {
  return a / divisor - (a % divisor < 0 ? 1 : 0);
}
inline std::int64_t floor_remainder(std::int64_t a, std::int64_t divisor) {
  const std::int64_t remainder = a % divisor;
  return remainder < 0 ? remainder + divisor : remainder;
}

}  // namespace asg
