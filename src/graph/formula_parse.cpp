#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "asg/core/error.h"
#include "formula_symbols.h"
#include "formula_tree.h"

namespace asg::formula {
namespace {

constexpr std::array<std::string_view, 14> kStructures = {"frac",         "tfrac",  "dfrac",  "sqrt",   "text",
                                                          "operatorname", "mathrm", "mathbf", "mathbb", "mathcal",
                                                          "left",         "right",  "begin",  "end"};
constexpr std::array<std::string_view, 3> kEnvironments = {"cases", "aligned", "bmatrix"};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

Part symbol(std::string_view text, Place place) {
  return {.kind = Kind::symbol, .place = place, .text = std::string(text)};
}

// A character that stands for itself.
std::optional<Part> plain_symbol(char c) {
  const std::string text(1, c);
  const auto among = [c](std::string_view characters) { return characters.find(c) != std::string_view::npos; };
  if (c == '-') return symbol("−", Place::binary);
  if (among("+*/")) return symbol(text, Place::binary);
  if (among("=<>:")) return symbol(text, Place::relation);
  if (among(",;")) return symbol(text, Place::punctuation);
  if (among("([")) return symbol(text, Place::open);
  if (among(")]!.")) return symbol(text, Place::close);
  if (c == '|') return symbol(text, Place::bar);
  if (c == '~') return Part{.kind = Kind::space, .text = " "};
  return std::nullopt;
}

class Parser {
 public:
  explicit Parser(std::string_view latex) : latex_(latex) {}

  Part parse_all() {
    Part all = parse_row();
    if (position_ == latex_.size()) return all;
    if (at_command("right")) refuse("\\right without \\left", "a \\left for each \\right");
    if (at_command("end")) refuse("\\end without \\begin", "a \\begin for each \\end");
    if (peek() == '}') refuse("a } without {", "a { for each }");
    refuse("& or \\\\ outside of an environment", "\\begin{cases} or \\begin{aligned} around it");
  }

 private:
  [[noreturn]] void refuse(const std::string& what, const std::string& needed, const std::string& mend = "") const {
    fail(ErrorCode::bad_card, what + ", in the formula \"" + std::string(latex_) + "\"", needed, mend);
  }

  // ---- Characters

  bool at_end() const { return position_ == latex_.size(); }
  char peek() const { return at_end() ? '\0' : latex_[position_]; }
  void skip_spaces() {
    while (!at_end() && is_space(peek())) ++position_;
  }
  bool accept(char c) {
    skip_spaces();
    if (at_end() || peek() != c) return false;
    ++position_;
    return true;
  }
  void expect(char c, std::string_view after) {
    if (!accept(c)) refuse(std::string(after) + " without " + c, std::string("a ") + c + " after it");
  }

  // The command at the current position without its backslash: letters, or one other character.
  std::string_view command_here() const {
    if (peek() != '\\') return {};
    std::size_t end = position_ + 1;
    while (end < latex_.size() && is_letter(latex_[end])) ++end;
    if (end == position_ + 1 && end < latex_.size()) ++end;
    return latex_.substr(position_ + 1, end - position_ - 1);
  }
  bool at_command(std::string_view command) const { return peek() == '\\' && command_here() == command; }
  bool accept_command(std::string_view command) {
    skip_spaces();
    if (!at_command(command)) return false;
    position_ += 1 + command.size();
    return true;
  }

  // What ends a row, whoever asked for it.
  bool at_row_end() {
    skip_spaces();
    const char c = peek();
    return at_end() || c == '}' || c == '&' || (c == ']' && in_index_) || at_command("\\") || at_command("right") ||
           at_command("end");
  }

  // ---- Rows and scripts

  Part parse_row() {
    Part row{.kind = Kind::row};
    while (!at_row_end()) row.parts.push_back(parse_scripted());
    settle_places(row.parts);
    return row;
  }

  Part parse_scripted() {
    Part base = parse_atom();
    Part lower, upper;
    bool primes_only = parse_primes(upper);
    for (;;) {
      const bool raised = accept('^');
      if (!raised && !accept('_')) break;
      Part& script = raised ? upper : lower;
      const bool primed = raised && primes_only;
      if (script.kind != Kind::nothing && !primed) {
        refuse(raised ? "two superscripts" : "two subscripts", "at most one of each", "group with { }");
      }
      Part argument = parse_argument(raised ? "^" : "_");
      if (primed) {
        script.parts.push_back(std::move(argument));
      } else {
        script = std::move(argument);
      }
      if (raised) primes_only = false;
    }
    if (lower.kind == Kind::nothing && upper.kind == Kind::nothing) return base;
    Part scripts{.kind = Kind::scripts, .place = base.place, .limits = base.limits};
    scripts.parts = {std::move(base), std::move(lower), std::move(upper)};
    return scripts;
  }

  // A prime is a superscript to which another may be added. Returns whether there is one.
  bool parse_primes(Part& upper) {
    while (accept('\'')) {
      upper.kind = Kind::row;
      upper.parts.push_back(symbol("′", Place::ordinary));
    }
    return !upper.parts.empty();
  }

  // What a command or a script applies to: a group, or one letter, digit or command.
  Part parse_argument(std::string_view of) {
    skip_spaces();
    if (at_row_end()) refuse(std::string(of) + " without an argument", "a { } group or one symbol after it");
    if (is_digit(peek())) return {.kind = Kind::number, .text = std::string(1, latex_[position_++])};
    return parse_atom();
  }

  Part parse_atom() {
    if (++depth_ > kMaxDepth) {
      refuse("nesting deeper than " + std::to_string(kMaxDepth), "a formula that people can read");
    }
    Part atom = parse_atom_here();
    --depth_;
    return atom;
  }

  Part parse_atom_here() {
    skip_spaces();
    const char c = peek();
    if (c == '\\') return parse_command();
    if (c == '{') return parse_group("{");
    if (is_digit(c)) return parse_number();
    ++position_;
    if (is_letter(c)) return symbol(std::string_view(&c, 1), Place::ordinary);
    if (auto plain = plain_symbol(c)) return *std::move(plain);
    if (c == '^' || c == '_' || c == '\'') {
      refuse(std::string("a script ") + c + " without a base", "something before it",
             "write {} before it for an empty one");
    }
    refuse("a character that has no meaning in formulas", "letters, digits, operators and commands",
           "put words into \\text{ } and write other symbols as commands");
  }

  Part parse_number() {
    const std::size_t first = position_;
    while (is_digit(peek())) ++position_;
    if (peek() == '.' && position_ + 1 < latex_.size() && is_digit(latex_[position_ + 1])) {
      ++position_;
      while (is_digit(peek())) ++position_;
    }
    return {.kind = Kind::number, .text = std::string(latex_.substr(first, position_ - first))};
  }

  Part parse_group(std::string_view of) {
    expect('{', of);
    const bool outer = std::exchange(in_index_, false);
    Part row = parse_row();
    in_index_ = outer;
    if (!accept('}')) refuse("a { without }", "a } for each {");
    if (row.parts.size() == 1) return std::move(row.parts[0]);
    return row;
  }

  // The characters between braces as they are; a backslash takes the next one literally.
  std::string parse_raw(std::string_view of) {
    expect('{', of);
    std::string text;
    while (!at_end() && peek() != '}' && peek() != '{') {
      if (peek() == '\\' && position_ + 1 < latex_.size() && !is_letter(latex_[position_ + 1])) ++position_;
      text += latex_[position_++];
    }
    expect('}', std::string(of) + '{' + text);
    return text;
  }

  // ---- Commands

  Part parse_command() {
    const std::string_view command = command_here();
    const std::string shown = "\\" + std::string(command);
    position_ += 1 + command.size();
    if (const Symbol* known = find_symbol(command)) {
      return {.kind = known->kind, .place = known->place, .text = std::string(known->text), .limits = known->limits};
    }
    if (find_accent(command) != nullptr) {
      Part accent{.kind = Kind::accent, .text = std::string(command)};
      accent.parts.push_back(parse_argument(shown));
      return accent;
    }
    if (command == "frac" || command == "tfrac" || command == "dfrac") return parse_fraction(shown);
    if (command == "sqrt") return parse_root();
    if (command == "text") return {.kind = Kind::text, .place = Place::words, .text = parse_raw(shown)};
    if (command == "operatorname") {
      const bool limits = accept('*');
      return {.kind = Kind::word, .place = Place::function, .text = parse_raw(shown), .limits = limits};
    }
    if (command == "mathrm") return {.kind = Kind::word, .text = parse_raw(shown)};
    if (command == "mathbf" || command == "mathbb" || command == "mathcal") return parse_styled(command);
    if (command == "left") return parse_fenced();
    if (command == "begin") return parse_table();
    refuse_command(shown);
  }

  [[noreturn]] void refuse_command(const std::string& shown) const {
    std::vector<std::string> known = symbol_commands();
    known.insert(known.end(), kStructures.begin(), kStructures.end());
    const std::string near = nearest_name(shown.substr(1), known);
    refuse("the unknown command " + shown, "a command of the subset in docs/formulas.md",
           near.empty() ? "write a name as \\operatorname{name}" : "did you mean \\" + near + "?");
  }

  Part parse_fraction(std::string_view shown) {
    Part fraction{.kind = Kind::fraction};
    fraction.parts.push_back(parse_argument(shown));
    fraction.parts.push_back(parse_argument(shown));
    return fraction;
  }

  Part parse_root() {
    Part index;
    if (accept('[')) {
      const bool outer = std::exchange(in_index_, true);
      index = parse_row();
      in_index_ = outer;
      if (!accept(']')) refuse("\\sqrt[ without ]", "a ] after the index of the root");
    }
    Part root{.kind = Kind::root};
    root.parts.push_back(parse_argument("\\sqrt"));
    root.parts.push_back(std::move(index));
    return root;
  }

  Part parse_styled(std::string_view style) {
    Part row{.kind = Kind::row};
    for (const char c : parse_raw("\\" + std::string(style))) {
      if (!is_letter(c)) refuse("\\" + std::string(style) + " of something else than letters", "Latin letters");
      Part letter = symbol(std::string_view(&c, 1), Place::ordinary);
      letter.styled = styled_letter(style, c);
      if (style == "mathbb") letter.text = letter.styled;
      row.parts.push_back(std::move(letter));
    }
    if (row.parts.size() == 1) return std::move(row.parts[0]);
    return row;
  }

  // The delimiter after \left or \right; "" for the invisible one, a dot.
  std::string parse_delimiter(std::string_view after) {
    skip_spaces();
    if (accept('.')) return {};
    const std::string_view command = command_here();
    const Symbol* named = command.empty() ? nullptr : find_symbol(command);
    const std::string text = named != nullptr ? std::string(named->text) : std::string(1, peek());
    const bool is_delimiter =
        named != nullptr ? named->place == Place::open || named->place == Place::close || named->place == Place::bar
                         : std::string_view("()[]|").find(peek()) != std::string_view::npos;
    if (at_end() || !is_delimiter) {
      refuse(std::string(after) + " without a delimiter", "one of ( ) [ ] | \\{ \\} \\lfloor … or a dot after it");
    }
    position_ += named != nullptr ? 1 + command.size() : 1;
    return text;
  }

  Part parse_fenced() {
    Part fenced{.kind = Kind::fenced, .text = parse_delimiter("\\left")};
    const bool outer = std::exchange(in_index_, false);
    fenced.parts.push_back(parse_row());
    in_index_ = outer;
    if (!accept_command("right")) refuse("\\left without \\right", "a \\right for each \\left");
    fenced.close = parse_delimiter("\\right");
    return fenced;
  }

  Part parse_table() {
    const std::string name = parse_raw("\\begin");
    if (std::find(kEnvironments.begin(), kEnvironments.end(), name) == kEnvironments.end()) {
      refuse("the unknown environment \\begin{" + name + "}", "cases, aligned or bmatrix");
    }
    const bool outer = std::exchange(in_index_, false);
    Part table{.kind = Kind::table, .text = name};
    do {
      Part row{.kind = Kind::row};
      do row.parts.push_back(parse_row());
      while (accept('&'));
      const bool blank = row.parts.size() == 1 && row.parts[0].parts.empty();
      if (!blank) table.parts.push_back(std::move(row));
    } while (accept_command("\\"));
    in_index_ = outer;
    if (!accept_command("end") || parse_raw("\\end") != name) {
      refuse("\\begin{" + name + "} without its end", "\\end{" + name + "}");
    }
    return table;
  }

  std::string_view latex_;
  std::size_t position_ = 0;
  int depth_ = 0;
  bool in_index_ = false;  // between [ and ] of a root
};

}  // namespace

Part parse(std::string_view latex) { return Parser(latex).parse_all(); }

}  // namespace asg::formula
