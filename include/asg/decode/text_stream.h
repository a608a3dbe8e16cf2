#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace asg::decode {

// Text that appears token by token. Tokens may be parts of characters, and decoders may look at neighbours, so what a
// token adds to the text is told only when it is whole.
class TextStream {
 public:
  using Decode = std::function<std::string(std::span<const std::int64_t> tokens)>;
  explicit TextStream(Decode decode) : decode_(std::move(decode)) {}

  // What can be shown now: whole characters of UTF-8.
  std::string add(std::int64_t token);
  // What is left at the end, whole or not.
  std::string finish();

 private:
  Decode decode_;
  std::vector<std::int64_t> tokens_;
  std::string shown_;
};

}  // namespace asg::decode
