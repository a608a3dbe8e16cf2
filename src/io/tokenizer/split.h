#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "unicode.h"
#include "utf8.h"

// Cuts a text into the pieces inside which tokens are looked for. The well-known regular expressions are scanners
// written by hand: a general engine of expressions would be many times slower.
namespace asg::io {

enum class SplitKind : std::uint8_t {
  whole,              // no cut at all
  gpt2,               // GPT-2: words with the space before them, numbers, the rest
  gpt4,               // GPT-4 and LLaMA 3: words with any sign before them, numbers of up to 3 digits
  gpt4_single_digit,  // Qwen: the same with each digit alone
  gpt4o,              // GPT-4o: words end where capitals follow small letters
  digits_alone,       // each digit is a piece
  digits_together,    // each number is a piece
  white_space,        // words between white space, which is dropped
  bert,               // words between white space, each punctuation mark alone
};

struct SplitStep {
  SplitKind kind = SplitKind::whole;
  bool prefix_space = false;  // a text that does not begin with a space gets one

  friend bool operator==(const SplitStep&, const SplitStep&) = default;
};

// The scanner that does what a regular expression says, if it is one of those known here.
std::optional<SplitKind> scanner_of(std::string_view expression);

// Where the first piece from `at` on begins; the size of the text if there is none.
std::size_t piece_begin(SplitKind kind, std::string_view text, std::size_t at);
// Where the piece that begins at `at` ends; beyond `at`.
std::size_t piece_end(SplitKind kind, std::string_view text, std::size_t at);

// Calls sink(piece) for all pieces in order: those of the first step are cut by the second and so on.
template <class Sink>
void split(std::span<const SplitStep> steps, std::string_view text, Sink& sink) {
  if (text.empty()) return;
  if (steps.empty()) {
    sink(text);
    return;
  }
  if (steps.front().prefix_space && text.front() != ' ') {
    std::string longer = " ";
    longer += text;
    std::vector<SplitStep> without(steps.begin(), steps.end());
    without.front().prefix_space = false;
    split(std::span<const SplitStep>(without), longer, sink);
    return;
  }
  const SplitKind kind = steps.front().kind;
  const auto rest = steps.subspan(1);
  for (std::size_t at = piece_begin(kind, text, 0); at < text.size();) {
    const std::size_t end = piece_end(kind, text, at);
    split(rest, text.substr(at, end - at), sink);
    at = piece_begin(kind, text, end);
  }
}

}  // namespace asg::io
