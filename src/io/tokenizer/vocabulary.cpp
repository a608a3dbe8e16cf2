#include "vocabulary.h"

#include <algorithm>

#include "asg/core/error.h"
#include "utf8.h"

namespace asg::io {
namespace {

// Ids that may be no token, besides as many as there are tokens. A bound, so that a small file cannot claim a huge
// table.
constexpr std::size_t kFreeHoles = 65536;

}  // namespace

Vocabulary::Vocabulary(std::vector<std::pair<std::string, TokenId>> tokens) {
  TokenId largest = -1;
  for (const auto& [text, id] : tokens) largest = std::max(largest, id);
  const auto size = static_cast<std::size_t>(largest + std::int64_t{1});
  if (size > 2 * tokens.size() + kFreeHoles) {
    fail(ErrorCode::bad_json,
         "a vocabulary of " + std::to_string(tokens.size()) + " tokens with the id " + std::to_string(largest),
         "ids without large holes", "number the tokens from 0");
  }
  tokens_.resize(size);
  ids_.reserve(tokens.size());
  for (auto& [text, id] : tokens) {
    auto& place = tokens_[static_cast<std::size_t>(id)];
    if (place.has_value()) {
      fail(ErrorCode::bad_json,
           "the id " + std::to_string(id) + " for both " + shown(std::string_view(*place)) + " and " +
               shown(std::string_view(text)),
           "an id of its own for each token");
    }
    place = std::move(text);
    if (!ids_.emplace(*place, id).second) {
      fail(ErrorCode::bad_json, "the token " + shown(std::string_view(*place)) + " twice", "each token once");
    }
  }
}

std::string shown(std::string_view text) {
  constexpr std::size_t kLongest = 40;
  std::string result = "'";
  for (std::size_t at = 0; at < text.size() && result.size() < kLongest;) {
    const Decoded next = decode_at(text, at);
    result += next.code == kNoCharacter ? kReplacement : next.code < 0x20 ? "?" : text.substr(at, next.bytes);
    at += next.bytes;
    if (result.size() >= kLongest && at < text.size()) return result + "…'";
  }
  return result + "'";
}

}  // namespace asg::io
