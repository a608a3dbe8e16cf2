// Finds out what a path leads to.
#include <filesystem>
#include <initializer_list>

#include "asg/core/error.h"
#include "asg/core/platform.h"
#include "asg/io/tokenizer.h"

namespace asg::io {
namespace {

namespace fs = std::filesystem;

// The first of the names that is a file in the folder; "" if none is.
std::string first_of(const fs::path& folder, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    std::error_code ignored;
    if (fs::is_regular_file(folder / name, ignored)) return (folder / name).string();
  }
  return "";
}

constexpr auto kVocabularies = {"encoder.json", "vocab.json"};
constexpr auto kMerges = {"vocab.bpe", "merges.txt"};

std::string beside(const std::string& path, std::initializer_list<const char*> names, const std::string& what) {
  const fs::path folder = fs::path(path).parent_path();
  const std::string found = first_of(folder, names);
  if (!found.empty()) return platform::read_file(found);
  fail(ErrorCode::io_error, "\"" + path + "\" without " + what + " beside it", "both files of a GPT-2 tokeniser",
       "put encoder.json and vocab.bpe, or vocab.json and merges.txt, into one folder");
}

std::string file_in(const std::string& folder) {
  for (const auto& names : {std::initializer_list<const char*>{"tokenizer.json"}, kVocabularies, kMerges,
                            std::initializer_list<const char*>{"vocab.txt"}}) {
    if (std::string found = first_of(folder, names); !found.empty()) return found;
  }
  fail(ErrorCode::io_error, "\"" + folder + "\", a folder without a tokeniser",
       "tokenizer.json, encoder.json and vocab.bpe, vocab.json and merges.txt, or vocab.txt in it");
}

// A tokenizer.json has a model; a vocabulary has tokens and numbers only. Told apart without reading all of it: names
// of parts stand in quotes before a colon and a brace in the former only.
bool has_model(std::string_view json) {
  constexpr std::string_view kModel = "\"model\"";
  constexpr std::string_view kBlanks = " \t\r\n";
  for (std::size_t at = json.find(kModel); at != std::string_view::npos; at = json.find(kModel, at + 1)) {
    std::size_t next = json.find_first_not_of(kBlanks, at + kModel.size());
    if (next == std::string_view::npos || json[next] != ':') continue;
    next = json.find_first_not_of(kBlanks, next + 1);
    if (next != std::string_view::npos && json[next] == '{') return true;
  }
  return false;
}

Tokenizer load_file(const std::string& path, const TokenizerLimits& limits) {
  const std::string content = platform::read_file(path);
  const std::size_t first = content.find_first_not_of(" \t\r\n");
  if (first == std::string::npos) {
    fail(ErrorCode::io_error, "an empty file", "a tokenizer.json, encoder.json, vocab.bpe or vocab.txt");
  }
  if (content.compare(0, 8, "#version") == 0) {
    return gpt2_tokenizer(beside(path, kVocabularies, "encoder.json or vocab.json"), content, limits);
  }
  if (content[first] != '{') return word_piece_tokenizer(content, {}, limits);
  // A file that is cut off before its model is better refused as a tokenizer.json.
  const std::string name = fs::path(path).filename().string();
  if (has_model(content) || name == "tokenizer.json") return tokenizer_from_json(content, limits);
  return gpt2_tokenizer(content, beside(path, kMerges, "vocab.bpe or merges.txt"), limits);
}

}  // namespace

Tokenizer load_tokenizer(const std::string& path, const TokenizerLimits& limits) {
  std::error_code ignored;
  const std::string file = fs::is_directory(path, ignored) ? file_in(path) : path;
  try {
    return load_file(file, limits);
  } catch (const UserError& error) {
    // A place inside the file goes with its name.
    ErrorDetail detail = error.detail();
    if (detail.given.find(file) == std::string::npos) detail.given += " in \"" + file + "\"";
    throw UserError(std::move(detail));
  }
}

}  // namespace asg::io
