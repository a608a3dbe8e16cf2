#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "byte_trie.h"
#include "vocabulary.h"

namespace asg::io {

struct WordPieceSpec {
  TokenId unknown = 0;
  std::string prefix = "##";          // of pieces inside a word
  std::size_t most_characters = 100;  // a longer word is unknown
};

// The longest piece with which a word begins, then the longest with which its rest begins, and so on. A word with a
// rest that no piece begins is unknown as a whole.
class WordPieceModel {
 public:
  WordPieceModel(const Vocabulary& vocabulary, WordPieceSpec spec);

  // Appends the tokens of a word.
  void encode(std::string_view word, std::vector<TokenId>& out) const;

 private:
  WordPieceSpec spec_;
  ByteTrie pieces_;
  ByteTrie::Node inside_;  // where pieces inside a word begin
};

}  // namespace asg::io
