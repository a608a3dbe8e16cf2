// Reads dims. Grammar, with spaces allowed between the parts:
//   sum      = ["-"] product { ("+" | "-") product }
//   product  = factor { "*" factor }
//   factor   = primary [ "^" integer ]
//   primary  = integer | symbol [ "<=" integer ] | function "(" sum { "," sum } ")" | "(" sum ")"

#include <utility>

#include "asg/core/error.h"
#include "dim_expr.h"

namespace asg {
namespace {

constexpr std::uint64_t kLargestMagnitude = std::uint64_t{1} << 63;  // of the smallest int64
constexpr std::size_t kMaxArguments = 1024;
constexpr std::size_t kMaxWork = 100'000;  // products of terms in one text; what to_string writes needs a few

class DimParser {
 public:
  explicit DimParser(std::string_view text) : text_(text) {}

  Dim parse() {
    if (text_.size() > kMaxDimText) {
      fail(ErrorCode::bad_dim, "a dimension of " + std::to_string(text_.size()) + " characters",
           "at most " + std::to_string(kMaxDimText) + " characters");
    }
    Dim result = parse_sum();
    if (position_ != text_.size()) fail_here("the end, or one of + - *");
    return result;
  }

 private:
  [[noreturn]] void fail_here(std::string needed) const {
    constexpr std::size_t kShown = 80;
    std::string shown(text_.substr(0, kShown));
    if (text_.size() > kShown) shown += "…";
    fail(ErrorCode::bad_dim, "\"" + shown + "\" at character " + std::to_string(position_ + 1), std::move(needed),
         "write a dimension like 2*batch + 1 or floordiv(h - 1, 2)");
  }

  // A short text can ask for long work: (a + b + c)^20 - (a + b + c)^20 + …
  void count_work(const Dim& a, const Dim& b) {
    work_ += (DimExpr::variable_terms(a).size() + 1) * (DimExpr::variable_terms(b).size() + 1);
    if (work_ > kMaxWork) fail_here("fewer products and quotients of long sums");
  }

  Dim multiply(const Dim& a, const Dim& b) {
    count_work(a, b);
    return a * b;
  }

  void skip_spaces() {
    while (position_ < text_.size() && text_[position_] == ' ') ++position_;
  }

  bool accept(std::string_view token) {
    skip_spaces();
    if (text_.substr(position_, token.size()) != token) return false;
    position_ += token.size();
    return true;
  }

  void expect(std::string_view token) {
    if (!accept(token)) fail_here("'" + std::string(token) + "'");
  }

  char next() {
    skip_spaces();
    return position_ < text_.size() ? text_[position_] : '\0';
  }

  static bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

  // Digits up to `largest`.
  std::uint64_t parse_magnitude(std::uint64_t largest) {
    if (!is_digit(next())) fail_here("an integer");
    std::uint64_t value = 0;
    const std::size_t start = position_;
    for (; position_ < text_.size() && is_digit(text_[position_]); ++position_) {
      const auto digit = static_cast<std::uint64_t>(text_[position_] - '0');
      if (value > (largest - digit) / 10) {
        position_ = start;
        fail_here("an integer of at most " + std::to_string(largest));
      }
      value = value * 10 + digit;
    }
    return value;
  }

  Dim parse_sum() {
    if (++depth_ > kMaxDimDepth + 1) {
      fail_here("parentheses and functions nested at most " + std::to_string(kMaxDimDepth) + " deep");
    }
    // Collected first and merged once: merging after each sign would cost the square of the length.
    DimTerms terms;
    bool negative = accept("-");
    while (true) {
      for (DimTerm& term : DimExpr::terms_of(parse_product(negative))) terms.push_back(std::move(term));
      if (accept("+")) {
        negative = false;
      } else if (accept("-")) {
        negative = true;
      } else {
        break;
      }
    }
    --depth_;
    return DimExpr::make(std::move(terms));
  }

  Dim parse_product(bool negative) {
    Dim product = parse_factor(negative);
    while (accept("*")) product = multiply(product, parse_factor(false));
    return product;
  }

  Dim parse_factor(bool negative) {
    Dim base;
    if (is_digit(next())) {
      const std::uint64_t magnitude = parse_magnitude(kLargestMagnitude - (negative ? 0 : 1));
      // The sign belongs to the integer, since the smallest one has no positive counterpart.
      base = static_cast<std::int64_t>(negative ? 0 - magnitude : magnitude);
      if (next() == '^') fail_here("a symbol or a function before '^'");
      return base;
    }
    base = parse_primary();
    if (accept("^")) base = parse_power(base);
    return negative ? base * -1 : base;
  }

  Dim parse_power(const Dim& base) {
    Dim result = 1;
    for (std::uint64_t left = parse_magnitude(kMaxDimDegree); left > 0; --left) result = multiply(result, base);
    return result;
  }

  Dim parse_primary() {
    if (accept("(")) {
      Dim inside = parse_sum();
      expect(")");
      return inside;
    }
    if (!is_symbol_start(next())) fail_here("an integer, a symbol, a function or '('");
    const std::size_t start = position_;
    while (position_ < text_.size() && is_symbol_part(text_[position_])) ++position_;
    const std::string_view name = text_.substr(start, position_ - start);
    if (next() == '(') return parse_call(name, start);
    if (name.size() > kMaxSymbolLength) {
      position_ = start;
      fail_here("a symbol of at most " + std::to_string(kMaxSymbolLength) + " characters");
    }
    std::optional<std::int64_t> at_most;
    if (accept("<=")) at_most = static_cast<std::int64_t>(parse_magnitude(kLargestMagnitude - 1));
    return Dim::symbol(std::string(name), at_most);
  }

  Dim parse_call(std::string_view name, std::size_t start) {
    const bool is_extremum = name == "min" || name == "max";
    if (!is_extremum && name != "floordiv" && name != "ceildiv" && name != "mod") {
      position_ = start;
      fail_here("one of the functions floordiv, ceildiv, mod, min, max");
    }
    expect("(");
    std::vector<Dim> arguments = {parse_sum()};
    const std::size_t most = is_extremum ? kMaxArguments : 2;
    expect(",");
    do {
      if (arguments.size() == most) fail_here("at most " + std::to_string(most) + " arguments of " + std::string(name));
      arguments.push_back(parse_sum());
    } while (accept(","));
    expect(")");
    if (name == "min") return extremum(DimAtomKind::min, arguments);
    if (name == "max") return extremum(DimAtomKind::max, arguments);
    count_work(arguments[0], arguments[1]);
    if (name == "floordiv") return floor_div(arguments[0], arguments[1]);
    if (name == "ceildiv") return ceil_div(arguments[0], arguments[1]);
    return mod(arguments[0], arguments[1]);
  }

  std::string_view text_;
  std::size_t position_ = 0;
  int depth_ = 0;
  std::size_t work_ = 0;
};

}  // namespace

Dim Dim::parse(std::string_view text) { return DimParser(text).parse(); }

}  // namespace asg
