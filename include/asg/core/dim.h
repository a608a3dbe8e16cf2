#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace asg {

class DimExpr;  // immutable, in normal form; see src/core/dim_expr.h

// One length of a shape: an integer, a symbol ("batch"), or an expression of them with
// + - * floor-div ceil-div mod min max. Expressions are kept in a normal form (a polynomial with integer
// coefficients over sorted atoms), so that equal things compare equal: n+n == 2*n, (n*4)/4 == n,
// ceil_div(n, 2) == floor_div(n + 1, 2). Integers are held inline and cost no allocation.
// A symbol may be bounded: "seq" of at most 128; its length is known only at run time. Two symbols are the same
// when their names are, whatever their bounds; give a name the same bound wherever it is used.
// Expressions have limits of size and depth (bad_dim beyond them), so that none can exhaust memory or the stack.
class Dim {
 public:
  Dim() = default;                                      // 0
  constexpr Dim(std::int64_t value) : value_(value) {}  // NOLINT: an integer is a dim
  // Names: a letter or '_', then letters, digits, '_', '.', '#'; at most 128 characters. Throws bad_name, and
  // bad_dim on a negative bound.
  static Dim symbol(std::string name, std::optional<std::int64_t> at_most = std::nullopt);
  // Reads what to_string writes: "2*batch + 1", "floordiv(h - 1, 2)"; also parentheses, "ceildiv(…)" and "mod(…)".
  // Throws bad_dim.
  static Dim parse(std::string_view text);

  bool is_known() const { return expr_ == nullptr; }
  std::int64_t value() const {  // throws bad_dim when not known
    if (!is_known()) fail_not_known();
    return value_;
  }
  std::optional<std::int64_t> known() const { return is_known() ? std::optional(value_) : std::nullopt; }
  // Bounds that hold for all symbol values from 0 to the symbol's bound; nothing where none can be shown.
  std::optional<std::int64_t> lower_bound() const;
  std::optional<std::int64_t> upper_bound() const;
  bool is_symbol() const;
  std::vector<std::string> symbols() const;  // sorted, without repeats
  std::string to_string() const;

  // Replaces symbols; those the function does not know stay.
  using SymbolValues = std::function<std::optional<Dim>(std::string_view)>;
  Dim substitute(const SymbolValues& values) const;

  // All of them throw bad_dim when an integer or a coefficient leaves 64 bits, and when an integer divisor is 0.
  friend Dim operator+(const Dim& a, const Dim& b) {
    std::int64_t sum = 0;
    if (both_known(a, b) && !__builtin_add_overflow(a.value_, b.value_, &sum)) return sum;
    return add(a, b);
  }
  friend Dim operator-(const Dim& a, const Dim& b) {
    std::int64_t difference = 0;
    if (both_known(a, b) && !__builtin_sub_overflow(a.value_, b.value_, &difference)) return difference;
    return subtract(a, b);
  }
  friend Dim operator*(const Dim& a, const Dim& b) {
    std::int64_t product = 0;
    if (both_known(a, b) && !__builtin_mul_overflow(a.value_, b.value_, &product)) return product;
    return multiply(a, b);
  }
  // Rounds toward minus infinity; exact where b divides a as polynomials.
  friend Dim floor_div(const Dim& a, const Dim& b) {
    if (both_known(a, b) && b.value_ > 0) return a.value_ / b.value_ - (a.value_ % b.value_ < 0 ? 1 : 0);
    return divide_down(a, b);
  }
  friend Dim ceil_div(const Dim& a, const Dim& b) {
    if (both_known(a, b) && b.value_ > 0) return a.value_ / b.value_ + (a.value_ % b.value_ > 0 ? 1 : 0);
    return divide_up(a, b);
  }
  friend Dim mod(const Dim& a, const Dim& b);  // a - b * floor_div(a, b): has the sign of b
  friend Dim min(const Dim& a, const Dim& b) {
    return both_known(a, b) ? (b.value_ < a.value_ ? b : a) : smaller(a, b);
  }
  friend Dim max(const Dim& a, const Dim& b) { return both_known(a, b) ? (a.value_ < b.value_ ? b : a) : larger(a, b); }
  friend bool operator==(const Dim& a, const Dim& b) {
    if (a.expr_ == b.expr_) return a.value_ == b.value_;
    return a.expr_ != nullptr && b.expr_ != nullptr && same_expression(a, b);
  }
  // A fixed total order, used for normal forms and sorting (not by size).
  friend std::strong_ordering order(const Dim& a, const Dim& b);

 private:
  friend class DimExpr;
  explicit Dim(std::shared_ptr<const DimExpr> expr);

  static bool both_known(const Dim& a, const Dim& b) { return a.is_known() && b.is_known(); }
  // The general cases of the operators above.
  static Dim add(const Dim& a, const Dim& b);
  static Dim subtract(const Dim& a, const Dim& b);
  static Dim multiply(const Dim& a, const Dim& b);
  static Dim divide_down(const Dim& a, const Dim& b);
  static Dim divide_up(const Dim& a, const Dim& b);
  static Dim smaller(const Dim& a, const Dim& b);
  static Dim larger(const Dim& a, const Dim& b);
  static bool same_expression(const Dim& a, const Dim& b);
  [[noreturn]] void fail_not_known() const;

  std::int64_t value_ = 0;  // the value when expr_ is null, else 0
  std::shared_ptr<const DimExpr> expr_;
};

// The lengths of all axes. Rank is always known.
class Shape {
 public:
  Shape() = default;
  Shape(std::initializer_list<Dim> dims) : dims_(dims) {}
  explicit Shape(std::vector<Dim> dims) : dims_(std::move(dims)) {}
  static Shape of(const std::vector<std::int64_t>& sizes);  // throws bad_dim on a negative size
  // Reads what to_string writes. Throws bad_shape or bad_dim.
  static Shape parse(std::string_view text);

  int rank() const { return static_cast<int>(dims_.size()); }
  const Dim& operator[](int axis) const { return dims_[static_cast<std::size_t>(axis)]; }
  const std::vector<Dim>& dims() const { return dims_; }
  auto begin() const { return dims_.begin(); }
  auto end() const { return dims_.end(); }

  bool is_known() const;
  std::vector<std::int64_t> sizes() const;  // throws bad_dim when a dim is not known or negative
  Dim element_count() const;                // throws bad_dim when it leaves 64 bits
  std::string to_string() const;            // "[batch, 784]"
  Shape substitute(const Dim::SymbolValues& values) const;

  friend bool operator==(const Shape& a, const Shape& b) = default;

 private:
  std::vector<Dim> dims_;
};

// NumPy broadcasting, exact: each axis counted from the last is equal or 1. Throws broadcast_mismatch.
Shape broadcast(const Shape& a, const Shape& b);
bool can_broadcast_to(const Shape& from, const Shape& to);

// -1 means the last axis, and so on. Throws bad_index.
int normalize_axis(std::int64_t axis, int rank);
// Normalised, sorted, without repeats (a repeat is an error). Empty stays empty.
std::vector<int> normalize_axes(const std::vector<std::int64_t>& axes, int rank);

}  // namespace asg
