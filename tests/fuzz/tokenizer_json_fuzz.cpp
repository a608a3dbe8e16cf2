// Any bytes are read as a tokenizer.json or refused with a UserError. What is accepted encodes any text, or refuses it,
// and decodes what it encoded; byte-level tokens without normalisation give back the same text.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "asg/core/error.h"
#include "asg/io/tokenizer.h"

namespace {

void demand(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  std::optional<asg::io::Tokenizer> tokenizer;
  try {
    tokenizer = asg::io::tokenizer_from_json(bytes, {.max_bytes = 1 << 20, .max_depth = 16});
  } catch (const asg::UserError& error) {
    demand(!error.detail().given.empty());
    return 0;
  }
  for (const std::string_view text : {std::string_view("ab abab <end> \xFF\xC3\xA9 a"), bytes.substr(0, 4096)}) {
    try {
      const auto ids = tokenizer->encode(text);
      for (const asg::io::TokenId id : ids) demand(tokenizer->token(id).has_value());
      static_cast<void>(tokenizer->decode(ids));
      static_cast<void>(tokenizer->decode(ids, {.skip_special = true}));
    } catch (const asg::UserError& error) {
      demand(error.code() == asg::ErrorCode::computation_error);  // a character that is no token
    }
  }
  return 0;
}
