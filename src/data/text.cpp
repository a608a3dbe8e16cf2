#include "asg/data/text.h"

#include <span>

#include "asg/core/error.h"
#include "asg/io/inflate.h"

extern "C" {
extern const unsigned char asg_moby_dick_begin[];
extern const unsigned char asg_moby_dick_end[];
}

namespace asg::data {
namespace {

// How many bytes the character at the beginning takes; 0 where there is none in UTF-8 (over-long forms, surrogates and
// what lies beyond Unicode included).
std::size_t character_bytes(std::string_view text) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < size) return 0;
  for (std::size_t k = 1; k < size; ++k) {
    if ((byte(k) & 0xc0) != 0x80) return 0;
  }
  const unsigned second = byte(1);
  const bool allowed = !(first == 0xe0 && second < 0xa0) && !(first == 0xed && second > 0x9f) &&
                       !(first == 0xf0 && second < 0x90) && !(first == 0xf4 && second > 0x8f);
  return allowed ? size : 0;
}

void check_utf8(std::string_view text, const std::string& path) {
  std::int64_t line = 1;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t size = character_bytes(text.substr(at));
    if (size == 0) {
      fail(ErrorCode::io_error, "'" + path + "' with a byte on line " + std::to_string(line) + " that is no character",
           "a text in UTF-8", "convert it: iconv -t UTF-8");
    }
    if (text[at] == '\n') ++line;
    at += size;
  }
}

}  // namespace

std::string read_text_file(const std::string& path) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  std::string text = io::read_maybe_gzip_file(path);
  check_utf8(text, path);
  if (text.starts_with(kMark)) text.erase(0, kMark.size());
  return text;
}

std::string moby_dick() {
  const std::span packed(asg_moby_dick_begin, asg_moby_dick_end);
  return io::gunzip({reinterpret_cast<const char*>(packed.data()), packed.size()});
}

}  // namespace asg::data
