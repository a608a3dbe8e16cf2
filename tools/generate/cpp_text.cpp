#include "cpp_text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>

#include "asg/core/error.h"

namespace asg::generate {
namespace {

// Words that C++ keeps for itself, and those that the builders use.
constexpr std::string_view kTaken[] = {
    "alignas",  "alignof",  "and",     "and_eq",  "asm",       "auto",    "bitand",   "bitor",     "bool",
    "break",    "call",     "case",    "catch",   "char",      "class",   "compl",    "concept",   "const",
    "continue", "decltype", "default", "delete",  "do",        "double",  "else",     "enum",      "explicit",
    "export",   "extern",   "false",   "float",   "for",       "friend",  "goto",     "graph",     "if",
    "inline",   "int",      "long",    "mutable", "namespace", "new",     "noexcept", "not",       "not_eq",
    "nullptr",  "operator", "options", "or",      "or_eq",     "outputs", "private",  "protected", "public",
    "register", "requires", "return",  "short",   "signed",    "sizeof",  "static",   "struct",    "switch",
    "template", "this",     "throw",   "true",    "try",       "typedef", "typeid",   "typename",  "union",
    "unsigned", "using",    "virtual", "void",    "volatile",  "while",   "xor",      "xor_eq"};

// The fewest digits that read back as the same double, always recognisable as a real number.
std::string real_literal(double value) {
  if (std::isnan(value)) return "std::numeric_limits<double>::quiet_NaN()";
  if (std::isinf(value)) return (value < 0 ? "-" : "") + std::string("std::numeric_limits<double>::infinity()");
  char text[40];
  for (int digits = 1; digits <= 17; ++digits) {
    std::snprintf(text, sizeof text, "%.*g", digits, value);
    if (std::stod(text) == value) break;
  }
  std::string literal = text;
  if (literal.find_first_of(".e") == std::string::npos) literal += ".0";
  return literal;
}

std::string text_literal(std::string_view text) {
  std::string literal = "\"";
  for (char letter : text) {
    if (letter == '"' || letter == '\\') literal += '\\';
    literal += letter;
  }
  return literal + '"';
}

template <class T, class F>
std::string list_literal(const std::vector<T>& values, F one) {
  std::string literal = "{";
  for (std::size_t at = 0; at < values.size(); ++at) literal += (at == 0 ? "" : ", ") + one(values[at]);
  return literal + '}';
}

}  // namespace

std::string identifier(std::string_view name) {
  std::string result(name);
  std::replace(result.begin(), result.end(), '.', '_');
  if (std::find(std::begin(kTaken), std::end(kTaken), name) != std::end(kTaken)) result += '_';
  return result;
}

std::string cpp_type(AttrKind kind) {
  switch (kind) {
    case AttrKind::integer:
      return "std::int64_t";
    case AttrKind::real:
      return "double";
    case AttrKind::boolean:
      return "bool";
    case AttrKind::text:
      return "std::string";
    case AttrKind::integers:
      return "std::vector<std::int64_t>";
    case AttrKind::reals:
      return "std::vector<double>";
    case AttrKind::texts:
      return "std::vector<std::string>";
    case AttrKind::dtype:
      return "DType";
    case AttrKind::type:
      return "TensorType";
    case AttrKind::tensor:
      return "Array";
    case AttrKind::graph:
      break;
  }
  return "GraphPtr";
}

std::string cpp_parameter_type(AttrKind kind) {
  const std::string type = cpp_type(kind);
  const bool small =
      kind == AttrKind::integer || kind == AttrKind::real || kind == AttrKind::boolean || kind == AttrKind::dtype;
  return small ? type : "const " + type + "&";
}

std::string cpp_literal(const Attr& value) {
  switch (value.kind()) {
    case AttrKind::integer:
      return std::to_string(value.as_integer());
    case AttrKind::real:
      return real_literal(value.as_real());
    case AttrKind::boolean:
      return value.as_boolean() ? "true" : "false";
    case AttrKind::text:
      return text_literal(value.as_text());
    case AttrKind::integers:
      return list_literal(value.as_integers(), [](std::int64_t number) { return std::to_string(number); });
    case AttrKind::reals:
      return list_literal(value.as_reals(), real_literal);
    case AttrKind::texts:
      return list_literal(value.as_texts(), text_literal);
    case AttrKind::dtype: {
      const DType dtype = value.as_dtype();
      return "DType::" + std::string(dtype == DType::boolean ? "boolean" : name_of(dtype));
    }
    case AttrKind::type:
      return "TensorType::parse(" + text_literal(value.as_type().to_string()) + ")";
    case AttrKind::tensor: {
      const Array& tensor = value.as_tensor();
      if (tensor.rank() > 0) break;
      return "Array::scalar(" + cpp_literal(Attr(tensor.dtype())) + ", " + real_literal(tensor.get(0)) + ")";
    }
    case AttrKind::graph:
      break;
  }
  fail(ErrorCode::bad_card, "a default of kind " + std::string(name_of(value.kind())),
       "a default that can be written in C++", "make the attribute required, or an optional input");
}

std::string argument_list(std::string head, const std::vector<std::string>& items, std::string_view tail) {
  const std::size_t line_start = head.rfind('\n') + 1;  // npos + 1 == 0
  const std::size_t indent = head.size() + 1 - line_start;
  std::string text = std::move(head) + "(";
  std::size_t column = indent;
  for (std::size_t at = 0; at < items.size(); ++at) {
    const bool last = at + 1 == items.size();
    const std::size_t length = items[at].size() + (last ? tail.size() + 1 : 1);  // with the comma or the end
    if (at > 0 && column + 1 + length > kLineWidth) {
      text += '\n' + std::string(indent, ' ');
      column = indent;
    } else if (at > 0) {
      text += ' ';
      ++column;
    }
    text += items[at];
    text += last ? "" : ",";
    column += items[at].size() + 1;
  }
  return text + ")" + std::string(tail);
}

std::string comment(std::string_view text, std::string_view prefix) {
  std::string lines;
  while (!text.empty()) {
    const std::size_t line_end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, line_end);
    text.remove_prefix(std::min(line_end + 1, text.size()));
    const std::size_t first = std::min(line.find_first_not_of(' '), line.size());
    std::string current = std::string(prefix) + std::string(line.substr(0, first));
    const std::size_t empty_size = current.size();
    line.remove_prefix(first);
    while (!line.empty()) {
      const std::size_t end = std::min(line.find(' '), line.size());
      const std::string_view word = line.substr(0, end);
      line.remove_prefix(std::min(end + 1, line.size()));
      if (current.size() > empty_size && current.size() + 1 + word.size() > kLineWidth) {
        lines += current + '\n';
        current = std::string(prefix) + std::string(first, ' ');
      }
      if (current.size() > empty_size) current += ' ';
      current += word;
    }
    lines += current + '\n';
  }
  return lines;
}

}  // namespace asg::generate
