#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "byte_trie.h"

namespace asg::io {

// A token that is looked for in the text before anything else, such as <|endoftext|>.
struct AddedToken {
  TokenId id = 0;
  std::string text = {};
  bool special = false;
  bool single_word = false;  // not inside a word
  bool left_strip = false;   // takes the white space before it
  bool right_strip = false;  // and after it
  bool normalised = false;   // is looked for in the normalised text
};

// Finds added tokens in a text: the leftmost, and of those the longest.
class AddedTokens {
 public:
  struct Found {
    std::size_t begin = 0;
    std::size_t end = 0;
    TokenId id = 0;
  };

  // `text` is what to look for, which differs from the token's own text where that was normalised.
  void add(const AddedToken& token, std::string_view text);

  // The first one that lies in the text from `at` on.
  std::optional<Found> find(std::string_view text, std::size_t at, bool with_special) const;
  bool empty() const { return plain_.empty() && all_.empty(); }

 private:
  ByteTrie all_;
  ByteTrie plain_;  // without the special ones
  std::unordered_map<TokenId, AddedToken> tokens_;
};

}  // namespace asg::io
