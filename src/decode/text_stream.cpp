#include "asg/decode/text_stream.h"

#include <algorithm>

namespace asg::decode {
namespace {

// Bytes at the end of a text that begin a character which is not complete; 0 where there are none, or where they are no
// UTF-8 anyway.
std::size_t unfinished_bytes(const std::string& text) {
  constexpr std::size_t kLongest = 4;
  for (std::size_t back = 1; back <= std::min(kLongest, text.size()); ++back) {
    const auto byte = static_cast<unsigned char>(text[text.size() - back]);
    if ((byte & 0xC0U) == 0x80U) continue;  // inside a character
    const std::size_t length = byte < 0xC0 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
    return length > back ? back : 0;
  }
  return 0;
}

}  // namespace

std::string TextStream::add(std::int64_t token) {
  tokens_.push_back(token);
  std::string text = decode_(tokens_);
  text.resize(text.size() - unfinished_bytes(text));
  // A decoder that changed what was shown already is waited for.
  if (!text.starts_with(shown_)) return {};
  std::string added = text.substr(shown_.size());
  shown_ = std::move(text);
  return added;
}

std::string TextStream::finish() {
  const std::string text = decode_(tokens_);
  const auto common = std::mismatch(shown_.begin(), shown_.end(), text.begin(), text.end());
  return {common.second, text.end()};
}

}  // namespace asg::decode
