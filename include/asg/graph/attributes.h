#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "asg/core/array.h"
#include "asg/core/type.h"

namespace asg {

class Graph;

enum class AttrKind : std::uint8_t { integer, real, boolean, text, integers, reals, texts, dtype, type, tensor, graph };
std::string_view name_of(AttrKind kind);

using ArrayPtr = std::shared_ptr<const Array>;
using GraphPtr = std::shared_ptr<const Graph>;

// One attribute value. Tensors and graphs are shared and immutable.
class Attr {
 public:
  using Storage = std::variant<std::int64_t, double, bool, std::string, std::vector<std::int64_t>, std::vector<double>,
                               std::vector<std::string>, DType, std::shared_ptr<const TensorType>, ArrayPtr, GraphPtr>;

  Attr() : storage_(std::int64_t{0}) {}
  Attr(int value) : storage_(std::int64_t{value}) {}                     // NOLINT: literals are attributes
  Attr(std::int64_t value) : storage_(value) {}                          // NOLINT
  Attr(double value) : storage_(value) {}                                // NOLINT
  Attr(bool value) : storage_(value) {}                                  // NOLINT
  Attr(const char* value) : storage_(std::string(value)) {}              // NOLINT
  Attr(std::string value) : storage_(std::move(value)) {}                // NOLINT
  Attr(std::vector<std::int64_t> value) : storage_(std::move(value)) {}  // NOLINT
  Attr(std::vector<double> value) : storage_(std::move(value)) {}        // NOLINT
  Attr(std::vector<std::string> value) : storage_(std::move(value)) {}   // NOLINT
  Attr(DType value) : storage_(value) {}                                 // NOLINT
  Attr(TensorType value);                                                // NOLINT
  Attr(Array value);                                                     // NOLINT
  Attr(GraphPtr value) : storage_(std::move(value)) {}                   // NOLINT

  AttrKind kind() const { return static_cast<AttrKind>(storage_.index()); }
  const Storage& storage() const { return storage_; }

  // Each throws bad_attribute when the kind is another; an integer also reads as real.
  std::int64_t as_integer() const;
  double as_real() const;
  bool as_boolean() const;
  const std::string& as_text() const;
  const std::vector<std::int64_t>& as_integers() const;
  const std::vector<double>& as_reals() const;
  const std::vector<std::string>& as_texts() const;
  DType as_dtype() const;
  const TensorType& as_type() const;
  const Array& as_tensor() const;
  const GraphPtr& as_graph() const;

  std::string to_string() const;  // as the text form writes it; long tensors and graphs are shortened
  friend bool operator==(const Attr& a, const Attr& b);  // tensors by bits, graphs by content

 private:
  Storage storage_;
};

// Attributes of a node by name, sorted. Small, so a vector. A node holds only what was chosen:
// values equal to the card's default are left out.
class Attrs {
 public:
  using Entry = std::pair<std::string, Attr>;

  Attrs() = default;
  Attrs(std::initializer_list<Entry> entries);

  const Attr* find(std::string_view name) const;
  void set(std::string_view name, Attr value);
  bool erase(std::string_view name);
  bool empty() const { return entries_.empty(); }
  std::size_t size() const { return entries_.size(); }
  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }

  friend bool operator==(const Attrs& a, const Attrs& b) = default;

 private:
  std::vector<Entry> entries_;
};

}  // namespace asg
