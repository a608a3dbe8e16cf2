#pragma once

#include <string_view>

#include <nlohmann/json.hpp>

#include "asg/graph/attributes.h"
#include "asg/graph/json.h"

// For small JSON with attributes and tensors inside (edits, journals, scripts): the forms that the graph writer
// writes, read from a JSON value. docs/json-format.md describes them.
namespace asg {

// Parses a text within the limits of size and depth, so that working on the result is safe. Throws bad_json with the
// byte position, and limit_exceeded.
nlohmann::json dom_from_text(std::string_view text, const JsonLimits& limits = {});

// Throw UserError with a JSON pointer below the given value.
Attrs attrs_from_json(const nlohmann::json& value, const JsonLimits& limits = {});
Array array_from_json(const nlohmann::json& value, const JsonLimits& limits = {});
Graph graph_from_json(const nlohmann::json& value, const JsonLimits& limits = {});

nlohmann::json dom_of(const Attrs& attrs);
nlohmann::json dom_of(const Array& array);
nlohmann::json dom_of(const Graph& graph);

}  // namespace asg
