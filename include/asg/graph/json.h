#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "asg/core/limits.h"
#include "asg/graph/graph.h"

namespace asg {

inline constexpr int kJsonFormatVersion = 1;

// Limits that a reader keeps, so that a hostile file ends in an error and not in exhausted memory. Those of the process
// (asg/core/limits.h) where a caller names no others.
struct JsonLimits {
  std::uint64_t max_bytes = static_cast<std::uint64_t>(limit_of(Limit::file_bytes));
  std::uint64_t max_nodes = static_cast<std::uint64_t>(limit_of(Limit::nodes));
  // Nesting of JSON values. Bodies may lie in each other 64 deep and cost three each, so by default all that can be
  // built is read.
  std::int64_t max_depth = limit_of(Limit::depth);
  std::uint64_t max_tensor_elements = static_cast<std::uint64_t>(limit_of(Limit::elements));
  // The sum of the largest ids of all graphs: an id costs memory up to the largest one.
  std::uint64_t max_ids = static_cast<std::uint64_t>(limit_of(Limit::ids));
};

// Lossless: reading back gives an equal graph, ids included. Streaming: `write` gets pieces as they are made.
void write_json(const Graph& graph, const std::function<void(std::string_view piece)>& write);
std::string to_json(const Graph& graph);

// Reads what write_json wrote. Types are inferred anew and checked against those in the file. Throws UserError
// (bad_json with a JSON pointer or byte position, unknown_op, unsupported_version, limit_exceeded, and what validate
// finds).
Graph read_json(std::string_view text, const JsonLimits& limits = {});

// Attributes and arrays in the same form, for journals and scripts.
std::string to_json(const Attrs& attrs);

}  // namespace asg
