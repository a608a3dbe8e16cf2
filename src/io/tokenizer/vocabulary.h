#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "asg/io/tokenizer.h"

namespace asg::io {

// Which tokens there are, by id and by text. A few ids may be no token: some files leave holes.
class Vocabulary {
 public:
  Vocabulary() = default;
  // Throws bad_json for two tokens of one id or one text, and where most ids would be holes.
  explicit Vocabulary(std::vector<std::pair<std::string, TokenId>> tokens);
  Vocabulary(Vocabulary&&) = default;
  Vocabulary& operator=(Vocabulary&&) = default;
  Vocabulary(const Vocabulary&) = delete;  // the views would lead to the original
  Vocabulary& operator=(const Vocabulary&) = delete;

  std::size_t size() const { return tokens_.size(); }  // the largest id and 1
  bool holds(TokenId id) const {
    return id >= 0 && static_cast<std::size_t>(id) < tokens_.size() &&
           tokens_[static_cast<std::size_t>(id)].has_value();
  }
  const std::string& text(TokenId id) const { return *tokens_[static_cast<std::size_t>(id)]; }
  std::optional<TokenId> find(std::string_view text) const {
    const auto found = ids_.find(text);
    return found == ids_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  std::vector<std::optional<std::string>> tokens_;
  std::unordered_map<std::string_view, TokenId> ids_;  // views of tokens_, which never changes
};

// For messages: in quotes, cut where it is long, without bytes that are no text.
std::string shown(std::string_view text);

}  // namespace asg::io
