#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "added_tokens.h"
#include "asg/io/tokenizer.h"
#include "byte_pair.h"
#include "decode.h"
#include "normalise.h"
#include "split.h"
#include "vocabulary.h"
#include "word_cache.h"
#include "word_piece.h"

namespace asg::io {

// What a tokenizer.json says, checked: every id that is mentioned is a token of the vocabulary.
struct TokenizerSpec {
  Vocabulary vocabulary = {};  // with the added tokens
  std::vector<AddedToken> added = {};
  std::vector<NormaliseStep> normalise = {};
  std::vector<SplitStep> split = {};
  std::variant<BytePairSpec, WordPieceSpec> model = {};
  std::vector<TokenId> before = {};  // around every text
  std::vector<TokenId> after = {};
  DecoderSpec decoder = {};
  std::string json = {};
};

// The way of a text: added tokens are found, the rest is normalised, cut into words, and words become tokens.
class TokenPipeline {
 public:
  explicit TokenPipeline(TokenizerSpec spec);
  TokenPipeline(const TokenPipeline&) = delete;
  TokenPipeline& operator=(const TokenPipeline&) = delete;

  std::vector<TokenId> encode(std::string_view text, const EncodeOptions& options) const;
  std::string decode(std::span<const TokenId> ids, const DecodeOptions& options) const;

  TokenizerKind kind() const;
  const Vocabulary& vocabulary() const { return spec_.vocabulary; }
  bool is_special(TokenId id) const;
  const std::vector<TokenId>& special_tokens() const { return special_; }
  const std::string& json() const { return spec_.json; }

 private:
  // What encoding remembers from word to word and from call to call.
  struct Scratch {
    WordCache cache;
    MergeScratch merge;
  };
  // Each call works with one of its own and puts it back, so calls from several threads do not meet.
  std::unique_ptr<Scratch> take_scratch() const;
  void give_back(std::unique_ptr<Scratch> scratch) const;

  // The parts of a text between added tokens go to `encode_rest`.
  template <class EncodeRest>
  void around_added(const AddedTokens& added, std::string_view text, const EncodeOptions& options,
                    std::vector<TokenId>& out, const EncodeRest& encode_rest) const;
  void encode_word(std::string_view word, Scratch& scratch, std::vector<TokenId>& out) const;
  bool keeps_bytes() const;

  TokenizerSpec spec_;
  AddedTokens in_text_;
  AddedTokens in_normalised_;
  std::vector<TokenId> special_;  // ascending
  std::variant<BytePairModel, WordPieceModel> model_;
  Decoder decoder_;
  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<Scratch>> free_;
};

}  // namespace asg::io
