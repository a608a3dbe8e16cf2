#include "asg/core/error.h"
#include "dim_expr.h"

namespace asg {
namespace {

std::string text_of(const DimAtom& atom) {
  if (atom.kind == DimAtomKind::symbol) {
    return atom.at_most ? atom.name + "<=" + std::to_string(*atom.at_most) : atom.name;
  }
  std::string text(function_name(atom.kind));
  text += '(';
  for (std::size_t position = 0; position < atom.arguments.size(); ++position) {
    if (position > 0) text += ", ";
    text += atom.arguments[position].to_string();
  }
  text += ')';
  return text;
}

std::string text_of(const DimMonomial& monomial) {
  std::string text;
  for (const DimFactor& factor : monomial) {
    if (!text.empty()) text += '*';
    text += text_of(*factor.atom);
    if (factor.power > 1) text += "^" + std::to_string(factor.power);
  }
  return text;
}

}  // namespace

std::string_view function_name(DimAtomKind kind) {
  switch (kind) {
    case DimAtomKind::floordiv:
      return "floordiv";
    case DimAtomKind::ceildiv:
      return "ceildiv";
    case DimAtomKind::min:
      return "min";
    case DimAtomKind::max:
      return "max";
    case DimAtomKind::symbol:
      break;
  }
  fail_internal("a symbol is no function");
}

bool is_symbol_start(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || letter == '_';
}

bool is_symbol_part(char letter) {
  return is_symbol_start(letter) || (letter >= '0' && letter <= '9') || letter == '.' || letter == '#';
}

std::string Dim::to_string() const {
  if (is_known()) return std::to_string(value_);
  std::string text;
  for (const DimTerm& term : expr_->terms()) {
    const bool negative = term.coefficient < 0;
    if (text.empty()) {
      if (negative) text += '-';
    } else {
      text += negative ? " - " : " + ";
    }
    // Of the smallest integer the absolute value fits only without a sign.
    const std::string digits = std::to_string(term.coefficient).substr(negative ? 1 : 0);
    if (term.monomial.empty()) {
      text += digits;
    } else {
      if (digits != "1") text += digits + '*';
      text += text_of(term.monomial);
    }
  }
  return text;
}

}  // namespace asg
