#include "pipeline.h"

#include <algorithm>

#include "asg/core/error.h"
#include "utf8.h"

namespace asg::io {
namespace {

using Model = std::variant<BytePairModel, WordPieceModel>;

Model make_model(const Vocabulary& vocabulary, std::variant<BytePairSpec, WordPieceSpec> spec) {
  if (auto* pairs = std::get_if<BytePairSpec>(&spec)) return BytePairModel(vocabulary, std::move(*pairs));
  return WordPieceModel(vocabulary, std::get<WordPieceSpec>(std::move(spec)));
}

std::vector<TokenId> ids_of(const std::vector<AddedToken>& tokens) {
  std::vector<TokenId> ids;
  for (const AddedToken& token : tokens) ids.push_back(token.id);
  return ids;
}

}  // namespace

TokenPipeline::TokenPipeline(TokenizerSpec spec)
    : spec_(std::move(spec)),
      model_(make_model(spec_.vocabulary, std::move(spec_.model))),
      decoder_(spec_.vocabulary, spec_.decoder, ids_of(spec_.added)) {
  for (const AddedToken& token : spec_.added) {
    if (token.normalised) {
      in_normalised_.add(token, normalise(spec_.normalise, token.text));
    } else {
      in_text_.add(token, token.text);
    }
    if (token.special) special_.push_back(token.id);
  }
  std::sort(special_.begin(), special_.end());
}

std::unique_ptr<TokenPipeline::Scratch> TokenPipeline::take_scratch() const {
  const std::lock_guard lock(mutex_);
  if (free_.empty()) return std::make_unique<Scratch>();
  std::unique_ptr<Scratch> scratch = std::move(free_.back());
  free_.pop_back();
  return scratch;
}

void TokenPipeline::give_back(std::unique_ptr<Scratch> scratch) const {
  const std::lock_guard lock(mutex_);
  free_.push_back(std::move(scratch));
}

bool TokenPipeline::keeps_bytes() const {
  const auto* pairs = std::get_if<BytePairModel>(&model_);
  return pairs != nullptr && pairs->byte_level();
}

void TokenPipeline::encode_word(std::string_view word, Scratch& scratch, std::vector<TokenId>& out) const {
  if (const auto known = scratch.cache.find(word); !known.empty()) {
    out.insert(out.end(), known.begin(), known.end());
    return;
  }
  const std::size_t before = out.size();
  if (const auto* pairs = std::get_if<BytePairModel>(&model_)) {
    pairs->encode(word, scratch.merge, out);
  } else {
    std::get<WordPieceModel>(model_).encode(word, out);
  }
  scratch.cache.keep(word, std::span(out).subspan(before));
}

template <class EncodeRest>
void TokenPipeline::around_added(const AddedTokens& added, std::string_view text, const EncodeOptions& options,
                                 std::vector<TokenId>& out, const EncodeRest& encode_rest) const {
  std::size_t at = 0;
  while (const auto found = added.find(text, at, options.recognise_special)) {
    if (found->begin > at) encode_rest(text.substr(at, found->begin - at));
    out.push_back(found->id);
    at = found->end;
  }
  if (at < text.size()) encode_rest(text.substr(at));
}

std::vector<TokenId> TokenPipeline::encode(std::string_view text, const EncodeOptions& options) const {
  std::string repaired;
  if (!keeps_bytes() && !is_utf8(text)) {
    repaired = with_replacements(text);
    text = repaired;
  }
  std::vector<TokenId> out;
  if (options.add_special) out = spec_.before;
  std::unique_ptr<Scratch> scratch = take_scratch();
  const auto encode_words = [&](std::string_view part) {
    const auto sink = [&](std::string_view word) { encode_word(word, *scratch, out); };
    split(std::span<const SplitStep>(spec_.split), part, sink);
  };
  around_added(in_text_, text, options, out, [&](std::string_view part) {
    std::string normal;
    if (!spec_.normalise.empty()) {
      normal = normalise(spec_.normalise, part);
      part = normal;
    }
    around_added(in_normalised_, part, options, out, encode_words);
  });
  give_back(std::move(scratch));
  if (options.add_special) out.insert(out.end(), spec_.after.begin(), spec_.after.end());
  return out;
}

std::string TokenPipeline::decode(std::span<const TokenId> ids, const DecodeOptions& options) const {
  for (std::size_t k = 0; k < ids.size(); ++k) {
    if (spec_.vocabulary.holds(ids[k])) continue;
    fail(ErrorCode::bad_index, "the id " + std::to_string(ids[k]) + " at position " + std::to_string(k),
         "ids of tokens, below " + std::to_string(spec_.vocabulary.size()), "decode what this tokeniser encoded");
  }
  if (!options.skip_special) return decoder_.decode(ids);
  std::vector<TokenId> kept;
  std::copy_if(ids.begin(), ids.end(), std::back_inserter(kept), [this](TokenId id) { return !is_special(id); });
  return decoder_.decode(kept);
}

TokenizerKind TokenPipeline::kind() const {
  const auto* pairs = std::get_if<BytePairModel>(&model_);
  if (pairs == nullptr) return TokenizerKind::word_piece;
  if (pairs->byte_level()) return TokenizerKind::byte_level;
  return pairs->has_merges() ? TokenizerKind::byte_pair : TokenizerKind::characters;
}

bool TokenPipeline::is_special(TokenId id) const { return std::binary_search(special_.begin(), special_.end(), id); }

// ---- The public face

std::string_view name_of(TokenizerKind kind) {
  switch (kind) {
    case TokenizerKind::characters:
      return "characters";
    case TokenizerKind::byte_pair:
      return "byte_pair";
    case TokenizerKind::byte_level:
      return "byte_level";
    case TokenizerKind::word_piece:
      break;
  }
  return "word_piece";
}

std::vector<TokenId> Tokenizer::encode(std::string_view text, const EncodeOptions& options) const {
  return pipeline_->encode(text, options);
}

std::string Tokenizer::decode(std::span<const TokenId> ids, const DecodeOptions& options) const {
  return pipeline_->decode(ids, options);
}

TokenizerKind Tokenizer::kind() const { return pipeline_->kind(); }

std::int64_t Tokenizer::vocabulary_size() const { return static_cast<std::int64_t>(pipeline_->vocabulary().size()); }

std::optional<std::string_view> Tokenizer::token(TokenId id) const {
  if (!pipeline_->vocabulary().holds(id)) return std::nullopt;
  return pipeline_->vocabulary().text(id);
}

std::optional<TokenId> Tokenizer::id_of(std::string_view token) const { return pipeline_->vocabulary().find(token); }

bool Tokenizer::is_special(TokenId id) const { return pipeline_->is_special(id); }

std::vector<TokenId> Tokenizer::special_tokens() const { return pipeline_->special_tokens(); }

const std::string& Tokenizer::to_json() const { return pipeline_->json(); }

}  // namespace asg::io
