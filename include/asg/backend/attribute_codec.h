#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "asg/graph/card.h"
#include "asg/graph/node.h"

namespace asg {

// Attributes for authors of backends. T is one of std::int64_t, double, bool, std::string, std::vector of
// std::int64_t, of double and of std::string, DType, TensorType, Array, GraphPtr.

// The value of an attribute of a node, or its card's default. Throws missing_attribute, and bad_attribute where it is
// of another type (an integer also reads as a double); both name the op, the attribute and the node.
template <class T>
T decode_attribute(const Node& node, std::string_view name);

// Puts a value among the attributes of a node to be, in place of an older one.
template <class T>
void encode_attribute(Attrs& attrs, std::string_view name, T value) {
  attrs.set(name, Attr(std::move(value)));
}

}  // namespace asg
