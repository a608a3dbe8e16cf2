#include "ops/linear_algebra/einsum_plan.h"

#include <algorithm>
#include <map>

#include "asg/core/error.h"
#include "ops/support/indexing.h"

namespace asg::ops {
namespace {

[[noreturn]] void refuse(const std::string& equation, std::string needed, std::string mend = "") {
  fail(ErrorCode::bad_attribute, "the equation '" + equation + "'", std::move(needed), std::move(mend));
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// One operand or the result: letters, and where among them an ellipsis stands (-1: nowhere).
struct Term {
  std::string letters;
  int ellipsis = -1;
};

Term read_term(const std::string& equation, std::string_view text) {
  Term term;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (is_letter(text[at])) {
      term.letters += text[at];
    } else if (text.substr(at, 3) == "..." && term.ellipsis < 0) {
      term.ellipsis = static_cast<int>(term.letters.size());
      at += 2;
    } else {
      refuse(equation, "letters, one '...' for each operand, ',' between operands and '->' before the result");
    }
  }
  return term;
}

struct Equation {
  std::vector<Term> operands;
  Term output;
  bool has_output = false;
};

Equation read_equation(const std::string& text) {
  std::string dense = text;
  dense.erase(std::remove(dense.begin(), dense.end(), ' '), dense.end());
  Equation equation;
  const auto arrow = dense.find("->");
  equation.has_output = arrow != std::string::npos;
  if (equation.has_output) equation.output = read_term(text, std::string_view(dense).substr(arrow + 2));
  const std::string left = dense.substr(0, arrow);
  std::size_t start = 0;
  for (std::size_t comma = left.find(','); comma != std::string::npos; comma = left.find(',', start)) {
    equation.operands.push_back(read_term(text, std::string_view(left).substr(start, comma - start)));
    start = comma + 1;
  }
  equation.operands.push_back(read_term(text, std::string_view(left).substr(start)));
  return equation;
}

// Without an arrow: the axes of the ellipsis, then the letters that occur once.
Term implied_output(const Equation& equation) {
  std::map<char, int> uses;
  Term output;
  for (const Term& term : equation.operands) {
    for (char letter : term.letters) ++uses[letter];
    if (term.ellipsis >= 0) output.ellipsis = 0;
  }
  for (const auto& [letter, count] : uses) {
    if (count == 1) output.letters += letter;
  }
  return output;
}

int ellipsis_axes(const std::string& text, const Term& term, int rank) {
  const int rest = rank - static_cast<int>(term.letters.size());
  if (rest == 0 || (rest > 0 && term.ellipsis >= 0)) return rest;
  fail(ErrorCode::bad_shape,
       "an operand of rank " + std::to_string(rank) + " for '" + term.letters + "' of the equation '" + text + "'",
       "a letter for each axis, or '...' for those without one");
}

}  // namespace

EinsumPlan parse_einsum(const std::string& text, const std::vector<int>& ranks) {
  const Equation equation = read_equation(text);
  if (equation.operands.size() != ranks.size()) {
    refuse(text, std::to_string(ranks.size()) + " operands, one for each input", "separate them by commas");
  }
  EinsumPlan plan;
  std::map<char, int> label_of;
  int widest = 0;
  for (std::size_t k = 0; k < ranks.size(); ++k) {
    for (char letter : equation.operands[k].letters) label_of.try_emplace(letter, static_cast<int>(label_of.size()));
    widest = std::max(widest, ellipsis_axes(text, equation.operands[k], ranks[k]));
  }
  plan.first_of_ellipsis = static_cast<int>(label_of.size());
  plan.labels = plan.first_of_ellipsis + widest;
  const auto labels_of = [&](const Term& term, int axes) {
    std::vector<int> labels;
    for (int at = 0; at <= static_cast<int>(term.letters.size()); ++at) {
      // Broadcasting counts from the last axis.
      for (int k = 0; at == term.ellipsis && k < axes; ++k) labels.push_back(plan.labels - axes + k);
      if (at == static_cast<int>(term.letters.size())) break;
      const auto label = label_of.find(term.letters[static_cast<std::size_t>(at)]);
      if (label == label_of.end()) {
        refuse(text, "only letters of the operands after the arrow, not '" +
                         term.letters.substr(static_cast<std::size_t>(at), 1) + "'");
      }
      labels.push_back(label->second);
    }
    return labels;
  };
  for (std::size_t k = 0; k < ranks.size(); ++k) {
    plan.operands.push_back(labels_of(equation.operands[k], ellipsis_axes(text, equation.operands[k], ranks[k])));
  }
  plan.output = labels_of(equation.has_output ? equation.output : implied_output(equation), widest);
  std::vector<int> sorted = plan.output;
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) {
    refuse(text, "each letter at most once after the arrow");
  }
  return plan;
}

std::vector<Dim> label_lengths(const EinsumPlan& plan, const std::vector<Shape>& shapes) {
  std::vector<Dim> lengths(static_cast<std::size_t>(plan.labels), Dim(-1));
  for (std::size_t k = 0; k < shapes.size(); ++k) {
    for (std::size_t axis = 0; axis < plan.operands[k].size(); ++axis) {
      const int label = plan.operands[k][axis];
      Dim& length = lengths[static_cast<std::size_t>(label)];
      const Dim& here = shapes[k][static_cast<int>(axis)];
      const bool stretches = label >= plan.first_of_ellipsis;
      if (length == Dim(-1) || (stretches && length == Dim(1))) {
        length = here;
      } else if (surely_differ(length, here) && !(stretches && here == Dim(1))) {
        fail(ErrorCode::bad_shape,
             "lengths " + length.to_string() + " and " + here.to_string() + " under one letter, the second on axis " +
                 std::to_string(axis) + " of operand " + std::to_string(k),
             "the same length wherever a letter stands", "use another letter, or transpose the operand");
      }
    }
  }
  return lengths;
}

std::string write_einsum(const std::vector<std::vector<int>>& operands, const std::vector<int>& output) {
  static constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  std::string text;
  const auto write = [&](const std::vector<int>& labels) {
    for (int label : labels) {
      if (label >= static_cast<int>(kLetters.size())) {
        fail(ErrorCode::limit_exceeded, "an equation with more than 52 different axes",
             "at most 52, one for each letter");
      }
      text += kLetters[static_cast<std::size_t>(label)];
    }
  };
  for (std::size_t k = 0; k < operands.size(); ++k) {
    if (k > 0) text += ',';
    write(operands[k]);
  }
  text += "->";
  write(output);
  return text;
}

}  // namespace asg::ops
