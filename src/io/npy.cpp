#include "asg/io/npy.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>
#include <vector>

#include "asg/core/platform.h"

namespace asg::io {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kHeaderUnit = 64;  // headers end at a multiple of it
constexpr std::size_t kMostAxes = 32;    // NumPy's own limit
constexpr char kOwnOrder = std::endian::native == std::endian::little ? '<' : '>';

[[noreturn]] void refuse_npy(std::string given, std::string needed) {
  fail(ErrorCode::io_error, std::move(given), std::move(needed), "write the array with numpy.save");
}

struct Code {
  DType dtype;
  std::string_view code;  // kind and bytes
};
constexpr std::array<Code, 12> kCodes = {{{DType::f32, "f4"},
                                          {DType::f64, "f8"},
                                          {DType::f16, "f2"},
                                          {DType::i8, "i1"},
                                          {DType::i16, "i2"},
                                          {DType::i32, "i4"},
                                          {DType::i64, "i8"},
                                          {DType::u8, "u1"},
                                          {DType::u16, "u2"},
                                          {DType::u32, "u4"},
                                          {DType::u64, "u8"},
                                          {DType::boolean, "b1"}}};

struct Header {
  DType dtype = DType::f32;
  bool swapped = false;     // the other byte order
  bool by_columns = false;  // Fortran's order of the axes
  Sizes sizes = {};
};

// Reads the header, a dictionary as Python writes it: {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }
class HeaderReader {
 public:
  explicit HeaderReader(std::string_view text) : rest_(text) {}

  Header read() {
    Header header;
    expect('{');
    bool has_dtype = false;
    bool has_order = false;
    bool has_sizes = false;
    while (!take('}')) {
      const std::string key = quoted();
      expect(':');
      if (key == "descr") {
        read_dtype(header);
        has_dtype = true;
      } else if (key == "fortran_order") {
        header.by_columns = truth();
        has_order = true;
      } else if (key == "shape") {
        header.sizes = sizes();
        has_sizes = true;
      } else {
        refuse_npy("a header with the key '" + key + "'", "the keys descr, fortran_order and shape");
      }
      take(',');
    }
    if (!has_dtype || !has_order || !has_sizes) {
      refuse_npy("a header that lacks a key", "the keys descr, fortran_order and shape");
    }
    return header;
  }

 private:
  void skip_spaces() {
    while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\n')) rest_.remove_prefix(1);
  }

  bool take(char letter) {
    skip_spaces();
    if (rest_.empty() || rest_.front() != letter) return false;
    rest_.remove_prefix(1);
    return true;
  }

  void expect(char letter) {
    if (take(letter)) return;
    refuse_npy("a header with " + (rest_.empty() ? "its end" : "'" + std::string(rest_.substr(0, 8)) + "'"),
               std::string("'") + letter + "' there");
  }

  std::string quoted() {
    skip_spaces();
    if (rest_.empty() || (rest_.front() != '\'' && rest_.front() != '"')) {
      refuse_npy("a header with '" + std::string(rest_.substr(0, 16)) + "'", "a text in quotes there");
    }
    const std::size_t end = rest_.find(rest_.front(), 1);
    if (end == std::string_view::npos) refuse_npy("a header with a text that does not end", "a closing quote");
    std::string text(rest_.substr(1, end - 1));
    rest_.remove_prefix(end + 1);
    return text;
  }

  bool truth() {
    skip_spaces();
    for (const std::string_view word : {"True", "False"}) {
      if (!rest_.starts_with(word)) continue;
      rest_.remove_prefix(word.size());
      return word == "True";
    }
    refuse_npy("a header with '" + std::string(rest_.substr(0, 8)) + "'", "True or False there");
  }

  void read_dtype(Header& header) {
    skip_spaces();
    if (!rest_.empty() && rest_.front() == '[') refuse_npy("an array of records", "an array of numbers or booleans");
    const std::string text = quoted();
    const auto code = std::find_if(kCodes.begin(), kCodes.end(), [&](const Code& each) {
      return text.size() > 1 && std::string_view(text).substr(1) == each.code;
    });
    if (code == kCodes.end() || std::string_view("<>|=").find(text.front()) == std::string_view::npos) {
      fail(ErrorCode::bad_dtype, "the NumPy dtype '" + text + "'",
           "floats of 16, 32 or 64 bits, integers of 8 to 64 bits or booleans", "convert it with astype before saving");
    }
    header.dtype = code->dtype;
    const bool has_order = text.front() == '<' || text.front() == '>';
    header.swapped = has_order && text.front() != kOwnOrder && bytes_of(code->dtype) > 1;
  }

  Sizes sizes() {
    Sizes result;
    expect('(');
    while (!take(')')) {
      if (result.size() == kMostAxes) refuse_npy("more than 32 axes", "at most 32");
      result.push_back(length());
      take(',');
    }
    return result;
  }

  std::int64_t length() {
    skip_spaces();
    constexpr std::size_t kMostDigits = 18;
    std::int64_t value = 0;
    std::size_t digits = 0;
    while (digits < rest_.size() && digits < kMostDigits && rest_[digits] >= '0' && rest_[digits] <= '9') {
      value = value * 10 + (rest_[digits++] - '0');
    }
    if (digits == 0) refuse_npy("a header with '" + std::string(rest_.substr(0, 8)) + "'", "a length there");
    rest_.remove_prefix(digits);
    return value;
  }

  std::string_view rest_;
};

// The elements of a file, or nothing where lengths multiply to more than anybody has.
std::optional<std::int64_t> bytes_wanted(const Header& header) {
  std::int64_t bytes = bytes_of(header.dtype);
  const bool empty = std::find(header.sizes.begin(), header.sizes.end(), 0) != header.sizes.end();
  if (empty) return 0;
  for (const std::int64_t size : header.sizes) {
    if (__builtin_mul_overflow(bytes, size, &bytes)) return std::nullopt;
  }
  return bytes;
}

void swap_bytes(Array& array) {
  const std::int64_t width = bytes_of(array.dtype());
  for (std::int64_t first = 0; first < array.bytes(); first += width) {
    std::reverse(array.raw() + first, array.raw() + first + width);
  }
}

Array array_of(const Header& header, std::string_view elements) {
  Sizes sizes = header.sizes;
  if (header.by_columns) std::reverse(sizes.begin(), sizes.end());
  Array array = Array::uninitialised(header.dtype, sizes);
  if (array.count() > 0) std::memcpy(array.raw(), elements.data(), elements.size());
  if (header.swapped && array.count() > 0) swap_bytes(array);
  // A boolean of ours is 0 or 1, whatever a file holds.
  if (header.dtype == DType::boolean) {
    for (std::int64_t k = 0; k < array.count(); ++k) array.raw()[k] = std::byte{array.raw()[k] != std::byte{0}};
  }
  if (!header.by_columns) return array;
  std::vector<int> turned;
  for (int axis = array.rank(); axis-- > 0;) turned.push_back(axis);
  return array.transposed(turned).copy();
}

unsigned byte_at(std::string_view bytes, std::size_t position) { return static_cast<unsigned char>(bytes[position]); }

}  // namespace

Array read_npy(std::string_view bytes) {
  if (!bytes.starts_with(kMagic) || bytes.size() < kMagic.size() + 4) {
    refuse_npy("a file that does not begin like .npy", "the mark \\x93NUMPY and a version");
  }
  const unsigned version = byte_at(bytes, kMagic.size());
  if (version < 1 || version > 3) refuse_npy("version " + std::to_string(version) + " of .npy", "version 1, 2 or 3");
  std::size_t at = kMagic.size() + 2;
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  if (bytes.size() < at + length_bytes) refuse_npy(std::to_string(bytes.size()) + " bytes", "a whole header");
  std::size_t length = 0;
  for (std::size_t k = length_bytes; k-- > 0;) length = length * 256 + byte_at(bytes, at + k);
  at += length_bytes;
  if (bytes.size() - at < length) {
    refuse_npy(std::to_string(bytes.size() - at) + " bytes of header",
               std::to_string(length) + " bytes, as the file says");
  }
  const Header header = HeaderReader(bytes.substr(at, length)).read();
  const std::string_view elements = bytes.substr(at + length);
  // Judged before memory is asked for, so that a lie in the header costs nothing.
  const auto wanted = bytes_wanted(header);
  if (!wanted || *wanted != static_cast<std::int64_t>(elements.size())) {
    refuse_npy(std::to_string(elements.size()) + " bytes of elements",
               (wanted ? std::to_string(*wanted) : "more than 2^63") + " bytes, as the header says");
  }
  return array_of(header, elements);
}

Array read_npy_file(const std::string& path) {
  try {
    return read_npy(platform::read_file(path));
  } catch (const UserError& error) {
    throw error.with_where(path);
  }
}

std::string to_npy(const Array& array) {
  const auto code =
      std::find_if(kCodes.begin(), kCodes.end(), [&](const Code& each) { return each.dtype == array.dtype(); });
  if (code == kCodes.end()) {
    fail(ErrorCode::bad_dtype, "an array of " + array.type_string(), "a dtype that NumPy has", "cast it to f32");
  }
  const char order = bytes_of(array.dtype()) == 1 ? '|' : kOwnOrder;
  std::string header =
      std::string("{'descr': '") + order + std::string(code->code) + "', 'fortran_order': False, 'shape': (";
  for (const std::int64_t size : array.sizes()) header += std::to_string(size) + ", ";
  header += "), }";
  const std::size_t before = kMagic.size() + 4;
  header.append(kHeaderUnit - 1 - (before + header.size()) % kHeaderUnit, ' ');
  header += '\n';
  std::string bytes(kMagic);
  bytes += {'\x01', '\x00', static_cast<char>(header.size() % 256), static_cast<char>(header.size() / 256)};
  bytes += header;
  const Array dense = array.dense();
  if (dense.count() > 0)
    bytes.append(reinterpret_cast<const char*>(dense.raw()), static_cast<std::size_t>(dense.bytes()));
  return bytes;
}

}  // namespace asg::io
