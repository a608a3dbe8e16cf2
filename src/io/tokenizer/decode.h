#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "vocabulary.h"

namespace asg::io {

struct DecoderSpec {
  enum class Join : std::uint8_t {
    blanks,       // a blank between tokens
    nothing,      // tokens one after another
    word_pieces,  // a blank before each token that does not begin with `prefix`, which is dropped
  };
  Join join = Join::blanks;
  bool byte_level = false;                                        // tokens write bytes as GPT-2 does
  bool byte_fallback = false;                                     // <0x41> is a byte
  std::vector<std::pair<std::string, std::string>> replace = {};  // inside each token
  std::string prefix = "##";
  bool clean_up = true;         // of word pieces: no blank before punctuation and endings such as 's
  char strip = ' ';             // dropped from the whole text …
  std::size_t strip_begin = 0;  // … so often at most at its beginning
  std::size_t strip_end = 0;
};

// Puts the texts of tokens together.
class Decoder {
 public:
  // Added tokens stand for themselves, whatever the rest writes.
  Decoder(const Vocabulary& vocabulary, DecoderSpec spec, std::span<const TokenId> added);

  std::string decode(std::span<const TokenId> ids) const;  // all of them tokens

 private:
  std::string_view text_of(TokenId id) const {
    const auto at = static_cast<std::size_t>(id);
    return std::string_view(texts_).substr(begins_[at], begins_[at + 1] - begins_[at]);
  }
  void append_word_piece(std::string& out, std::string_view token, bool first) const;

  DecoderSpec spec_;
  std::string texts_;                // of all tokens, one after another
  std::vector<std::size_t> begins_;  // by id, and the end
};

}  // namespace asg::io
