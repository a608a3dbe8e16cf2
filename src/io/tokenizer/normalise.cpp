#include "normalise.h"

#include <algorithm>
#include <array>
#include <utility>

#include "utf8.h"

namespace asg::io {
namespace {

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char byte) { return static_cast<unsigned char>(byte) < 0x80; });
}

// Calls change(out, character) for each character; bytes that are no UTF-8 stay.
template <class Change>
std::string changed(std::string_view text, const Change& change) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const Decoded next = decode_at(text, at);
    if (next.code == kNoCharacter) {
      out += text.substr(at, next.bytes);
    } else {
      change(out, next.code);
    }
    at += next.bytes;
  }
  return out;
}

std::string in_lower_case(std::string_view text) {
  return changed(text, [](std::string& out, char32_t code) {
    if (code < 0x80) {
      out += static_cast<char>(code >= 'A' && code <= 'Z' ? code + ('a' - 'A') : code);
    } else {
      append_lower_case(out, code);
    }
  });
}

std::string without(Traits traits, std::string_view text) {
  return changed(text, [traits](std::string& out, char32_t code) {
    if ((traits_of(code) & traits) == 0) append_utf8(out, code);
  });
}

// The blocks that BERT's authors named. That the sixth begins at 2B920 and not at 2B820 is their slip in the code that
// everybody follows.
bool is_chinese(char32_t code) {
  constexpr std::array<std::pair<char32_t, char32_t>, 8> kBlocks = {{{0x4E00, 0x9FFF},
                                                                     {0x3400, 0x4DBF},
                                                                     {0x20000, 0x2A6DF},
                                                                     {0x2A700, 0x2B73F},
                                                                     {0x2B740, 0x2B81F},
                                                                     {0x2B920, 0x2CEAF},
                                                                     {0xF900, 0xFAFF},
                                                                     {0x2F800, 0x2FA1F}}};
  return std::any_of(kBlocks.begin(), kBlocks.end(),
                     [code](const auto& block) { return code >= block.first && code <= block.second; });
}

std::string cleaned(std::string_view text) {
  constexpr char32_t kReplacementCode = 0xFFFD;
  return changed(text, [](std::string& out, char32_t code) {
    const Traits traits = traits_of(code);
    if ((traits & kSpace) != 0 && ((traits & kControl) == 0 || code == '\t' || code == '\n' || code == '\r')) {
      out += ' ';
    } else if (code != 0 && code != kReplacementCode && (traits & kControl) == 0) {
      append_utf8(out, code);
    }
  });
}

std::string with_room_for_chinese(std::string_view text) {
  return changed(text, [](std::string& out, char32_t code) {
    const bool chinese = code >= 0x3400 && is_chinese(code);
    if (chinese) out += ' ';
    append_utf8(out, code);
    if (chinese) out += ' ';
  });
}

std::string bert(const NormaliseStep& step, std::string_view text) {
  std::string result = step.clean ? cleaned(text) : std::string(text);
  const bool plain = is_ascii(result);
  if (step.chinese && !plain) result = with_room_for_chinese(result);
  if (step.accents && !plain) result = without(kNonspacing, normal_form(result, NormalForm::nfd));
  if (step.lower) result = in_lower_case(result);
  return result;
}

std::string replaced(std::string_view text, std::string_view from, std::string_view to) {
  std::string out;
  std::size_t at = 0;
  for (std::size_t found = text.find(from); found != std::string_view::npos; found = text.find(from, at)) {
    out += text.substr(at, found - at);
    out += to;
    at = found + from.size();
  }
  out += text.substr(at);
  return out;
}

std::string one_step(const NormaliseStep& step, std::string_view text) {
  switch (step.kind) {
    case NormaliseStep::Kind::bert:
      return bert(step, text);
    case NormaliseStep::Kind::lower_case:
      return in_lower_case(text);
    case NormaliseStep::Kind::strip_accents:
      return without(kMark, text);
    case NormaliseStep::Kind::form:
      return normal_form(text, step.normal_form);
    case NormaliseStep::Kind::prepend:
      return text.empty() ? std::string() : step.to + std::string(text);
    case NormaliseStep::Kind::replace:
      break;
  }
  return replaced(text, step.from, step.to);
}

}  // namespace

std::string normalise(std::span<const NormaliseStep> steps, std::string_view text) {
  std::string result(text);
  for (const NormaliseStep& step : steps) result = one_step(step, result);
  return result;
}

}  // namespace asg::io
