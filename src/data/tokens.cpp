#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "asg/core/error.h"
#include "asg/data/text.h"

namespace asg::data {
namespace {

std::int64_t stride_of(const WindowOptions& options) { return options.stride > 0 ? options.stride : options.length; }

// How many windows, each with the token behind it, lie in a row of tokens.
std::int64_t windows_in(std::int64_t tokens, const WindowOptions& options) {
  if (options.length < 1 || options.stride < 0) {
    fail(ErrorCode::bad_dim,
         "windows of " + std::to_string(options.length) + " tokens every " + std::to_string(options.stride),
         "a length of at least 1 and a stride of at least 0");
  }
  if (tokens <= options.length) {
    fail(ErrorCode::missing_value, std::to_string(tokens) + " tokens for windows of " + std::to_string(options.length),
         "at least one more token than a window has", "give more text, or take shorter windows");
  }
  return (tokens - options.length - 1) / stride_of(options) + 1;
}

void check_tokens(std::span<const std::int64_t> tokens, std::int64_t vocabulary) {
  for (const std::int64_t token : tokens) {
    if (token >= 0 && (vocabulary == 0 || token < vocabulary)) continue;
    fail(ErrorCode::bad_index, "token " + std::to_string(token),
         vocabulary == 0 ? "a number of at least 0" : "a number from 0 to " + std::to_string(vocabulary - 1));
  }
}

// Windows of tokens, wherever these come from.
class Windows : public Source {
 public:
  Windows(std::int64_t tokens, const WindowOptions& windows) : options_(windows), count_(windows_in(tokens, windows)) {
    for (const std::string_view name : {kFeatures, kLabels}) {
      fields_.push_back({.name = std::string(name),
                         .dtype = DType::i64,
                         .sizes = {windows.length},
                         .classes = std::max<std::int64_t>(windows.vocabulary, 0)});
    }
  }

  std::int64_t count() const override { return count_; }
  std::span<const Field> fields() const override { return fields_; }

  void read(std::size_t field, std::span<const std::int64_t> examples, const Reading& /*reading*/,
            Array& into) const override {
    const auto length = static_cast<std::size_t>(options_.length);
    const auto out = into.mutable_data<std::int64_t>();
    std::vector<std::int64_t> firsts;
    firsts.reserve(examples.size());
    for (const std::int64_t example : examples) {
      firsts.push_back(example * stride_of(options_) + static_cast<std::int64_t>(field));
    }
    copy(firsts, length, out);
  }

 protected:
  // Runs of `length` tokens from each of the places, one after the other.
  virtual void copy(std::span<const std::int64_t> firsts, std::size_t length, std::span<std::int64_t> into) const = 0;

  const WindowOptions& options() const { return options_; }

 private:
  WindowOptions options_;
  std::int64_t count_;
  std::vector<Field> fields_;
};

class WindowsOfArray : public Windows {
 public:
  WindowsOfArray(const Array& tokens, const WindowOptions& options)
      : Windows(tokens.count(), options), tokens_(tokens.cast(DType::i64).dense()) {
    check_tokens(tokens_.data<std::int64_t>(), options.vocabulary);
  }

 private:
  void copy(std::span<const std::int64_t> firsts, std::size_t length, std::span<std::int64_t> into) const override {
    const auto tokens = tokens_.data<std::int64_t>();
    for (std::size_t row = 0; row < firsts.size(); ++row) {
      const auto run = tokens.subspan(static_cast<std::size_t>(firsts[row]), length);
      std::copy(run.begin(), run.end(), into.begin() + static_cast<std::ptrdiff_t>(row * length));
    }
  }

  Array tokens_;
};

class WindowsOfFile : public Windows {
 public:
  WindowsOfFile(std::string path, DType dtype, std::int64_t tokens, const WindowOptions& options)
      : Windows(tokens, options), path_(std::move(path)), dtype_(dtype) {}

 private:
  // A stream of its own for each call, since several threads read at once.
  void copy(std::span<const std::int64_t> firsts, std::size_t length, std::span<std::int64_t> into) const override {
    std::ifstream file(path_, std::ios::binary);
    Array run = Array::uninitialised(dtype_, {static_cast<std::int64_t>(length)});
    for (std::size_t row = 0; row < firsts.size(); ++row) {
      file.seekg(firsts[row] * bytes_of(dtype_));
      file.read(reinterpret_cast<char*>(run.raw()), run.bytes());
      if (!file) {
        fail(ErrorCode::io_error, "'" + path_ + "' at token " + std::to_string(firsts[row]),
             "a file that can be read and that nobody shortens meanwhile");
      }
      const Array wide = run.cast(DType::i64);
      check_tokens(wide.data<std::int64_t>(), options().vocabulary);
      const auto tokens = wide.data<std::int64_t>();
      std::copy(tokens.begin(), tokens.end(), into.begin() + static_cast<std::ptrdiff_t>(row * length));
    }
  }

  std::string path_;
  DType dtype_;
};

}  // namespace

Dataset token_windows(std::string name, const Array& tokens, const WindowOptions& options) {
  if (!is_integer(tokens.dtype())) {
    fail(ErrorCode::bad_dtype, "tokens " + tokens.type_string(), "whole numbers");
  }
  return {std::move(name), std::make_shared<WindowsOfArray>(tokens, options)};
}

Dataset token_file(const std::string& path, DType dtype, const WindowOptions& options) {
  if (!is_integer(dtype)) fail(ErrorCode::bad_dtype, "tokens of " + std::string(name_of(dtype)), "whole numbers");
  std::error_code error;
  const auto bytes = std::filesystem::file_size(path, error);
  if (error) fail(ErrorCode::io_error, "'" + path + "': " + error.message(), "a file that can be read");
  if (bytes % static_cast<std::uintmax_t>(bytes_of(dtype)) != 0) {
    fail(ErrorCode::io_error, "'" + path + "' of " + std::to_string(bytes) + " bytes",
         "a whole number of tokens of " + std::to_string(bytes_of(dtype)) + " bytes", "check the dtype of the tokens");
  }
  const auto tokens = static_cast<std::int64_t>(bytes) / bytes_of(dtype);
  return {std::filesystem::path(path).filename().string(),
          std::make_shared<WindowsOfFile>(path, dtype, tokens, options)};
}

}  // namespace asg::data
