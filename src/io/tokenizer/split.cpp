#include "split.h"

#include <array>
#include <utility>

namespace asg::io {
namespace {

struct Character {
  Traits traits = 0;
  std::size_t end = 0;  // where the next one begins; 0 beyond the end of the text
};

Character character_at(std::string_view text, std::size_t at) {
  if (at >= text.size()) return {};
  const Decoded next = decode_at(text, at);
  return {traits_of(next.code), at + next.bytes};
}

// The end of the characters from `at` on that have one of the traits, or none of them.
std::size_t run_with(Traits traits, std::string_view text, std::size_t at) {
  while (true) {
    const Character next = character_at(text, at);
    if ((next.traits & traits) == 0) return at;
    at = next.end;
  }
}

std::size_t run_without(Traits traits, std::string_view text, std::size_t at) {
  while (true) {
    const Character next = character_at(text, at);
    if (next.end == 0 || (next.traits & traits) != 0) return at;
    at = next.end;
  }
}

constexpr Traits kNotOther = kSpace | kLetter | kNumber;

bool is_new_line(char letter) { return letter == '\n' || letter == '\r'; }

char lower_ascii(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter + ('a' - 'A')) : letter;
}

// 's 't 're 've 'm 'll 'd : the bytes of such an ending at `at`, or 0. In any case of letters the long s is an s too.
std::size_t contraction(std::string_view text, std::size_t at, bool any_case) {
  if (at + 1 >= text.size() || text[at] != '\'') return 0;
  const auto letter = [&](std::size_t offset) {
    if (at + offset >= text.size()) return '\0';
    return any_case ? lower_ascii(text[at + offset]) : text[at + offset];
  };
  constexpr std::string_view kLongS = "\xC5\xBF";
  if (any_case && text.substr(at + 1, kLongS.size()) == kLongS) return 1 + kLongS.size();
  const char first = letter(1);
  const char second = letter(2);
  if (first == 's' || first == 't' || first == 'm' || first == 'd') return 2;
  const bool two =
      (first == 'r' && second == 'e') || (first == 'v' && second == 'e') || (first == 'l' && second == 'l');
  return two ? 3 : 0;
}

// \s+(?!\S)|\s+ : white space up to the last one before a word, which goes with the word.
std::size_t spaces_end(std::string_view text, std::size_t at) {
  std::size_t last = at;
  std::size_t end = at;
  for (Character next = character_at(text, at); (next.traits & kSpace) != 0; next = character_at(text, end)) {
    last = end;
    end = next.end;
  }
  return end == text.size() || last == at ? end : last;
}

// 's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
std::size_t gpt2_end(std::string_view text, std::size_t at) {
  if (const std::size_t ending = contraction(text, at, false); ending > 0) return at + ending;
  std::size_t from = at;
  if (text[at] == ' ' && at + 1 < text.size()) ++from;
  const Character first = character_at(text, from);
  if ((first.traits & kLetter) != 0) return run_with(kLetter, text, first.end);
  if ((first.traits & kNumber) != 0) return run_with(kNumber, text, first.end);
  if ((first.traits & kSpace) == 0) return run_without(kNotOther, text, first.end);
  return spaces_end(text, at);
}

// \p{N}{1,most}
std::size_t digits_end(std::string_view text, std::size_t at, int most) {
  for (int count = 0; count < most; ++count) {
    const Character next = character_at(text, at);
    if ((next.traits & kNumber) == 0) break;
    at = next.end;
  }
  return at;
}

// What GPT-4 and GPT-4o have in common after words and numbers:
//  ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+
std::size_t signs_or_spaces_end(std::string_view text, std::size_t at, bool slashes) {
  const std::size_t from = text[at] == ' ' ? at + 1 : at;
  const Character first = character_at(text, from);
  if (first.end > 0 && (first.traits & kNotOther) == 0) {
    std::size_t end = run_without(kNotOther, text, first.end);
    while (end < text.size() && (is_new_line(text[end]) || (slashes && text[end] == '/'))) ++end;
    return end;
  }
  const std::size_t end = run_with(kSpace, text, at);
  for (std::size_t after = end; after > at; --after) {
    if (is_new_line(text[after - 1])) return after;
  }
  return spaces_end(text, at);
}

// [^\r\n\p{L}\p{N}] : a sign or space that may stand before a word.
bool may_lead(const Character& first, char byte) {
  return (first.traits & (kLetter | kNumber)) == 0 && !is_new_line(byte);
}

// (?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+
std::size_t gpt4_end(std::string_view text, std::size_t at, int digits) {
  if (const std::size_t ending = contraction(text, at, true); ending > 0) return at + ending;
  const Character first = character_at(text, at);
  if ((first.traits & kLetter) != 0) return run_with(kLetter, text, first.end);
  if ((first.traits & kNumber) != 0) return digits_end(text, at, digits);
  if (may_lead(first, text[at])) {
    const std::size_t end = run_with(kLetter, text, first.end);
    if (end > first.end) return end;
  }
  return signs_or_spaces_end(text, at, false);
}

// [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+ ; nothing where it does not match.
std::optional<std::size_t> small_word_end(std::string_view text, std::size_t at) {
  std::size_t end = at;
  std::optional<std::size_t> after_both;  // the end of the last character that both classes hold
  while (true) {
    const Character next = character_at(text, end);
    if ((next.traits & kUpperLike) == 0) break;
    end = next.end;
    if ((next.traits & kLowerLike) != 0) after_both = end;
  }
  const std::size_t small_end = run_with(kLowerLike, text, end);
  return small_end > end ? small_end : after_both;
}

// [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*
std::optional<std::size_t> capital_word_end(std::string_view text, std::size_t at) {
  const std::size_t end = run_with(kUpperLike, text, at);
  if (end == at) return std::nullopt;
  return run_with(kLowerLike, text, end);
}

// Either kind of word, each with a sign before it or without, and with an ending such as 's.
std::size_t gpt4o_end(std::string_view text, std::size_t at) {
  const Character first = character_at(text, at);
  const bool leads = may_lead(first, text[at]);
  for (const auto word : {small_word_end, capital_word_end}) {
    std::optional<std::size_t> end;
    if (leads && first.end < text.size()) end = word(text, first.end);
    if (!end) end = word(text, at);
    if (end) return *end + contraction(text, *end, true);
  }
  if ((first.traits & kNumber) != 0) return digits_end(text, at, 3);
  return signs_or_spaces_end(text, at, true);
}

std::size_t bert_end(std::string_view text, std::size_t at) {
  // All signs of ASCII count as punctuation here, also those that Unicode calls symbols.
  const auto is_alone = [&](std::size_t place, const Character& next) {
    const auto byte = static_cast<unsigned char>(text[place]);
    if (byte < 0x80) return byte > 0x20 && byte != 0x7F && (next.traits & (kLetter | kNumber)) == 0;
    return (next.traits & kPunctuation) != 0;
  };
  Character next = character_at(text, at);
  if (is_alone(at, next)) return next.end;
  while (next.end > 0 && (next.traits & kSpace) == 0 && !is_alone(at, next)) {
    at = next.end;
    next = character_at(text, at);
  }
  return at;
}

constexpr std::array<std::pair<std::string_view, SplitKind>, 4> kExpressions = {{
    {R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)", SplitKind::gpt2},
    {R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
     SplitKind::gpt4},
    {R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
     SplitKind::gpt4_single_digit},
    {R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|)"
     R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|)"
     R"(\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
     SplitKind::gpt4o},
}};

}  // namespace

std::optional<SplitKind> scanner_of(std::string_view expression) {
  for (const auto& [known, kind] : kExpressions) {
    if (known == expression) return kind;
  }
  return std::nullopt;
}

std::size_t piece_begin(SplitKind kind, std::string_view text, std::size_t at) {
  const bool drops_spaces = kind == SplitKind::white_space || kind == SplitKind::bert;
  return drops_spaces ? run_with(kSpace, text, at) : at;
}

std::size_t piece_end(SplitKind kind, std::string_view text, std::size_t at) {
  switch (kind) {
    case SplitKind::gpt2:
      return gpt2_end(text, at);
    case SplitKind::gpt4:
      return gpt4_end(text, at, 3);
    case SplitKind::gpt4_single_digit:
      return gpt4_end(text, at, 1);
    case SplitKind::gpt4o:
      return gpt4o_end(text, at);
    case SplitKind::digits_alone:
    case SplitKind::digits_together: {
      const Character first = character_at(text, at);
      if ((first.traits & kNumber) == 0) return run_without(kNumber, text, first.end);
      return kind == SplitKind::digits_alone ? first.end : run_with(kNumber, text, first.end);
    }
    case SplitKind::white_space:
      return run_without(kSpace, text, at);
    case SplitKind::bert:
      return bert_end(text, at);
    case SplitKind::whole:
      break;
  }
  return text.size();
}

}  // namespace asg::io
