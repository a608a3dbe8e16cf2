#include "json_values.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "asg/core/error.h"
#include "binary_text.h"
#include "same_bits.h"

namespace asg {
namespace {

// JSON has no words for these. A NaN keeps its bits, since attributes are compared by them.
std::string word_for(double value) {
  if (!std::isnan(value)) return value < 0 ? "-inf" : "inf";
  if (same_bits(value, std::numeric_limits<double>::quiet_NaN())) return "nan";
  return "nan:" + hex_text(std::bit_cast<std::uint64_t>(value));
}

void write_real(JsonOut& out, double value) {
  if (std::isfinite(value)) return out.real(value);
  out.begin_object();
  out.member("real", word_for(value));
  out.end_object();
}

// An empty list does not show of what it is empty: then its kind stands beside it.
template <class Element, class WriteOne>
void write_list(JsonOut& out, std::string_view kind, const std::vector<Element>& elements, WriteOne write_one) {
  if (elements.empty()) {
    out.begin_object();
    out.key(kind);
  }
  out.begin_array();
  for (const Element& element : elements) write_one(element);
  out.end_array();
  if (elements.empty()) out.end_object();
}

void write_tagged(JsonOut& out, std::string_view tag, std::string_view text) {
  out.begin_object();
  out.member(tag, text);
  out.end_object();
}

// Called only where numbers are stored the other way round.
[[maybe_unused]] std::vector<std::byte> little_endian(const Array& array) {
  std::vector<std::byte> bytes(array.raw(), array.raw() + array.bytes());
  const std::int64_t size = bytes_of(array.dtype());
  for (auto element = bytes.begin(); element != bytes.end(); element += size) std::reverse(element, element + size);
  return bytes;
}

void write_initializer(JsonOut& out, const Initializer& init) {
  if (same_bits(init.a, 0) && same_bits(init.b, 0) && init.value == nullptr) return out.text(name_of(init.kind));
  out.begin_object();
  out.member("kind", name_of(init.kind));
  if (!same_bits(init.a, 0)) out.key("a"), write_real(out, init.a);
  if (!same_bits(init.b, 0)) out.key("b"), write_real(out, init.b);
  if (init.value != nullptr) out.key("value"), write_array(out, *init.value);
  out.end_object();
}

}  // namespace

void write_value(JsonOut& out, Value value) {
  if (!value) return out.null();
  if (value.port == 0) return out.integer(value.node.number);
  out.begin_array();
  out.integer(value.node.number);
  out.integer(value.port);
  out.end_array();
}

void write_array(JsonOut& out, const Array& array) {
  const Array dense = array.dense();
  out.begin_object();
  out.member("type", dense.type_string());
  out.key("data");
  if constexpr (std::endian::native == std::endian::little) {
    out.base64({dense.raw(), static_cast<std::size_t>(dense.bytes())});
  } else {
    out.base64(little_endian(dense));
  }
  out.end_object();
}

void write_variable(JsonOut& out, const Variable& variable) {
  out.begin_object();
  out.member("id", variable.id.number);
  out.member("name", variable.name);
  out.member("type", variable.type.to_string());
  if (variable.init != Initializer::zeros()) out.key("init"), write_initializer(out, variable.init);
  if (variable.kind != VarKind::parameter) out.member("kind", name_of(variable.kind));
  if (!variable.trainable) out.key("trainable"), out.boolean(false);
  out.end_object();
}

void write_plain_attr(JsonOut& out, const Attr& attr) {
  switch (attr.kind()) {
    case AttrKind::integer:
      return out.integer(attr.as_integer());
    case AttrKind::real:
      return write_real(out, attr.as_real());
    case AttrKind::boolean:
      return out.boolean(attr.as_boolean());
    case AttrKind::text:
      return out.text(attr.as_text());
    case AttrKind::integers:
      return write_list(out, "integers", attr.as_integers(), [&out](std::int64_t element) { out.integer(element); });
    case AttrKind::reals:
      return write_list(out, "reals", attr.as_reals(), [&out](double element) { write_real(out, element); });
    case AttrKind::texts:
      return write_list(out, "texts", attr.as_texts(), [&out](const std::string& element) { out.text(element); });
    case AttrKind::dtype:
      return write_tagged(out, "dtype", name_of(attr.as_dtype()));
    case AttrKind::type:
      return write_tagged(out, "type", attr.as_type().to_string());
    case AttrKind::tensor:
      out.begin_object();
      out.key("tensor");
      write_array(out, attr.as_tensor());
      return out.end_object();
    case AttrKind::graph:
      break;
  }
  fail_internal("a graph is no plain attribute");
}

}  // namespace asg
