#include "io/onnx/model.h"

#include <algorithm>
#include <array>

#include "asg/core/error.h"

namespace asg::io {
namespace {

struct DTypeRow {
  std::int64_t number;
  std::string_view name;
  DType dtype;
};

constexpr std::array kDTypes = {
    DTypeRow{1, "FLOAT", DType::f32},      DTypeRow{2, "UINT8", DType::u8},     DTypeRow{3, "INT8", DType::i8},
    DTypeRow{4, "UINT16", DType::u16},     DTypeRow{5, "INT16", DType::i16},    DTypeRow{6, "INT32", DType::i32},
    DTypeRow{7, "INT64", DType::i64},      DTypeRow{9, "BOOL", DType::boolean}, DTypeRow{10, "FLOAT16", DType::f16},
    DTypeRow{11, "DOUBLE", DType::f64},    DTypeRow{12, "UINT32", DType::u32},  DTypeRow{13, "UINT64", DType::u64},
    DTypeRow{16, "BFLOAT16", DType::bf16},
};

auto find_attribute(auto& attributes, std::string_view name) {
  return std::find_if(attributes.begin(), attributes.end(), [&](const AttrDef& attr) { return attr.name == name; });
}

}  // namespace

std::optional<DType> dtype_of_onnx(std::int64_t number) {
  for (const DTypeRow& row : kDTypes) {
    if (row.number == number) return row.dtype;
  }
  return std::nullopt;
}

std::optional<DType> dtype_of_onnx(std::string_view name) {
  for (const DTypeRow& row : kDTypes) {
    if (row.name == name) return row.dtype;
  }
  return std::nullopt;
}

std::int64_t onnx_of_dtype(DType dtype) {
  for (const DTypeRow& row : kDTypes) {
    if (row.dtype == dtype) return row.number;
  }
  fail_internal("a dtype without a number in ONNX");
}

std::string words_of_onnx_dtype(std::int64_t number) {
  if (number == 8) return "strings";
  if (number == 14 || number == 15) return "complex numbers";
  return "dtype " + std::to_string(number);
}

const AttrDef* NodeDef::find(std::string_view attribute) const {
  const auto found = find_attribute(attributes, attribute);
  return found == attributes.end() ? nullptr : &*found;
}

std::optional<AttrDef> NodeDef::take(std::string_view attribute) {
  const auto found = find_attribute(attributes, attribute);
  if (found == attributes.end()) return std::nullopt;
  AttrDef taken = std::move(*found);
  attributes.erase(found);
  return taken;
}

void NodeDef::set(AttrDef attribute) {
  take(attribute.name);
  attributes.push_back(std::move(attribute));
}

void NodeDef::set_integer(std::string attribute, std::int64_t value) {
  AttrDef made;
  made.name = std::move(attribute);
  made.kind = AttrDef::Kind::integer;
  made.integer = value;
  set(std::move(made));
}

void NodeDef::set_text(std::string attribute, std::string value) {
  AttrDef made;
  made.name = std::move(attribute);
  made.kind = AttrDef::Kind::text;
  made.text = std::move(value);
  set(std::move(made));
}

const std::string& NodeDef::operand(std::size_t index) const {
  if (!has_input(index)) {
    fail(ErrorCode::missing_input, "no value for input " + std::to_string(index) + " of ONNX op '" + op + "'",
         "a tensor; only optional inputs may be absent");
  }
  return inputs[index];
}

void NodeDef::set_input(std::size_t index, std::string value) {
  if (inputs.size() <= index) inputs.resize(index + 1);
  inputs[index] = std::move(value);
}

std::string NodeDef::label() const {
  const std::string known_as = !name.empty() ? name : !outputs.empty() ? outputs.front() : "";
  return "ONNX node '" + known_as + "' (" + op + ")";
}

void fail_onnx(std::string given, std::string needed, std::string mend) {
  fail(ErrorCode::bad_onnx, std::move(given), std::move(needed), std::move(mend));
}

}  // namespace asg::io
