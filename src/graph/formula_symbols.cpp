#include "formula_symbols.h"

#include <array>

namespace asg::formula {
namespace {

constexpr auto kOrdinary = Place::ordinary;
constexpr auto kBinary = Place::binary;
constexpr auto kRelation = Place::relation;

// clang-format off
constexpr Symbol kSymbols[] = {
    // Greek letters
    {"alpha", "α"}, {"beta", "β"}, {"gamma", "γ"}, {"delta", "δ"}, {"epsilon", "ε"}, {"varepsilon", "ε"},
    {"zeta", "ζ"}, {"eta", "η"}, {"theta", "θ"}, {"iota", "ι"}, {"kappa", "κ"}, {"lambda", "λ"}, {"mu", "μ"},
    {"nu", "ν"}, {"xi", "ξ"}, {"pi", "π"}, {"rho", "ρ"}, {"sigma", "σ"}, {"tau", "τ"}, {"upsilon", "υ"},
    {"phi", "φ"}, {"varphi", "φ"}, {"chi", "χ"}, {"psi", "ψ"}, {"omega", "ω"}, {"Gamma", "Γ"}, {"Delta", "Δ"},
    {"Theta", "Θ"}, {"Lambda", "Λ"}, {"Xi", "Ξ"}, {"Pi", "Π"}, {"Sigma", "Σ"}, {"Upsilon", "Υ"}, {"Phi", "Φ"},
    {"Psi", "Ψ"}, {"Omega", "Ω"},
    // Other letters and signs
    {"infty", "∞"}, {"top", "⊤"}, {"bot", "⊥"}, {"ell", "ℓ"}, {"prime", "′"}, {"emptyset", "∅"}, {"ldots", "…"},
    {"dots", "…"}, {"cdots", "⋯"}, {"vdots", "⋮"}, {"_", "_"}, {"%", "%"}, {"#", "#"}, {"&", "&"}, {"$", "$"},
    {"partial", "∂", Place::prefix}, {"nabla", "∇", Place::prefix}, {"forall", "∀", Place::prefix},
    {"exists", "∃", Place::prefix}, {"neg", "¬", Place::prefix}, {"lnot", "¬", Place::prefix},
    // Operators
    {"cdot", "·", kBinary}, {"times", "×", kBinary}, {"div", "÷", kBinary}, {"odot", "⊙", kBinary},
    {"otimes", "⊗", kBinary}, {"oplus", "⊕", kBinary}, {"ast", "∗", kBinary}, {"star", "⋆", kBinary},
    {"circ", "∘", kBinary}, {"pm", "±", kBinary}, {"mp", "∓", kBinary}, {"land", "∧", kBinary}, {"wedge", "∧", kBinary},
    {"lor", "∨", kBinary}, {"vee", "∨", kBinary}, {"cap", "∩", kBinary}, {"cup", "∪", kBinary},
    {"setminus", "∖", kBinary}, {"bmod", "mod", kBinary, Kind::word},
    // Relations and arrows
    {"le", "≤", kRelation}, {"leq", "≤", kRelation}, {"ge", "≥", kRelation}, {"geq", "≥", kRelation},
    {"ne", "≠", kRelation}, {"neq", "≠", kRelation}, {"lt", "<", kRelation}, {"gt", ">", kRelation},
    {"ll", "≪", kRelation}, {"gg", "≫", kRelation}, {"in", "∈", kRelation}, {"notin", "∉", kRelation},
    {"subset", "⊂", kRelation}, {"subseteq", "⊆", kRelation}, {"sim", "∼", kRelation}, {"approx", "≈", kRelation},
    {"equiv", "≡", kRelation}, {"propto", "∝", kRelation}, {"mid", "|", kRelation}, {"to", "→", kRelation},
    {"rightarrow", "→", kRelation}, {"leftarrow", "←", kRelation}, {"gets", "←", kRelation},
    {"Rightarrow", "⇒", kRelation}, {"Leftrightarrow", "⇔", kRelation}, {"mapsto", "↦", kRelation},
    // Delimiters
    {"{", "{", Place::open}, {"}", "}", Place::close}, {"lfloor", "⌊", Place::open}, {"rfloor", "⌋", Place::close},
    {"lceil", "⌈", Place::open}, {"rceil", "⌉", Place::close}, {"langle", "⟨", Place::open},
    {"rangle", "⟩", Place::close}, {"lvert", "|", Place::open}, {"rvert", "|", Place::close},
    {"lVert", "‖", Place::open}, {"rVert", "‖", Place::close}, {"|", "‖", Place::bar},
    // Big operators
    {"sum", "∑", Place::big, Kind::symbol, true}, {"prod", "∏", Place::big, Kind::symbol, true},
    {"int", "∫", Place::big},
    // Functions
    {"exp", "exp", Place::function, Kind::word}, {"log", "log", Place::function, Kind::word},
    {"ln", "ln", Place::function, Kind::word}, {"sin", "sin", Place::function, Kind::word},
    {"cos", "cos", Place::function, Kind::word}, {"tan", "tan", Place::function, Kind::word},
    {"sinh", "sinh", Place::function, Kind::word}, {"cosh", "cosh", Place::function, Kind::word},
    {"tanh", "tanh", Place::function, Kind::word}, {"arcsin", "arcsin", Place::function, Kind::word},
    {"arccos", "arccos", Place::function, Kind::word}, {"arctan", "arctan", Place::function, Kind::word},
    {"arg", "arg", Place::function, Kind::word}, {"det", "det", Place::function, Kind::word, true},
    {"max", "max", Place::function, Kind::word, true}, {"min", "min", Place::function, Kind::word, true},
    {"sup", "sup", Place::function, Kind::word, true}, {"inf", "inf", Place::function, Kind::word, true},
    {"lim", "lim", Place::function, Kind::word, true},
    // Spaces; plain text knows three widths
    {"!", "", kOrdinary, Kind::space}, {",", " ", kOrdinary, Kind::space}, {":", " ", kOrdinary, Kind::space},
    {";", " ", kOrdinary, Kind::space}, {" ", " ", kOrdinary, Kind::space}, {"quad", "  ", kOrdinary, Kind::space},
    {"qquad", "  ", kOrdinary, Kind::space},
};
// clang-format on

constexpr std::array<Accent, 7> kAccents = {{{"hat", "\u0302", "^"},
                                             {"widehat", "\u0302", "^"},
                                             {"bar", "\u0304", "¯"},
                                             {"overline", "\u0304", "¯"},
                                             {"tilde", "\u0303", "~"},
                                             {"dot", "\u0307", "˙"},
                                             {"vec", "\u20D7", "→"}}};

// The letters that Unicode had before it gave each alphabet a block of its own.
struct OldLetter {
  char letter;
  std::string_view text;
};
constexpr OldLetter kDouble[] = {{'C', "ℂ"}, {'H', "ℍ"}, {'N', "ℕ"}, {'P', "ℙ"}, {'Q', "ℚ"}, {'R', "ℝ"}, {'Z', "ℤ"}};
constexpr OldLetter kScript[] = {{'B', "ℬ"}, {'E', "ℰ"}, {'F', "ℱ"}, {'H', "ℋ"}, {'I', "ℐ"}, {'L', "ℒ"},
                                 {'M', "ℳ"}, {'R', "ℛ"}, {'e', "ℯ"}, {'g', "ℊ"}, {'o', "ℴ"}};

template <std::size_t count>
std::string old_letter(const OldLetter (&letters)[count], char letter) {
  for (const OldLetter& old : letters) {
    if (old.letter == letter) return std::string(old.text);
  }
  return {};
}

// A character beyond the first 65,536 in UTF-8.
std::string far_character(std::uint32_t code) {
  std::string text;
  for (const unsigned shift : {18u, 12u, 6u, 0u}) {
    const std::uint32_t mark = shift == 18 ? 0xF0u : 0x80u;
    text += static_cast<char>(mark | (code >> shift & (shift == 18 ? 0x07u : 0x3Fu)));
  }
  return text;
}

// The place of a letter in a block of A to Z, a to z.
std::uint32_t letter_number(char letter) {
  return static_cast<std::uint32_t>(letter >= 'a' ? letter - 'a' + 26 : letter - 'A');
}

}  // namespace

const Symbol* find_symbol(std::string_view command) {
  for (const Symbol& symbol : kSymbols) {
    if (symbol.command == command) return &symbol;
  }
  return nullptr;
}

const Accent* find_accent(std::string_view command) {
  for (const Accent& accent : kAccents) {
    if (accent.command == command) return &accent;
  }
  return nullptr;
}

std::string styled_letter(std::string_view style, char letter) {
  std::string old;
  std::uint32_t first = 0x1D400;  // mathbf
  if (style == "mathbb") {
    old = old_letter(kDouble, letter);
    first = 0x1D538;
  } else if (style == "mathcal") {
    old = old_letter(kScript, letter);
    first = 0x1D49C;
  }
  return old.empty() ? far_character(first + letter_number(letter)) : old;
}

std::vector<std::string> symbol_commands() {
  std::vector<std::string> commands;
  for (const Symbol& symbol : kSymbols) commands.emplace_back(symbol.command);
  for (const Accent& accent : kAccents) commands.emplace_back(accent.command);
  return commands;
}

}  // namespace asg::formula
