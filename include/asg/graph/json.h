#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "asg/graph/graph.h"

namespace asg {

inline constexpr int kJsonFormatVersion = 1;

// Limits that a reader keeps, so that a hostile file ends in an error and not in exhausted memory.
struct JsonLimits {
  std::uint64_t max_bytes = std::uint64_t{4} << 30;
  std::uint32_t max_nodes = 20'000'000;
  // Nesting of JSON values. Bodies may lie in each other 64 deep and cost three each, so all that can be built is read.
  int max_depth = 256;
  std::uint64_t max_tensor_elements = std::uint64_t{1} << 31;
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
