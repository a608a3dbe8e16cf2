#include <unordered_set>

#include "json.h"
#include "utf8.h"

namespace asg::io {
namespace {

constexpr std::int64_t kLargestId = 0x7FFFFFFE;

using Tokens = std::vector<std::pair<std::string, TokenId>>;

Tokens read_vocabulary(const Json& vocabulary, const std::string& pointer) {
  if (!vocabulary.is_object()) refuse_json(pointer, shown(vocabulary), "an object of tokens and their ids");
  Tokens tokens;
  tokens.reserve(vocabulary.size());
  for (const auto& [text, id] : vocabulary.items()) {
    if (!id.is_number_unsigned() || id.get<std::uint64_t>() > static_cast<std::uint64_t>(kLargestId)) {
      refuse_json(pointer, shown(id) + " for the token " + shown(std::string_view(text)), "ids from 0 on");
    }
    tokens.emplace_back(text, static_cast<TokenId>(id.get<std::uint64_t>()));
  }
  return tokens;
}

AddedToken read_added_token(const Json& value, const std::string& pointer) {
  Fields fields(value, pointer);
  AddedToken token;
  token.id = static_cast<TokenId>(fields.number("id", 0, kLargestId));
  token.text = fields.text("content");
  token.special = fields.flag_or("special", false);
  token.single_word = fields.flag_or("single_word", false);
  token.left_strip = fields.flag_or("lstrip", false);
  token.right_strip = fields.flag_or("rstrip", false);
  token.normalised = fields.flag_or("normalized", !token.special);
  fields.finish();
  if (token.text.empty()) refuse_json(fields.pointer("content"), "nothing", "the text of a token");
  return token;
}

// Added tokens may be in the vocabulary already, with the same id.
std::vector<AddedToken> read_added_tokens(const Json* list, const Json& vocabulary, Tokens& tokens) {
  std::vector<AddedToken> added;
  std::unordered_set<TokenId> ids;
  if (list == nullptr) return added;
  if (!list->is_array()) refuse_json("/added_tokens", shown(*list), "a list");
  for (std::size_t k = 0; k < list->size(); ++k) {
    const std::string pointer = "/added_tokens/" + std::to_string(k);
    AddedToken token = read_added_token((*list)[k], pointer);
    const auto known = vocabulary.find(token.text);
    if (known == vocabulary.end()) {
      tokens.emplace_back(token.text, token.id);
    } else if (*known != token.id) {
      refuse_json(pointer, "the id " + std::to_string(token.id) + " for " + shown(std::string_view(token.text)),
                  "the id that the vocabulary has: " + shown(*known));
    }
    if (!ids.insert(token.id).second) {
      refuse_json(pointer, "the id " + std::to_string(token.id) + " twice", "an id of its own for each token");
    }
    added.push_back(std::move(token));
  }
  return added;
}

TokenId need_token(const Vocabulary& vocabulary, const std::string& token, const std::string& pointer,
                   const std::string& what) {
  if (const auto id = vocabulary.find(token)) return *id;
  refuse_json(pointer, what + " " + shown(std::string_view(token)), "a token of the vocabulary");
}

std::string merge_pointer(std::size_t rank) { return "/model/merges/" + std::to_string(rank); }

// "left right", or ["left", "right"].
std::pair<std::string, std::string> read_merge(const Json& value, std::size_t rank) {
  if (value.is_array() && value.size() == 2 && value[0].is_string() && value[1].is_string()) {
    return {value[0].get<std::string>(), value[1].get<std::string>()};
  }
  if (value.is_string()) {
    const auto& text = value.get_ref<const std::string&>();
    const std::size_t blank = text.find(' ');
    if (blank != std::string::npos && text.find(' ', blank + 1) == std::string::npos) {
      return {text.substr(0, blank), text.substr(blank + 1)};
    }
  }
  refuse_json(merge_pointer(rank), shown(value), "two tokens, in one text with a blank between them or in a list");
}

void read_merges(const Json& merges, const Vocabulary& vocabulary, BytePairSpec& spec) {
  if (!merges.is_array()) refuse_json("/model/merges", shown(merges), "a list");
  spec.merges.reserve(merges.size());
  spec.merged.reserve(merges.size());
  for (std::size_t rank = 0; rank < merges.size(); ++rank) {
    const auto [left, right] = read_merge(merges[rank], rank);
    const auto left_id = vocabulary.find(left);
    const auto right_id = vocabulary.find(right);
    const auto merged = vocabulary.find(left + right);
    if (!left_id) need_token(vocabulary, left, merge_pointer(rank), "a merge of");
    if (!right_id) need_token(vocabulary, right, merge_pointer(rank), "a merge of");
    if (!merged) need_token(vocabulary, left + right, merge_pointer(rank), "a merge to");
    spec.merges.emplace_back(*left_id, *right_id);
    spec.merged.push_back(*merged);
  }
}

BytePairSpec read_byte_pair(Fields& fields, const Vocabulary& vocabulary) {
  BytePairSpec spec;
  if (const Json* dropout = fields.may("dropout"); dropout != nullptr && *dropout != 0) {
    refuse_unknown_part(fields.pointer("dropout"), "a random choice of merges (dropout)");
  }
  for (const char* affix : {"continuing_subword_prefix", "end_of_word_suffix"}) {
    if (!fields.text_or(affix, "").empty()) refuse_unknown_part(fields.pointer(affix), "a mark of word parts in a BPE");
  }
  if (fields.may("unk_token") != nullptr) {
    spec.unknown = need_token(vocabulary, fields.text("unk_token"), fields.pointer("unk_token"), "the unknown token");
  }
  spec.fuse_unknown = fields.flag_or("fuse_unk", false);
  spec.byte_fallback = fields.flag_or("byte_fallback", false);
  spec.ignore_merges = fields.flag_or("ignore_merges", false);
  read_merges(fields.need("merges"), vocabulary, spec);
  return spec;
}

WordPieceSpec read_word_piece(Fields& fields, const Vocabulary& vocabulary) {
  constexpr std::int64_t kMost = 1'000'000;
  WordPieceSpec spec;
  spec.unknown =
      need_token(vocabulary, fields.text_or("unk_token", "[UNK]"), fields.pointer("unk_token"), "the unknown token");
  spec.prefix = fields.text_or("continuing_subword_prefix", "##");
  spec.most_characters = static_cast<std::size_t>(fields.number_or("max_input_chars_per_word", 100, 0, kMost));
  return spec;
}

// Files of early versions do not name the kind.
std::string model_type(Fields& fields) {
  if (fields.may("type") != nullptr) return fields.text("type");
  if (fields.may("merges") != nullptr) return "BPE";
  return fields.may("continuing_subword_prefix") != nullptr ? "WordPiece" : "without a type";
}

}  // namespace

TokenizerSpec read_spec(const Json& file) {
  Fields fields(file, "");
  if (const std::string version = fields.text_or("version", "1.0"); version != "1.0") {
    throw UserError({ErrorCode::unsupported_version,
                     "version " + shown(std::string_view(version)) + " of tokenizer.json", "version 1.0", "", "",
                     "/version"});
  }
  for (const char* name : {"truncation", "padding"}) {
    if (fields.may(name) != nullptr) {
      refuse_unknown_part(fields.pointer(name), std::string("a length of results by '") + name + "'");
    }
  }
  Fields model(fields.object("model"), "/model");
  const std::string type = model_type(model);
  if (type != "BPE" && type != "WordPiece") refuse_unknown_part("/model", "the model " + shown(std::string_view(type)));
  const Json& vocabulary = model.need("vocab");
  Tokens tokens = read_vocabulary(vocabulary, "/model/vocab");
  TokenizerSpec spec;
  spec.added = read_added_tokens(fields.may("added_tokens"), vocabulary, tokens);
  try {
    spec.vocabulary = Vocabulary(std::move(tokens));
  } catch (const UserError& error) {
    throw error.with_where("/model/vocab");
  }
  spec.normalise = read_normaliser(fields.may("normalizer"), "/normalizer");
  PreTokeniser cut = read_pre_tokeniser(fields.may("pre_tokenizer"), "/pre_tokenizer");
  spec.split = std::move(cut.steps);
  if (type == "BPE") {
    BytePairSpec pairs = read_byte_pair(model, spec.vocabulary);
    pairs.byte_level = cut.byte_level;
    spec.model = std::move(pairs);
  } else {
    if (cut.byte_level) refuse_unknown_part("/pre_tokenizer", "ByteLevel before WordPiece");
    spec.model = read_word_piece(model, spec.vocabulary);
  }
  model.finish();
  read_post_processor(fields.may("post_processor"), "/post_processor", spec);
  spec.decoder = read_decoder(fields.may("decoder"), "/decoder");
  fields.finish();
  return spec;
}

Tokenizer tokenizer_of(const Json& file, std::string text) {
  TokenizerSpec spec = read_spec(file);
  spec.json = std::move(text);
  return Tokenizer(std::make_shared<const TokenPipeline>(std::move(spec)));
}

Tokenizer tokenizer_from_json(std::string_view json, const TokenizerLimits& limits) {
  return tokenizer_of(parse_json(json, limits), std::string(json));
}

}  // namespace asg::io
