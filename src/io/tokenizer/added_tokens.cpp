#include "added_tokens.h"

#include "unicode.h"
#include "utf8.h"

namespace asg::io {
namespace {

// Where the last character before `end` begins.
std::size_t previous(std::string_view text, std::size_t end) {
  std::size_t at = end - 1;
  while (at > 0 && end - at < 4 && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80) --at;
  return at;
}

bool has(Traits traits, std::string_view text, std::size_t at) {
  return (traits_of(decode_at(text, at).code) & traits) != 0;
}

bool is_inside_word(std::string_view text, std::size_t begin, std::size_t end) {
  return (begin > 0 && has(kWord, text, previous(text, begin))) || (end < text.size() && has(kWord, text, end));
}

}  // namespace

void AddedTokens::add(const AddedToken& token, std::string_view text) {
  all_.add(text, token.id);
  if (!token.special) plain_.add(text, token.id);
  tokens_.emplace(token.id, token);
}

std::optional<AddedTokens::Found> AddedTokens::find(std::string_view text, std::size_t at, bool with_special) const {
  const ByteTrie& words = with_special ? all_ : plain_;
  if (words.empty()) return std::nullopt;
  for (std::size_t begin = words.next_candidate(text, at); begin < text.size();) {
    const ByteTrie::Match match = words.longest(text, begin);
    const std::size_t end = begin + match.length;
    if (match.length > 0) {
      const AddedToken& token = tokens_.at(match.id);
      if (!token.single_word || !is_inside_word(text, begin, end)) {
        Found found = {begin, end, match.id};
        while (token.left_strip && found.begin > at && has(kSpace, text, previous(text, found.begin))) {
          found.begin = previous(text, found.begin);
        }
        while (token.right_strip && found.end < text.size() && has(kSpace, text, found.end)) {
          found.end += decode_at(text, found.end).bytes;
        }
        return found;
      }
    }
    begin = words.next_candidate(text, match.length > 0 ? end : begin + 1);
  }
  return std::nullopt;
}

}  // namespace asg::io
