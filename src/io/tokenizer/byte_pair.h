#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "asg/io/tokenizer.h"
#include "flat_map.h"
#include "vocabulary.h"

namespace asg::io {

struct BytePairSpec {
  std::vector<std::pair<TokenId, TokenId>> merges = {};  // the most wanted first
  std::vector<TokenId> merged = {};                      // what each of them gives
  std::optional<TokenId> unknown = std::nullopt;         // for characters that are no token
  bool byte_level = false;     // the vocabulary writes bytes as GPT-2 does, and words are their bytes
  bool byte_fallback = false;  // a character that is no token becomes the tokens <0x00> … <0xFF> of its bytes
  bool fuse_unknown = false;   // neighbouring unknown characters are one
  bool ignore_merges = false;  // a word that is a token is that token, whatever the merges say
};

// Symbols of one word and the merges that are possible; kept from word to word for its memory.
struct MergeScratch {
  struct Symbol {
    TokenId id;
    std::uint32_t before;
    std::uint32_t after;
  };
  std::vector<TokenId> ids;
  std::vector<std::uint64_t> merges;
  std::vector<Symbol> symbols;
};

// Merges neighbours, the most wanted pair first, until none is left that may be merged.
class BytePairModel {
 public:
  // The vocabulary must outlive the model.
  BytePairModel(const Vocabulary& vocabulary, BytePairSpec spec);

  // Appends the tokens of a word.
  void encode(std::string_view word, MergeScratch& scratch, std::vector<TokenId>& out) const;
  bool byte_level() const { return spec_.byte_level; }
  bool has_merges() const { return has_merges_; }

 private:
  void begin_with_bytes(std::string_view word, std::vector<TokenId>& ids) const;
  void begin_with_characters(std::string_view word, std::vector<TokenId>& ids) const;
  void add_unknown(std::string_view character, bool& is_after_unknown, std::vector<TokenId>& ids) const;
  bool add_bytes_of(std::string_view character, std::vector<TokenId>& ids) const;

  // Rank and result of merging two tokens, in one number that is smaller for a pair that is wanted more.
  std::uint64_t merge_of(TokenId left, TokenId right) const {
    return merges_.find(std::uint64_t{static_cast<std::uint32_t>(left)} << 32 | static_cast<std::uint32_t>(right));
  }
  void merge_few(MergeScratch& scratch) const;
  void merge_many(MergeScratch& scratch) const;

  const Vocabulary* vocabulary_;
  BytePairSpec spec_;
  bool has_merges_;
  FlatMap merges_;
  std::array<TokenId, 256> byte_tokens_ = {};                // of single bytes, or of <0x00> …; -1 where there is none
  std::unordered_map<std::string, TokenId> words_of_bytes_;  // with ignore_merges in bytes
};

// The bytes of a token that is written as GPT-2 writes bytes (a printable character for each); nothing for one that is
// written otherwise.
std::optional<std::string> bytes_of_token(std::string_view token);
std::string token_of_bytes(std::string_view bytes);

}  // namespace asg::io
