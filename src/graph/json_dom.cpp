#include "json_dom.h"

#include "asg/core/error.h"
#include "core/json_depth.h"
#include "json_reader.h"
#include "json_values.h"

// All goes through the one reader and the one writer; a value is short, so a detour by its text costs little.
namespace asg {

nlohmann::json dom_from_text(std::string_view text, const JsonLimits& limits) {
  if (text.size() > limits.max_bytes) {
    fail_limit(Limit::file_bytes, "a text of " + std::to_string(text.size()) + " bytes",
               static_cast<std::int64_t>(limits.max_bytes));
  }
  try {
    return parse_nested<nlohmann::json>(text, limits.max_depth, true);
  } catch (const nlohmann::json::parse_error& error) {
    throw syntax_error(error.byte, error.what());
  } catch (const nlohmann::json::exception& error) {
    throw syntax_error(0, error.what());
  }
}

Attrs attrs_from_json(const nlohmann::json& value, const JsonLimits& limits) {
  JsonReader reader(JsonState::attrs, limits);
  parse_json(value.dump(), limits, reader);
  return reader.take_attrs();
}

Array array_from_json(const nlohmann::json& value, const JsonLimits& limits) {
  JsonReader reader(JsonState::tensor, limits);
  parse_json(value.dump(), limits, reader);
  return reader.take_array();
}

Graph graph_from_json(const nlohmann::json& value, const JsonLimits& limits) { return read_json(value.dump(), limits); }

nlohmann::json dom_of(const Attrs& attrs) { return nlohmann::json::parse(to_json(attrs)); }

nlohmann::json dom_of(const Array& array) {
  return nlohmann::json::parse(json_text([&array](JsonOut& out) { write_array(out, array); }));
}

nlohmann::json dom_of(const Graph& graph) { return nlohmann::json::parse(to_json(graph)); }

}  // namespace asg
