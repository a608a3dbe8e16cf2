#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "asg/core/error.h"
#include "asg/io/tokenizer.h"
#include "pipeline.h"

// Reading of tokenizer.json. Whatever would change the result and is not known is refused, never passed over.
namespace asg::io {

using Json = nlohmann::json;

// Throws bad_json for what is no JSON and for a key that stands twice in an object, and limit_exceeded.
Json parse_json(std::string_view text, const TokenizerLimits& limits);

[[noreturn]] void refuse_json(const std::string& pointer, std::string given, std::string needed, std::string mend = "");
[[noreturn]] void refuse_unknown_part(const std::string& pointer, const std::string& what);

std::string shown(const Json& value);

// An object whose fields are asked for by name. Those that nobody asked for are refused at the end.
class Fields {
 public:
  Fields(const Json& object, std::string pointer);

  // The field, or nothing where it is absent or null.
  const Json* may(const char* name);
  const Json& need(const char* name);
  std::string text(const char* name);
  std::string text_or(const char* name, std::string fallback);
  bool flag_or(const char* name, bool fallback);
  std::int64_t number(const char* name, std::int64_t least, std::int64_t most);
  std::int64_t number_or(const char* name, std::int64_t fallback, std::int64_t least, std::int64_t most);
  const Json& list(const char* name);
  const Json& object(const char* name);

  std::string pointer(const std::string& name) const { return pointer_ + "/" + name; }
  const std::string& pointer() const { return pointer_; }
  void ignore(const char* name) { may(name); }  // a field that changes no ids
  void finish() const;

 private:
  const Json& object_;
  std::string pointer_;
  std::vector<std::string> names_;
};

// The parts of a file; absent or null where the pointer is null.
std::vector<NormaliseStep> read_normaliser(const Json* value, const std::string& pointer);
struct PreTokeniser {
  std::vector<SplitStep> steps = {};
  bool byte_level = false;
};
PreTokeniser read_pre_tokeniser(const Json* value, const std::string& pointer);
DecoderSpec read_decoder(const Json* value, const std::string& pointer);
// Fills in what goes around every text.
void read_post_processor(const Json* value, const std::string& pointer, TokenizerSpec& spec);

// The whole file, without its text.
TokenizerSpec read_spec(const Json& file);

// A tokeniser from a file that was parsed, or built here.
Tokenizer tokenizer_of(const Json& file, std::string text);

// A tokeniser as GPT-2's. The names that the vocabulary holds become special tokens.
Tokenizer byte_level_tokenizer(Json vocabulary, Json merges, const std::vector<std::string>& special);

}  // namespace asg::io
