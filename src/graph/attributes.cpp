#include "asg/graph/attributes.h"

#include <algorithm>
#include <array>

#include "asg/graph/graph.h"
#include "printing.h"
#include "same_bits.h"

namespace asg {
namespace {

constexpr std::size_t kShownBytes = 60;     // of a text
constexpr std::size_t kShownItems = 16;     // of a list
constexpr std::int64_t kShownElements = 8;  // of a tensor

struct KindWords {
  std::string_view name;
  std::string_view words;
};
constexpr std::array<KindWords, 11> kKinds = {{{"integer", "an integer"},
                                               {"real", "a real number"},
                                               {"boolean", "true or false"},
                                               {"text", "a text"},
                                               {"integers", "a list of integers"},
                                               {"reals", "a list of real numbers"},
                                               {"texts", "a list of texts"},
                                               {"dtype", "a dtype"},
                                               {"type", "a tensor type"},
                                               {"tensor", "a tensor"},
                                               {"graph", "a graph"}}};
static_assert(kKinds.size() == std::variant_size_v<Attr::Storage>);
static_assert(kKinds.size() == static_cast<std::size_t>(AttrKind::graph) + 1);

std::string_view words_of(AttrKind kind) { return kKinds[static_cast<std::size_t>(kind)].words; }

[[noreturn]] void fail_kind(const Attr& attr, AttrKind needed) {
  fail(ErrorCode::bad_attribute, attr.to_string() + ", which is " + std::string(words_of(attr.kind())),
       std::string(words_of(needed)));
}

template <class T>
const T& as(const Attr& attr, AttrKind kind) {
  const T* value = std::get_if<T>(&attr.storage());
  if (value == nullptr) fail_kind(attr, kind);
  return *value;
}

// Equality of two values of the same kind.
struct SameValue {
  const Attr::Storage& other;

  template <class T>
  bool operator()(const T& value) const {
    return same(value, *std::get_if<T>(&other));
  }

  template <class T>
  static bool same(const T& a, const T& b) {
    return a == b;
  }
  static bool same(double a, double b) { return same_bits(a, b); }
  static bool same(const std::vector<double>& a, const std::vector<double>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), same_bits);
  }
  template <class T>
  static bool same(const std::shared_ptr<const T>& a, const std::shared_ptr<const T>& b) {
    if (a == b) return true;
    return a != nullptr && b != nullptr && same_content(*a, *b);
  }
  static bool same_content(const TensorType& a, const TensorType& b) { return a == b; }
  static bool same_content(const Array& a, const Array& b) { return bit_equal(a, b); }
  static bool same_content(const Graph& a, const Graph& b) { return a == b; }
};

// How the text form writes a value.
struct Writer {
  std::string operator()(std::int64_t value) const { return std::to_string(value); }
  std::string operator()(double value) const { return number_text(value); }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(const std::string& value) const { return as_quoted(value, kShownBytes); }
  std::string operator()(DType value) const { return std::string(name_of(value)); }
  template <class T>
  std::string operator()(const std::vector<T>& values) const {
    std::string text = "[";
    const std::size_t gap = values.size() > kShownItems ? kShownItems / 2 : values.size();
    for (std::size_t k = 0; k < values.size(); ++k) {
      if (k > 0) text += ", ";
      if (k == gap) {
        text += "..., ";
        k = values.size() - kShownItems / 2;
      }
      text += (*this)(values[k]);
    }
    return text + ']';
  }
  template <class T>
  std::string operator()(const std::shared_ptr<const T>& value) const {
    return value == nullptr ? "none" : content(*value);
  }
  static std::string content(const TensorType& value) { return value.to_string(); }
  static std::string content(const Array& value) { return tensor_text(value, kShownElements); }
  static std::string content(const Graph& value) {
    return "graph " + as_quoted(value.name(), kShownBytes) + " of " + std::to_string(value.node_count()) + " nodes";
  }
};

bool before(const Attrs::Entry& entry, std::string_view name) { return entry.first < name; }

}  // namespace

std::string_view name_of(AttrKind kind) { return kKinds[static_cast<std::size_t>(kind)].name; }

Attr::Attr(TensorType value) : storage_(std::make_shared<const TensorType>(std::move(value))) {}
Attr::Attr(Array value) : storage_(std::make_shared<const Array>(std::move(value))) {}

std::int64_t Attr::as_integer() const { return as<std::int64_t>(*this, AttrKind::integer); }
double Attr::as_real() const {
  if (const auto* integer = std::get_if<std::int64_t>(&storage_)) return static_cast<double>(*integer);
  return as<double>(*this, AttrKind::real);
}
bool Attr::as_boolean() const { return as<bool>(*this, AttrKind::boolean); }
const std::string& Attr::as_text() const { return as<std::string>(*this, AttrKind::text); }
const std::vector<std::int64_t>& Attr::as_integers() const {
  return as<std::vector<std::int64_t>>(*this, AttrKind::integers);
}
const std::vector<double>& Attr::as_reals() const { return as<std::vector<double>>(*this, AttrKind::reals); }
const std::vector<std::string>& Attr::as_texts() const { return as<std::vector<std::string>>(*this, AttrKind::texts); }
DType Attr::as_dtype() const { return as<DType>(*this, AttrKind::dtype); }
const TensorType& Attr::as_type() const { return *as<std::shared_ptr<const TensorType>>(*this, AttrKind::type); }
const Array& Attr::as_tensor() const { return *as<ArrayPtr>(*this, AttrKind::tensor); }
const GraphPtr& Attr::as_graph() const { return as<GraphPtr>(*this, AttrKind::graph); }

std::string Attr::to_string() const { return std::visit(Writer{}, storage_); }

bool operator==(const Attr& a, const Attr& b) {
  return a.kind() == b.kind() && std::visit(SameValue{b.storage_}, a.storage_);
}

Attrs::Attrs(std::initializer_list<Entry> entries) {
  entries_.reserve(entries.size());
  for (const Entry& entry : entries) set(entry.first, entry.second);
}

const Attr* Attrs::find(std::string_view name) const {
  const auto place = std::lower_bound(entries_.begin(), entries_.end(), name, before);
  return place != entries_.end() && place->first == name ? &place->second : nullptr;
}

void Attrs::set(std::string_view name, Attr value) {
  const auto place = std::lower_bound(entries_.begin(), entries_.end(), name, before);
  if (place != entries_.end() && place->first == name) {
    place->second = std::move(value);
  } else {
    entries_.emplace(place, std::string(name), std::move(value));
  }
}

bool Attrs::erase(std::string_view name) {
  const auto place = std::lower_bound(entries_.begin(), entries_.end(), name, before);
  if (place == entries_.end() || place->first != name) return false;
  entries_.erase(place);
  return true;
}

}  // namespace asg
