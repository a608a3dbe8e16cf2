#include "header.h"

#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

#include "graph/json_reader.h"
#include "graph/printing.h"
#include "header_events.h"

namespace asg::io {
namespace {

constexpr std::size_t kShown = 80;

// Hands the parser's events on. The names are those that the parser asks for.
struct ParserEvents {
  HeaderEvents& header;
  const std::string& path;

  [[noreturn]] bool null() { header.other("null"); }
  [[noreturn]] bool boolean(bool value) { header.other(value ? "true" : "false"); }
  [[noreturn]] bool number_integer(std::int64_t) { header.other("a negative number"); }
  bool number_unsigned(std::uint64_t value) { return header.number(value), true; }
  [[noreturn]] bool number_float(double, const std::string&) { header.other("a number that no 64 bits hold whole"); }
  bool string(std::string& value) { return header.text(value), true; }
  [[noreturn]] bool binary(nlohmann::json::binary_t&) { fail_internal("JSON text has no binary values"); }
  bool start_object(std::size_t) { return header.open_object(), true; }
  bool key(std::string& name) { return header.key(name), true; }
  bool end_object() { return header.close(), true; }
  bool start_array(std::size_t) { return header.open_array(), true; }
  bool end_array() { return header.close(), true; }
  [[noreturn]] bool parse_error(std::size_t position, const std::string&, const nlohmann::json::exception& error) {
    const ErrorDetail detail = syntax_error(position, error.what()).detail();
    refuse_file(ErrorCode::bad_json, path, "a header that is not JSON: " + detail.given, detail.needed);
  }
};

// Bytes of the elements. Overflow is judged with every 0 counted as 1, as arrays do.
std::uint64_t bytes_needed(const TensorInfo& tensor, const std::string& path) {
  std::int64_t bytes = bytes_of(tensor.dtype);
  bool empty = false;
  for (const std::int64_t size : tensor.sizes) {
    empty = empty || size == 0;
    if (__builtin_mul_overflow(bytes, std::max<std::int64_t>(size, 1), &bytes)) {
      refuse_file(ErrorCode::io_error, path, "tensor " + as_quoted(tensor.name, kShown) + " of more than 2^63 bytes",
                  "sizes that can be");
    }
  }
  return empty ? 0 : static_cast<std::uint64_t>(bytes);
}

void check_names(const std::vector<TensorInfo>& tensors, const std::string& path) {
  std::vector<std::string_view> names;
  names.reserve(tensors.size());
  for (const TensorInfo& tensor : tensors) names.push_back(tensor.name);
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice == names.end()) return;
  refuse_file(ErrorCode::bad_json, path, "tensor " + as_quoted(*twice, kShown) + " twice", "each name once");
}

void check_size(const TensorInfo& tensor, const std::string& path) {
  const std::uint64_t needed = bytes_needed(tensor, path);
  if (tensor.begin <= tensor.end && tensor.end - tensor.begin == needed) return;
  refuse_file(ErrorCode::io_error, path,
              "tensor " + as_quoted(tensor.name, kShown) + " from byte " + std::to_string(tensor.begin) + " to " +
                  std::to_string(tensor.end),
              std::to_string(needed) + " bytes, as " + tensor.type_string() + " takes");
}

// One tensor begins where the one before ends, the first at 0, and the last ends with the file.
void check_places(const std::vector<TensorInfo>& tensors, std::uint64_t bytes, const std::string& path) {
  std::uint64_t next = 0;
  for (const TensorInfo& tensor : tensors) {
    check_size(tensor, path);
    if (tensor.begin != next) {
      refuse_file(ErrorCode::io_error, path,
                  "tensor " + as_quoted(tensor.name, kShown) + " at byte " + std::to_string(tensor.begin) +
                      (tensor.begin < next ? ", inside the one before" : ", after a gap"),
                  "its first byte at " + std::to_string(next) + ", where the one before ends");
    }
    next = tensor.end;
  }
  if (next == bytes) return;
  refuse_file(ErrorCode::io_error, path, std::to_string(bytes) + " bytes of elements",
              std::to_string(next) + " bytes, as the header says");
}

std::uint64_t header_length(std::string_view file, const std::string& path) {
  if (file.size() < kLengthBytes) {
    refuse_file(ErrorCode::io_error, path, "a file of " + std::to_string(file.size()) + " bytes",
                "at least 8, which tell the length of the header");
  }
  std::uint64_t length = 0;
  for (std::size_t k = kLengthBytes; k-- > 0;) length = length << 8 | static_cast<unsigned char>(file[k]);
  if (length > kMostHeaderBytes) {
    refuse_file(ErrorCode::limit_exceeded, path, "a header of " + std::to_string(length) + " bytes",
                "at most 100,000,000 bytes", "this may be no safetensors file at all");
  }
  if (length > file.size() - kLengthBytes) {
    refuse_file(ErrorCode::io_error, path, std::to_string(file.size() - kLengthBytes) + " bytes of header",
                std::to_string(length) + " bytes, as the file says");
  }
  return length;
}

}  // namespace

std::string TensorInfo::type_string() const {
  std::string text = std::string(name_of(dtype)) + "[";
  for (std::size_t axis = 0; axis < sizes.size(); ++axis) {
    if (axis > 0) text += ", ";
    text += std::to_string(sizes[axis]);
  }
  return text + "]";
}

void refuse_file(ErrorCode code, const std::string& path, std::string given, std::string needed, std::string mend) {
  throw UserError({code, std::move(given), std::move(needed), std::move(mend), "", path});
}

SafetensorsHeader read_header(std::string_view file, const std::string& path) {
  const std::uint64_t length = header_length(file, path);
  const std::string_view text = file.substr(kLengthBytes, static_cast<std::size_t>(length));
  if (!text.starts_with('{')) {
    refuse_file(ErrorCode::bad_json, path, "a header that does not begin with '{'", "a JSON object",
                "this may be no safetensors file at all");
  }
  // The parser takes it for the end of the text and would not look at what follows.
  if (text.find('\0') != std::string_view::npos) {
    refuse_file(ErrorCode::bad_json, path, "a header that is not JSON: it holds a byte 0", "a JSON object");
  }
  HeaderEvents events(path);
  ParserEvents parser{events, path};
  nlohmann::json::sax_parse(text.begin(), text.end(), &parser);
  SafetensorsHeader header{std::move(events.tensors), std::move(events.metadata), kLengthBytes + length};
  check_names(header.tensors, path);
  std::sort(header.tensors.begin(), header.tensors.end(), [](const TensorInfo& a, const TensorInfo& b) {
    return std::tie(a.begin, a.end, a.name) < std::tie(b.begin, b.end, b.name);
  });
  check_places(header.tensors, file.size() - header.data_begin, path);
  return header;
}

}  // namespace asg::io
