#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "asg/data/dataset.h"

namespace asg::data {

// A text in UTF-8, plain or gzip, without the mark at its beginning. Throws io_error, with the place, where it is none.
std::string read_text_file(const std::string& path);

// "Moby-Dick; or, The Whale" by Herman Melville, 1.2 million characters. It is part of the program, packed. Origin and
// licence: data/NOTICE.
std::string moby_dick();

// Windows of a row of tokens, for models of language: features i64[length] are tokens, labels i64[length] the ones that
// follow each of them. Windows begin every `stride` tokens (0: every `length`, so that none overlap). `vocabulary` is
// the number of tokens that there may be (0: not told). Throws missing_value where not one window fits, bad_index on a
// token outside the vocabulary.
struct WindowOptions {
  std::int64_t length = 128;
  std::int64_t stride = 0;
  std::int64_t vocabulary = 0;
};
Dataset token_windows(std::string name, const Array& tokens, const WindowOptions& options);
// The same of a file of tokens in the byte order of this machine (u16, i32, …), of which only the windows that are
// asked for are read. Tokens are judged when they are read.
Dataset token_file(const std::string& path, DType dtype, const WindowOptions& options);

}  // namespace asg::data
