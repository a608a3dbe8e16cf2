// Tokenisers from other things than a tokenizer.json. Each becomes the contents of one, so there is one way to read
// them and one to save them.
#include <algorithm>
#include <set>

#include "asg/core/platform.h"
#include "json.h"
#include "utf8.h"

namespace asg::io {
namespace {

Json pair_model(Json vocabulary, Json merges, Json unknown) {
  return {{"type", "BPE"},
          {"dropout", nullptr},
          {"unk_token", std::move(unknown)},
          {"continuing_subword_prefix", nullptr},
          {"end_of_word_suffix", nullptr},
          {"fuse_unk", false},
          {"byte_fallback", false},
          {"vocab", std::move(vocabulary)},
          {"merges", std::move(merges)}};
}

Json added_token(const std::string& text, const Json& id) {
  return {{"id", id},        {"content", text},     {"single_word", false}, {"lstrip", false},
          {"rstrip", false}, {"normalized", false}, {"special", true}};
}

Json file_of(Json model, Json added) {
  return {{"version", "1.0"},          {"truncation", nullptr},
          {"padding", nullptr},        {"added_tokens", std::move(added)},
          {"normalizer", nullptr},     {"pre_tokenizer", nullptr},
          {"post_processor", nullptr}, {"decoder", {{"type", "Fuse"}}},
          {"model", std::move(model)}};
}

Tokenizer built(const Json& file) { return tokenizer_of(file, file.dump(1)); }

void check_size(std::string_view text, const TokenizerLimits& limits) {
  if (text.size() <= limits.max_bytes) return;
  fail_limit(Limit::json_bytes, "a file of " + std::to_string(text.size()) + " bytes",
             static_cast<std::int64_t>(limits.max_bytes));
}

// Calls read(line, number) for each line, numbers from 1, without its end.
template <class Read>
void each_line(std::string_view text, const Read& read) {
  std::size_t number = 1;
  for (std::size_t at = 0; at < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    if (line.ends_with('\r')) line.remove_suffix(1);
    read(line, number);
    at = end + 1;
  }
}

[[noreturn]] void refuse_line(std::size_t number, std::string given, std::string needed) {
  refuse_json("line " + std::to_string(number), std::move(given), std::move(needed));
}

constexpr std::string_view kMergesMark = "#version";

// GPT-2's vocab.bpe: "#version: 0.2", then a merge on each line.
Json read_merges(std::string_view text) {
  Json merges = Json::array();
  each_line(text, [&](std::string_view line, std::size_t number) {
    if (line.empty() || (number == 1 && line.starts_with(kMergesMark))) return;
    if (!is_utf8(line)) refuse_line(number, "bytes that are no UTF-8", "two tokens with a blank between them");
    merges.push_back(std::string(line));
  });
  return merges;
}

// Letters in capitals, names in brackets such as [CLS] aside.
bool has_capitals(std::string_view token) {
  if (token.starts_with('[') && token.ends_with(']')) return false;
  for (std::size_t at = 0; at < token.size();) {
    const Decoded next = decode_at(token, at);
    std::string lower;
    append_lower_case(lower, next.code);
    if (lower != token.substr(at, next.bytes)) return true;
    at += next.bytes;
  }
  return false;
}

Json bert_template(const Json& vocabulary) {
  const auto token = [](const char* name) { return Json{{"SpecialToken", {{"id", name}, {"type_id", 0}}}}; };
  const auto entry = [&](const char* name) {
    return Json{{"id", name}, {"ids", {vocabulary[name]}}, {"tokens", {name}}};
  };
  const Json text = {{"Sequence", {{"id", "A"}, {"type_id", 0}}}};
  const Json other = {{"Sequence", {{"id", "B"}, {"type_id", 1}}}};
  return {
      {"type", "TemplateProcessing"},
      {"single", {token("[CLS]"), text, token("[SEP]")}},
      {"pair", {token("[CLS]"), text, token("[SEP]"), other, {{"SpecialToken", {{"id", "[SEP]"}, {"type_id", 1}}}}}},
      {"special_tokens", {{"[CLS]", entry("[CLS]")}, {"[SEP]", entry("[SEP]")}}}};
}

}  // namespace

Tokenizer byte_level_tokenizer(Json vocabulary, Json merges, const std::vector<std::string>& special) {
  Json added = Json::array();
  for (const std::string& name : special) {
    const auto found = vocabulary.find(name);
    if (found != vocabulary.end() && found->is_number_unsigned()) added.push_back(added_token(name, *found));
  }
  Json file = file_of(pair_model(std::move(vocabulary), std::move(merges), nullptr), std::move(added));
  const Json byte_level = {
      {"type", "ByteLevel"}, {"add_prefix_space", false}, {"trim_offsets", true}, {"use_regex", true}};
  file["pre_tokenizer"] = byte_level;
  file["decoder"] = byte_level;
  return built(file);
}

Tokenizer gpt2_tokenizer(std::string_view encoder_json, std::string_view merges, const TokenizerLimits& limits) {
  check_size(merges, limits);
  Json vocabulary = parse_json(encoder_json, limits);
  if (!vocabulary.is_object()) refuse_json("", shown(vocabulary), "an object of tokens and their ids");
  return byte_level_tokenizer(std::move(vocabulary), read_merges(merges), {"<|endoftext|>"});
}

Tokenizer word_piece_tokenizer(std::string_view lines, const WordPieceOptions& options, const TokenizerLimits& limits) {
  check_size(lines, limits);
  Json vocabulary = Json::object();
  bool capitals = false;
  each_line(lines, [&](std::string_view line, std::size_t number) {
    if (!is_utf8(line)) refuse_line(number, "bytes that are no UTF-8", "a token on each line");
    const bool is_new = vocabulary.emplace(std::string(line), number - 1).second;
    if (!is_new) refuse_line(number, "the token " + shown(line) + " again", "each token once");
    capitals = capitals || has_capitals(line);
  });
  if (!vocabulary.contains("[UNK]")) {
    refuse_json("", "a list of tokens without [UNK]", "a vocab.txt of WordPiece, with a token on each line");
  }
  Json added = Json::array();
  for (const char* name : {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"}) {
    if (vocabulary.contains(name)) added.push_back(added_token(name, vocabulary[name]));
  }
  Json around = nullptr;
  if (vocabulary.contains("[CLS]") && vocabulary.contains("[SEP]")) around = bert_template(vocabulary);
  Json file = file_of({{"type", "WordPiece"},
                       {"unk_token", "[UNK]"},
                       {"continuing_subword_prefix", "##"},
                       {"max_input_chars_per_word", 100},
                       {"vocab", std::move(vocabulary)}},
                      std::move(added));
  file["normalizer"] = {{"type", "BertNormalizer"},
                        {"clean_text", true},
                        {"handle_chinese_chars", true},
                        {"strip_accents", nullptr},
                        {"lowercase", options.lower_case.value_or(!capitals)}};
  file["pre_tokenizer"] = {{"type", "BertPreTokenizer"}};
  file["post_processor"] = std::move(around);
  file["decoder"] = {{"type", "WordPiece"}, {"prefix", "##"}, {"cleanup", true}};
  return built(file);
}

Tokenizer character_tokenizer(std::string_view text, const CharacterOptions& options) {
  std::set<char32_t> characters;
  for (std::size_t at = 0; at < text.size();) {
    const Decoded next = decode_at(text, at);
    characters.insert(next.code == kNoCharacter ? char32_t{0xFFFD} : next.code);
    at += next.bytes;
  }
  Json vocabulary = Json::object();
  Json added = Json::array();
  std::size_t id = 0;
  if (!options.unknown.empty()) {
    if (!is_utf8(options.unknown)) {
      fail(ErrorCode::bad_attribute, "a name for unknown characters that is no UTF-8", "a text such as <unk>");
    }
    vocabulary[options.unknown] = id;
    added.push_back(added_token(options.unknown, id++));
  }
  for (const char32_t code : characters) {
    std::string character;
    append_utf8(character, code);
    if (vocabulary.emplace(character, id).second) ++id;
  }
  Json unknown = options.unknown.empty() ? Json(nullptr) : Json(options.unknown);
  return built(file_of(pair_model(std::move(vocabulary), Json::array(), std::move(unknown)), std::move(added)));
}

}  // namespace asg::io
