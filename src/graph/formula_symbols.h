#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "formula_tree.h"

namespace asg::formula {

// A command that stands for one symbol or one word.
struct Symbol {
  std::string_view command;
  std::string_view text;
  Place place = Place::ordinary;
  Kind kind = Kind::symbol;
  bool limits = false;
};
const Symbol* find_symbol(std::string_view command);

// A mark above a letter.
struct Accent {
  std::string_view command;
  std::string_view combining;  // follows the letter in plain text
  std::string_view mark;       // in MathML
};
const Accent* find_accent(std::string_view command);

// The letter in another alphabet: style is "mathbb", "mathbf" or "mathcal".
std::string styled_letter(std::string_view style, char letter);

// The commands of all tables, for "did you mean".
std::vector<std::string> symbol_commands();

}  // namespace asg::formula
