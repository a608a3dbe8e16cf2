#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "asg/core/limits.h"

// Text to numbers and back. docs/tokenisers.md says which files are read and what happens to bytes that are no UTF-8.
namespace asg::io {

class TokenPipeline;

using TokenId = std::int32_t;  // never negative

enum class TokenizerKind : std::uint8_t {
  characters,  // a token per character
  byte_pair,   // merged characters (LLaMA 1 and 2)
  byte_level,  // merged bytes (GPT-2, LLaMA 3)
  word_piece,  // the longest known pieces of words (BERT)
};
std::string_view name_of(TokenizerKind kind);  // "word_piece"

struct EncodeOptions {
  // Adds what the tokeniser puts around every text, such as [CLS] and [SEP].
  bool add_special = true;
  // The name of a special token that stands in the text becomes that token. Switch it off for text of strangers.
  bool recognise_special = true;
};

struct DecodeOptions {
  bool skip_special = false;
};

// Immutable and cheap to copy; all functions may be called from several threads at once.
class Tokenizer {
 public:
  explicit Tokenizer(std::shared_ptr<const TokenPipeline> pipeline) : pipeline_(std::move(pipeline)) {}

  // Throws computation_error for a character that the vocabulary lacks where it has no token for unknown ones.
  std::vector<TokenId> encode(std::string_view text, const EncodeOptions& options = {}) const;

  // Tokens that stand for bytes give just these, so a part of a character may be the result of a part of the tokens;
  // the results for consecutive parts of byte-level tokens, put together, are the result for the whole. Throws
  // bad_index for an id that is no token.
  std::string decode(std::span<const TokenId> ids, const DecodeOptions& options = {}) const;

  TokenizerKind kind() const;
  // The largest id and 1: the rows that an embedding needs. Some ids below may be no token.
  std::int64_t vocabulary_size() const;
  // As the file writes it: "Ġthe", "##ing". The text lives as long as the tokeniser.
  std::optional<std::string_view> token(TokenId id) const;
  std::optional<TokenId> id_of(std::string_view token) const;
  bool is_special(TokenId id) const;
  std::vector<TokenId> special_tokens() const;  // ascending

  // The contents of a tokenizer.json: read back it gives the same tokeniser, here and in other libraries.
  const std::string& to_json() const;

 private:
  std::shared_ptr<const TokenPipeline> pipeline_;
};

// Bounds for files that are not to be trusted. Those of the process (asg/core/limits.h) where a caller names no others.
struct TokenizerLimits {
  std::size_t max_bytes = static_cast<std::size_t>(limit_of(Limit::json_bytes));
  int max_depth = 32;  // of JSON values in each other
};

struct WordPieceOptions {
  // Unset: lower case where the vocabulary holds no capital letter.
  std::optional<bool> lower_case = std::nullopt;
};

// A tokeniser from whatever the path leads to: a tokenizer.json; GPT-2's encoder.json (vocab.json) or vocab.bpe
// (merges.txt), each with the other beside it; a vocab.txt of WordPiece; or a folder that holds one of these. Files are
// recognised by what stands in them. Throws io_error, bad_json, limit_exceeded, and not_implemented for a part that
// would change the result and that is not known here.
Tokenizer load_tokenizer(const std::string& path, const TokenizerLimits& limits = {});

// The same from the contents of files.
Tokenizer tokenizer_from_json(std::string_view json, const TokenizerLimits& limits = {});
Tokenizer gpt2_tokenizer(std::string_view encoder_json, std::string_view merges, const TokenizerLimits& limits = {});
Tokenizer word_piece_tokenizer(std::string_view lines, const WordPieceOptions& options = {},
                               const TokenizerLimits& limits = {});

struct CharacterOptions {
  std::string unknown = {};  // the token for characters that the text lacks: "<unk>"; "" makes them errors
};

// A token for each character of the text, in the order of their code points.
Tokenizer character_tokenizer(std::string_view text, const CharacterOptions& options = {});

struct BytePairTraining {
  std::int64_t vocabulary_size = 8192;                   // all tokens: 256 bytes, merges, special ones
  std::int64_t least_count = 2;                          // a pair that is rarer is not merged
  std::vector<std::string> special = {"<|endoftext|>"};  // they get the last ids
  std::function<void(std::int64_t tokens, std::int64_t of)> progress = {};
};

// Learns a byte-level tokeniser, with GPT-2's way to cut words, from a text. The same text gives the same tokens.
// Throws bad_attribute for a size that is too small or too large.
Tokenizer train_byte_pair(std::string_view text, const BytePairTraining& training = {});

}  // namespace asg::io
