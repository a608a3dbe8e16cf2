#include "header_events.h"

#include <algorithm>
#include <array>
#include <limits>

#include "graph/printing.h"

namespace asg::io {
namespace {

constexpr std::size_t kShownOfHeader = 80;    // bytes of a name in a message
constexpr std::size_t kMostAxesOfEntry = 64;  // PyTorch's own limit

struct NamedType {
  DType dtype;
  std::string_view name;
};
constexpr std::array<NamedType, 13> kTypes = {{{DType::f64, "F64"},
                                               {DType::f32, "F32"},
                                               {DType::f16, "F16"},
                                               {DType::bf16, "BF16"},
                                               {DType::i64, "I64"},
                                               {DType::i32, "I32"},
                                               {DType::i16, "I16"},
                                               {DType::i8, "I8"},
                                               {DType::u64, "U64"},
                                               {DType::u32, "U32"},
                                               {DType::u16, "U16"},
                                               {DType::u8, "U8"},
                                               {DType::boolean, "BOOL"}}};

}  // namespace

std::string_view safetensors_name(DType dtype) {
  const auto found =
      std::find_if(kTypes.begin(), kTypes.end(), [&](const NamedType& each) { return each.dtype == dtype; });
  internal_check(found != kTypes.end(), "every dtype has a name in safetensors");
  return found->name;
}

std::string HeaderEvents::place() const {
  switch (state_) {
    case State::document:
      return "the header";
    case State::top:
      return tensors.empty() ? "the header"
                             : "the header after tensor " + as_quoted(tensors.back().name, kShownOfHeader);
    case State::metadata:
      return std::string(kMetadataKey);
    default:
      return "tensor " + as_quoted(tensors.back().name, kShownOfHeader);
  }
}

void HeaderEvents::refuse(std::string given, std::string needed) const {
  refuse_file(ErrorCode::bad_json, path_, place() + ": " + std::move(given), std::move(needed));
}

void HeaderEvents::other(const char* what) {
  refuse(what, "texts, lists of whole numbers that are not negative, and nothing else");
}

void HeaderEvents::text(std::string& value) {
  if (state_ == State::metadata) {
    if (!metadata.emplace(key_, std::move(value)).second)
      refuse("the key " + as_quoted(key_, kShownOfHeader) + " twice", "once");
    return;
  }
  if (state_ != State::tensor || field_ != dtype_field)
    refuse("the text " + as_quoted(value, kShownOfHeader), "no text here");
  const auto found =
      std::find_if(kTypes.begin(), kTypes.end(), [&](const NamedType& each) { return each.name == value; });
  if (found == kTypes.end()) {
    refuse_file(ErrorCode::bad_dtype, path_, place() + " of dtype " + as_quoted(value, kShownOfHeader),
                "F64, F32, F16, BF16, I64, I32, I16, I8, U64, U32, U16, U8 or BOOL",
                "convert the tensor to one of these before it is saved");
  }
  tensors.back().dtype = found->dtype;
}

void HeaderEvents::number(std::uint64_t value) {
  if (state_ == State::offsets) {
    if (offsets_.size() == 2) refuse("more than two data_offsets", "where the tensor begins and where it ends");
    offsets_.push_back(value);
    return;
  }
  if (state_ != State::shape) refuse("the number " + std::to_string(value), "no number here");
  Sizes& sizes = tensors.back().sizes;
  if (sizes.size() == kMostAxesOfEntry) refuse("more than 64 axes", "at most 64");
  if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
    refuse("an axis of length " + std::to_string(value), "a length below 2^63");
  }
  sizes.push_back(static_cast<std::int64_t>(value));
}

void HeaderEvents::key(std::string& name) {
  key_ = std::move(name);
  if (state_ != State::tensor) return;
  if (key_ == "dtype") {
    field_ = dtype_field;
  } else if (key_ == "shape") {
    field_ = shape_field;
  } else if (key_ == "data_offsets") {
    field_ = offsets_field;
  } else {
    refuse("the key " + as_quoted(key_, kShownOfHeader), "dtype, shape and data_offsets");
  }
  if ((seen_ & field_) != 0) refuse("the key " + as_quoted(key_, kShownOfHeader) + " twice", "each key once");
  seen_ |= field_;
}

void HeaderEvents::open_object() {
  switch (state_) {
    case State::document:
      state_ = State::top;
      return;
    case State::top:
      if (key_ == kMetadataKey) {
        if (std::exchange(has_metadata_, true)) refuse(std::string(kMetadataKey) + " twice", "once");
        state_ = State::metadata;
        return;
      }
      tensors.push_back({.name = key_});
      seen_ = 0;
      state_ = State::tensor;
      return;
    default:
      refuse("an object inside", "texts and lists of numbers");
  }
}

void HeaderEvents::open_array() {
  if (state_ != State::tensor || field_ == dtype_field) refuse("a list", "no list here");
  state_ = field_ == shape_field ? State::shape : State::offsets;
  offsets_.clear();
}

void HeaderEvents::close() {
  switch (state_) {
    case State::shape:
      state_ = State::tensor;
      return;
    case State::offsets:
      if (offsets_.size() != 2) refuse("fewer than two data_offsets", "where the tensor begins and where it ends");
      tensors.back().begin = offsets_[0];
      tensors.back().end = offsets_[1];
      state_ = State::tensor;
      return;
    case State::tensor:
      if (seen_ != all_fields) refuse("a key that is missing", "dtype, shape and data_offsets");
      state_ = State::top;
      return;
    default:
      state_ = state_ == State::metadata ? State::top : State::document;
  }
}

}  // namespace asg::io
