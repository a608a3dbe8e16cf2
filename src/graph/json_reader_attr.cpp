#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "asg/core/error.h"
#include "asg/core/limits.h"
#include "binary_text.h"
#include "json_reader.h"

namespace asg {
namespace {

using ScalarKind = JsonScalar::Kind;

// The elements of a file are little-endian.
void to_native(Array& array) {
  if constexpr (std::endian::native == std::endian::big) {
    const std::int64_t size = bytes_of(array.dtype());
    for (std::byte* element = array.raw(); element != array.raw() + array.bytes(); element += size) {
      std::reverse(element, element + size);
    }
  }
}

bool all_are_bools(const Array& array) {
  return std::all_of(array.raw(), array.raw() + array.bytes(),
                     [](std::byte element) { return static_cast<unsigned>(element) <= 1; });
}

}  // namespace

void JsonReader::give_attr(Attr attr) {
  constexpr std::size_t kMostAttributes = 256;  // far more than any op has; keeps sorting them cheap
  if (attrs().size() >= kMostAttributes) {
    fail(ErrorCode::limit_exceeded, "more than " + std::to_string(kMostAttributes) + " attributes",
         "at most this many");
  }
  attrs().set(top().key, std::move(attr));
}

void JsonReader::attr_scalar(const JsonScalar& scalar) {
  switch (scalar.kind) {
    case ScalarKind::boolean:
      return give_attr(scalar.boolean);
    case ScalarKind::integer:
      return give_attr(scalar.integer);
    case ScalarKind::real:
      return give_attr(scalar.real);
    case ScalarKind::text:
      return give_attr(std::move(*scalar.text));
    case ScalarKind::huge:
      fail(ErrorCode::bad_json, "the integer " + scalar.text->substr(0, 60), "an integer of 64 bits",
           "write a real number with a point: 1.0e20");
    case ScalarKind::null:
      refuse(scalar);
  }
}

// ---- {"kind": value}

double JsonReader::odd_real(const JsonScalar& scalar) const {
  constexpr std::string_view kPrefix = "nan:";
  const std::string& word = text_of(scalar);
  if (word == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (word == "inf") return std::numeric_limits<double>::infinity();
  if (word == "-inf") return -std::numeric_limits<double>::infinity();
  if (word.starts_with(kPrefix)) {
    const auto bits = parse_hex(std::string_view(word).substr(kPrefix.size()));
    if (bits && std::isnan(std::bit_cast<double>(*bits))) return std::bit_cast<double>(*bits);
  }
  refuse(scalar);
}

void JsonReader::tagged_scalar(const JsonScalar& scalar) {
  switch (top().place) {
    case key::real:
      attr_ = odd_real(scalar);
      return;
    case key::type:
      attr_ = type_of(scalar);
      return;
    case key::dtype: {
      const auto dtype = parse_dtype(text_of(scalar));
      if (!dtype) refuse(scalar);
      attr_ = *dtype;
      return;
    }
    default:
      refuse(scalar);
  }
}

void JsonReader::end_tagged(const Frame& closed) {
  if (std::popcount(closed.seen) != 1) refuse("an object with " + std::to_string(std::popcount(closed.seen)) + " keys");
  give_attr(std::move(attr_));
}

// ---- Lists

void JsonReader::list_scalar(const JsonScalar& scalar) {
  const bool has_numbers = !list_.reals.empty();
  switch (scalar.kind) {
    case ScalarKind::integer:
    case ScalarKind::real:
      if (!list_.texts.empty()) refuse(scalar);
      list_.has_real |= scalar.kind == ScalarKind::real;
      if (!list_.has_real) list_.integers.push_back(scalar.integer);
      list_.reals.push_back(scalar.kind == ScalarKind::real ? scalar.real : static_cast<double>(scalar.integer));
      return;
    case ScalarKind::text:
      if (has_numbers) refuse(scalar);
      list_.texts.push_back(std::move(*scalar.text));
      return;
    default:
      refuse(scalar);
  }
}

void JsonReader::end_tagged_real() {
  if (top().state == JsonState::list) return list_scalar({.kind = ScalarKind::real, .real = real_});
  (top().place == key::init_a ? variable_.init.a : variable_.init.b) = real_;
}

void JsonReader::end_list() {
  const bool is_empty = list_.reals.empty() && list_.texts.empty();
  if (top().state == JsonState::attrs) {
    if (is_empty) {
      fail(ErrorCode::bad_json, "an empty list, whose kind does not show",
           R"({"integers": []}, {"reals": []} or {"texts": []})");
    }
    if (!list_.texts.empty()) return give_attr(std::move(list_.texts));
    return list_.has_real ? give_attr(std::move(list_.reals)) : give_attr(std::move(list_.integers));
  }
  const auto tag = top().place;
  if (!list_.texts.empty() && tag != key::texts) refuse("a list of texts");
  if (!list_.reals.empty() && tag == key::texts) refuse("a list of numbers");
  if (list_.has_real && tag == key::integers) refuse("a list with real numbers");
  if (tag == key::integers) attr_ = std::move(list_.integers);
  if (tag == key::reals) attr_ = std::move(list_.reals);
  if (tag == key::texts) attr_ = std::move(list_.texts);
}

// ---- Tensors

void JsonReader::tensor_scalar(const JsonScalar& scalar) {
  if (top().place == key::tensor_type) {
    array_type_ = type_of(scalar);
  } else {
    array_data_ = std::move(text_of(scalar));
  }
}

void JsonReader::end_tensor() {
  const Sizes sizes = array_type_->shape.sizes();
  const std::int64_t count = element_count(sizes);
  if (static_cast<std::uint64_t>(count) > limits_.max_tensor_elements) {
    fail_limit(Limit::elements,
               "a tensor of type " + array_type_->to_string() + ", of " + std::to_string(count) + " elements",
               static_cast<std::int64_t>(limits_.max_tensor_elements));
  }
  // The length of the text is compared before memory is asked for.
  const auto bytes = static_cast<std::uint64_t>(count) * static_cast<std::uint64_t>(bytes_of(array_type_->dtype));
  const auto given = base64_size(array_data_);
  if (!given || *given != bytes) {
    fail(ErrorCode::bad_json, "data of " + std::to_string(given.value_or(0)) + " bytes",
         std::to_string(bytes) + " bytes in base64 for " + array_type_->to_string());
  }
  array_ = Array(array_type_->dtype, sizes);
  if (!read_base64(array_data_, {array_.raw(), static_cast<std::size_t>(bytes)})) {
    fail(ErrorCode::bad_json, "data that is not base64", "letters, digits, '+' and '/', padded with '='");
  }
  to_native(array_);
  if (array_.dtype() == DType::boolean && !all_are_bools(array_)) {
    fail(ErrorCode::bad_json, "a bool that is neither 0 nor 1", "a byte of 0 or 1 for each element");
  }
  array_data_ = {};
  if (depth_ == 1) return;
  if (top().state == JsonState::initializer) {
    variable_.init.value = std::make_shared<const Array>(std::move(array_));
  } else {
    attr_ = std::move(array_);
  }
}

}  // namespace asg
