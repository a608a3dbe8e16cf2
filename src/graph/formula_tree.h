#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// A formula of a card as a tree, from which the text and the MathML are written.
namespace asg::formula {

enum class Kind : std::uint8_t {
  nothing,  // an absent script
  row,      // parts one after another
  symbol,   // one letter, operator, delimiter
  number,
  word,  // a name of several upright letters: exp, softmax
  text,  // words between formulas
  space,
  fraction,  // numerator, denominator
  root,      // radicand, index or nothing
  scripts,   // base, lower, upper
  accent,    // `text` is the command; the part below it
  fenced,    // `text` and `close` are the delimiters; what stands between them
  table      // `text` is the environment; rows of cells
};

// How a part behaves beside its neighbours; decides about spaces.
enum class Place : std::uint8_t {
  ordinary,
  function,  // takes what follows: exp
  big,       // sums and integrals
  binary,
  relation,
  punctuation,
  open,
  close,
  bar,     // | opens or closes; settled when its row is complete
  sign,    // + or − of what follows
  prefix,  // ∂, ∇
  words
};

struct Part {
  Kind kind = Kind::nothing;
  Place place = Place::ordinary;
  std::string text = {};
  std::string close = {};   // of fenced
  std::string styled = {};  // what MathML shows instead of `text`: bold letters
  bool limits = false;      // scripts stand below and above, not beside
  std::vector<Part> parts = {};
};

// How a part meets its left and its right neighbour.
Place left_place(const Part& part);
Place right_place(const Part& part);

// Whether it is + − ± or ∓, which may also be a sign.
bool is_additive(const Part& part);

// Decides, once a row is complete, whether its bars open or close and its + and − are signs.
void settle_places(std::vector<Part>& row);

// Nesting is limited to this depth, so that the functions that follow the tree may be recursive.
inline constexpr int kMaxDepth = 64;

// Throws bad_card with the formula and what is wrong in it.
Part parse(std::string_view latex);

}  // namespace asg::formula
