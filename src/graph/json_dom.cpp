#include "json_dom.h"

#include "asg/core/error.h"
#include "json_reader.h"
#include "json_values.h"

// All goes through the one reader and the one writer; a value is short, so a detour by its text costs little.
namespace asg {

nlohmann::json dom_from_text(std::string_view text, const JsonLimits& limits) {
  if (text.size() > limits.max_bytes) {
    fail(ErrorCode::limit_exceeded, "a text of " + std::to_string(text.size()) + " bytes",
         "at most " + std::to_string(limits.max_bytes) + " bytes");
  }
  const auto check_depth = [&limits](int depth, nlohmann::json::parse_event_t, nlohmann::json&) {
    if (depth <= limits.max_depth) return true;
    fail(ErrorCode::limit_exceeded, "values nested more than " + std::to_string(limits.max_depth) + " deep",
         "at most this depth");
  };
  try {
    return nlohmann::json::parse(text.data(), text.data() + text.size(), check_depth);
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
