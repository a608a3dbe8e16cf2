#include <algorithm>
#include <string>

#include "asg/graph/formula.h"
#include "formula_symbols.h"
#include "formula_tree.h"

// A formula in one line of plain text, for terminals.
namespace asg {
namespace {

using formula::is_additive;
using formula::Kind;
using formula::left_place;
using formula::Part;
using formula::Place;
using formula::right_place;

std::string write(const Part& part, bool compact);

std::string parenthesised(const std::string& text) { return '(' + text + ')'; }

const Part& base_of(const Part& part) { return part.kind == Kind::scripts ? base_of(part.parts[0]) : part; }

// ---- Which parts need parentheses

enum class Tightness { sum, product, single };

// Whether the parts from `first` on are one pair of delimiters with what stands between them.
bool is_enclosed(const std::vector<Part>& row, std::size_t first) {
  if (row.size() < first + 2 || left_place(row[first]) != Place::open) return false;
  int depth = 0;
  for (std::size_t k = first; k < row.size(); ++k) {
    if (left_place(row[k]) == Place::open) ++depth;
    if (right_place(row[k]) == Place::close && --depth == 0) return k + 1 == row.size();
  }
  return false;
}

bool separates(const Part& part, bool first) {
  const bool multiplies =
      part.text == "·" || part.text == "×" || part.text == "⊙" || part.text == "/" || part.text == "*";
  switch (part.place) {
    case Place::binary:
      return !multiplies;
    case Place::relation:
    case Place::punctuation:
    case Place::words:
      return true;
    case Place::sign:
      return !first;
    default:
      return false;
  }
}

Tightness tightness_of_row(const std::vector<Part>& row) {
  const bool call = row.size() > 1 &&
                    (row[0].kind == Kind::word || row[0].kind == Kind::symbol || row[0].kind == Kind::scripts) &&
                    row[0].place != Place::open;
  const bool fenced_call = call && row.size() == 2 && row[1].kind == Kind::fenced;
  const bool derivative = row.size() == 2 && row[0].place == Place::prefix;
  if (is_enclosed(row, 0) || (call && is_enclosed(row, 1)) || fenced_call || derivative) return Tightness::single;
  int depth = 0;
  for (std::size_t k = 0; k < row.size(); ++k) {
    if (left_place(row[k]) == Place::open) ++depth;
    if (depth == 0 && separates(row[k], k == 0)) return Tightness::sum;
    if (right_place(row[k]) == Place::close) --depth;
  }
  return Tightness::product;
}

Tightness tightness(const Part& part) {
  if (part.kind == Kind::fraction) return Tightness::sum;
  if (part.kind == Kind::table && part.text == "aligned") return Tightness::sum;
  if (part.kind != Kind::row || part.parts.empty()) return Tightness::single;
  return part.parts.size() == 1 ? tightness(part.parts[0]) : tightness_of_row(part.parts);
}

std::string write_within(const Part& part, Tightness least, bool compact) {
  const std::string text = write(part, compact);
  return tightness(part) < least ? parenthesised(text) : text;
}

// ---- Spaces

// Whether two neighbours without a sign between them are written together: 2x, and ij in a script.
bool joins(const Part& left, const Part& right, bool compact) {
  const Kind before = left.kind;
  const Kind after = base_of(right).kind;
  const bool short_before = before == Kind::number || before == Kind::symbol;
  if (compact && short_before && (right.kind == Kind::symbol || right.kind == Kind::number)) return true;
  return before == Kind::number &&
         ((after == Kind::symbol && left_place(right) == Place::ordinary) || after == Kind::root);
}

std::string_view gap(const Part& left, const Part& right, bool compact) {
  const Place before = right_place(left);
  const Place after = left_place(right);
  const auto either = [&](Place place) { return before == place || after == place; };
  if (before == Place::open || before == Place::sign || before == Place::prefix) return "";
  if (after == Place::close || after == Place::punctuation) return "";
  if (before == Place::punctuation || either(Place::binary) || either(Place::relation)) return compact ? "" : " ";
  if (before == Place::words && left.text.ends_with(' ')) return "";
  if (after == Place::words && right.text.starts_with(' ')) return "";
  if (after == Place::open) return before == Place::big ? " " : "";
  return joins(left, right, compact) ? "" : " ";
}

// Whether a neighbour at this place would seem to belong to the numerator or the denominator of a fraction beside it.
bool clings(const Part& part, Place place) {
  if (place == Place::binary) return !is_additive(part);
  return place == Place::ordinary || place == Place::function || place == Place::big || place == Place::prefix;
}

bool needs_parentheses(const Part& part, const Part* left, const Part* right) {
  if (part.kind != Kind::fraction) return false;
  if (left != nullptr && (clings(*left, right_place(*left)) || right_place(*left) == Place::close)) return true;
  return right != nullptr && (clings(*right, left_place(*right)) || left_place(*right) == Place::open);
}

std::string write_row(const std::vector<Part>& row, bool compact) {
  std::string text;
  const Part* left = nullptr;
  std::string_view asked;  // by a space in the source
  for (auto part = row.begin(); part != row.end(); ++part) {
    if (part->kind == Kind::space) {
      asked = std::max(asked, std::string_view(part->text));
      continue;
    }
    if (left != nullptr) text += std::max(gap(*left, *part, compact), asked);
    const auto right = std::find_if(part + 1, row.end(), [](const Part& next) { return next.kind != Kind::space; });
    const std::string written = write(*part, compact);
    text += needs_parentheses(*part, left, right == row.end() ? nullptr : &*right) ? parenthesised(written) : written;
    left = &*part;
    asked = {};
  }
  return text;
}

// ---- Scripts

struct Raised {
  std::string_view plain;
  std::string_view raised;
};
constexpr Raised kRaised[] = {{"0", "⁰"}, {"1", "¹"}, {"2", "²"}, {"3", "³"}, {"4", "⁴"}, {"5", "⁵"},
                              {"6", "⁶"}, {"7", "⁷"}, {"8", "⁸"}, {"9", "⁹"}, {"+", "⁺"}, {"−", "⁻"},
                              {"n", "ⁿ"}, {"i", "ⁱ"}, {"⊤", "ᵀ"}, {"T", "ᵀ"}, {"′", "′"}};

// The text in raised characters; "" where one of them has no raised form.
std::string raised(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const Raised* found = nullptr;
    for (const Raised& entry : kRaised) {
      if (text.starts_with(entry.plain)) found = &entry;
    }
    if (found == nullptr) return {};
    result += found->raised;
    text.remove_prefix(found->plain.size());
  }
  return result;
}

// Digits in lowered characters (U+2080 and on); "" where something else is among them.
std::string lowered(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c < '0' || c > '9') return {};
    result += "\xE2\x82";
    result += static_cast<char>(0x80 + (c - '0'));
  }
  return result;
}

// Whether a script needs no parentheses after ^ or _: one symbol, or letters and digits side by side.
bool is_plain_script(const Part& part) {
  const auto simple = [](const Part& one) {
    return one.kind == Kind::symbol || one.kind == Kind::number || one.kind == Kind::word || one.kind == Kind::text ||
           one.kind == Kind::accent;
  };
  if (part.kind != Kind::row) return simple(part) || part.kind == Kind::fenced;
  return std::all_of(part.parts.begin(), part.parts.end(), [](const Part& one) {
    return (one.kind == Kind::symbol || one.kind == Kind::number) && one.place == Place::ordinary;
  });
}

std::string write_script(const Part& script, char mark) {
  const std::string text = write(script, true);
  return mark + (is_plain_script(script) ? text : parenthesised(text));
}

std::string write_plain_scripts(const Part& part) {
  const Part& lower = part.parts[1];
  const Part& upper = part.parts[2];
  std::string text = write_within(part.parts[0], Tightness::single, false);
  if (lower.kind != Kind::nothing) {
    const std::string low = part.limits ? "" : lowered(write(lower, true));
    text += low.empty() ? write_script(lower, '_') : low;
  }
  if (upper.kind != Kind::nothing) {
    const std::string high = part.limits ? "" : raised(write(upper, true));
    text += high.empty() ? write_script(upper, '^') : high;
  }
  return text;
}

// ---- The other kinds

std::string write_fraction(const Part& part, bool compact) {
  return write_within(part.parts[0], Tightness::product, compact) + (compact ? "/" : " / ") +
         write_within(part.parts[1], Tightness::single, compact);
}

std::string write_root(const Part& part, bool compact) {
  const Part& index = part.parts[1];
  const Kind kind = part.parts[0].kind;
  const bool bare = kind == Kind::symbol || kind == Kind::number || kind == Kind::scripts || kind == Kind::fenced;
  const std::string text = write(part.parts[0], compact);
  const std::string power = raised(write(index, true));
  if (index.kind != Kind::nothing && power.empty()) return "root(" + write(index, compact) + ", " + text + ')';
  return power + "√" + (bare ? text : parenthesised(text));
}

std::string write_accent(const Part& part, bool compact) {
  const Part& below = part.parts[0];
  const std::string text = write(below, compact);
  const bool one_letter = below.kind == Kind::symbol || (below.kind == Kind::number && text.size() == 1);
  return one_letter ? text + std::string(formula::find_accent(part.text)->combining) : part.text + parenthesised(text);
}

std::string write_plain_table(const Part& part) {
  const std::string_view between = part.text == "aligned" ? " " : ", ";
  std::string text;
  for (const Part& row : part.parts) {
    if (&row != &part.parts.front()) text += "; ";
    for (const Part& cell : row.parts) {
      if (&cell != &row.parts.front()) text += between;
      text += write(cell, false);
    }
  }
  if (part.text == "cases") return "{ " + text + " }";
  return part.text == "bmatrix" ? '[' + text + ']' : text;
}

std::string write(const Part& part, bool compact) {
  switch (part.kind) {
    case Kind::nothing:
      return {};
    case Kind::row:
      return write_row(part.parts, compact);
    case Kind::symbol:
    case Kind::number:
    case Kind::word:
    case Kind::text:
    case Kind::space:
      break;
    case Kind::fraction:
      return write_fraction(part, compact);
    case Kind::root:
      return write_root(part, compact);
    case Kind::scripts:
      return write_plain_scripts(part);
    case Kind::accent:
      return write_accent(part, compact);
    case Kind::fenced:
      return part.text + write(part.parts[0], compact) + part.close;
    case Kind::table:
      return write_plain_table(part);
  }
  return part.text;
}

}  // namespace

std::string formula_to_text(std::string_view latex) { return write(formula::parse(latex), false); }

}  // namespace asg
