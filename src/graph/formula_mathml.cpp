#include <algorithm>
#include <string>

#include "asg/graph/formula.h"
#include "formula_symbols.h"
#include "formula_tree.h"

// A formula in MathML Core, which browsers show without a script.
namespace asg {
namespace {

using formula::Kind;
using formula::Part;
using formula::Place;

std::string write(const Part& part);

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string element(std::string_view tag, const std::string& content, std::string_view attributes = "") {
  std::string out = "<";
  out += tag;
  out += attributes;
  out += '>' + content + "</";
  out += tag;
  return out + '>';
}

std::string write_operator(std::string_view text, std::string_view attributes = "") {
  return element("mo", escaped(text), attributes);
}

// Brackets written without \left and \right keep their size. A bar does not say itself whether it opens or closes.
std::string write_delimiter(const Part& part) {
  std::string attributes = " stretchy=\"false\"";
  const bool bar = part.text == "|" || part.text == "‖";
  if (bar) attributes += part.place == Place::open ? " form=\"prefix\"" : " form=\"postfix\"";
  return write_operator(part.text, attributes);
}

std::string write_symbol(const Part& part) {
  if (part.text == "′") return write_operator(part.text);
  switch (part.place) {
    case Place::binary:
    case Place::relation:
    case Place::punctuation:
    case Place::big:
      return write_operator(part.text);
    case Place::sign:
      return write_operator(part.text, " form=\"prefix\"");
    case Place::open:
    case Place::close:
      return write_delimiter(part);
    default:
      return element("mi", escaped(part.styled.empty() ? part.text : part.styled));
  }
}

// Several letters are upright by themselves, one letter is not.
std::string write_word(const Part& part) {
  if (part.place == Place::binary) return write_operator(part.text);
  return element("mi", escaped(part.text), part.text.size() == 1 ? " mathvariant=\"normal\"" : "");
}

// Spaces at the ends of words would be dropped.
std::string write_text(const Part& part) {
  constexpr std::string_view kFirmSpace = "\u00A0";
  std::string text = escaped(part.text);
  if (text.starts_with(' ')) text.replace(0, 1, kFirmSpace);
  if (text.ends_with(' ')) text.replace(text.size() - 1, 1, kFirmSpace);
  return element("mtext", text);
}

std::string write_space(const Part& part) {
  if (part.text.empty()) return {};
  return part.text.size() > 1 ? "<mspace width=\"1em\"></mspace>" : "<mspace width=\"0.2em\"></mspace>";
}

// Whether the next part is what a function applies to.
bool is_argument(const Part& part) {
  const Place place = formula::left_place(part);
  return place == Place::ordinary || place == Place::open || place == Place::function || place == Place::big ||
         place == Place::prefix || place == Place::sign;
}

std::string write_parts(const std::vector<Part>& parts) {
  std::string out;
  const Part* left = nullptr;
  for (const Part& part : parts) {
    const bool applied =
        left != nullptr && left->place == Place::function && part.kind != Kind::space && is_argument(part);
    if (applied) out += "<mo>&#x2061;</mo>";
    out += write(part);
    if (part.kind != Kind::space) left = &part;
  }
  return out;
}

std::string write_scripts(const Part& part) {
  const bool lower = part.parts[1].kind != Kind::nothing;
  const bool upper = part.parts[2].kind != Kind::nothing;
  std::string_view tag = part.limits ? "mover" : "msup";
  if (lower) tag = part.limits ? "munder" : "msub";
  if (lower && upper) tag = part.limits ? "munderover" : "msubsup";
  std::string content;
  for (const Part& child : part.parts) {
    if (&child == &part.parts[0] || child.kind != Kind::nothing) content += write(child);
  }
  return element(tag, content);
}

std::string write_root(const Part& part) {
  const Part& index = part.parts[1];
  if (index.kind == Kind::nothing) return element("msqrt", write(part.parts[0]));
  return element("mroot", write(part.parts[0]) + write(index));
}

std::string write_accent(const Part& part) {
  const std::string mark = write_operator(formula::find_accent(part.text)->mark);
  return element("mover", write(part.parts[0]) + mark, " accent=\"true\"");
}

std::string fence(std::string_view text, std::string_view form) {
  if (text.empty()) return {};
  return write_operator(text, " form=\"" + std::string(form) + "\" stretchy=\"true\"");
}

std::string write_table(const Part& part) {
  std::string rows;
  for (const Part& row : part.parts) {
    std::string cells;
    for (const Part& cell : row.parts) cells += element("mtd", write(cell));
    rows += element("mtr", cells);
  }
  if (part.text == "bmatrix") {
    return element("mrow", fence("[", "prefix") + element("mtable", rows) + fence("]", "postfix"));
  }
  if (part.text == "aligned") return element("mtable", rows, " columnalign=\"right left\" columnspacing=\"0\"");
  return element("mrow", fence("{", "prefix") + element("mtable", rows, " columnalign=\"left\""));
}

std::string write(const Part& part) {
  switch (part.kind) {
    case Kind::nothing:
      break;
    case Kind::row:
      return part.parts.size() == 1 ? write(part.parts[0]) : element("mrow", write_parts(part.parts));
    case Kind::symbol:
      return write_symbol(part);
    case Kind::number:
      return element("mn", part.text);
    case Kind::word:
      return write_word(part);
    case Kind::text:
      return write_text(part);
    case Kind::space:
      return write_space(part);
    case Kind::fraction:
      return element("mfrac", write(part.parts[0]) + write(part.parts[1]));
    case Kind::root:
      return write_root(part);
    case Kind::scripts:
      return write_scripts(part);
    case Kind::accent:
      return write_accent(part);
    case Kind::fenced:
      return element("mrow", fence(part.text, "prefix") + write(part.parts[0]) + fence(part.close, "postfix"));
    case Kind::table:
      return write_table(part);
  }
  return {};
}

}  // namespace

std::string formula_to_mathml(std::string_view latex) {
  return element("math", write(formula::parse(latex)), " display=\"block\"");
}

}  // namespace asg
