#include "support/schema.h"

#include <set>

#include <nlohmann/json.hpp>

namespace asg::test {
namespace {

using Json = nlohmann::json;

bool is_of_type(const Json& value, const std::string& type) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_boolean();
  if (type == "null") return value.is_null();
  if (type == "integer") return value.is_number_integer();
  return type == "number" && value.is_number();
}

bool is_of_any_type(const Json& value, const Json& types) {
  if (types.is_string()) return is_of_type(value, types.get_ref<const std::string&>());
  for (const Json& type : types) {
    if (is_of_type(value, type.get_ref<const std::string&>())) return true;
  }
  return false;
}

// What the schema says under a word. Schemas are large and values have many fields: nothing is copied.
const Json& word_of(const Json& schema, const char* word, const Json& otherwise) {
  const auto found = schema.find(word);
  return found == schema.end() ? otherwise : *found;
}

std::string breach_of_object(const Json& value, const Json& schema, const Json& root) {
  static const Json kNothing = Json::object();
  static const Json kAnything = true;
  if (value.size() < schema.value("minProperties", std::size_t{0})) return "too few fields in " + value.dump();
  if (value.size() > schema.value("maxProperties", value.size())) return "too many fields in " + value.dump();
  for (const Json& name : word_of(schema, "required", kNothing)) {
    if (!value.contains(name.get<std::string>())) return "no '" + name.get<std::string>() + "' in " + value.dump();
  }
  const Json& properties = word_of(schema, "properties", kNothing);
  const Json& others = word_of(schema, "additionalProperties", kAnything);
  for (const auto& [name, field] : value.items()) {
    const auto known = properties.find(name);
    if (known == properties.end() && others == false) return "'" + name + "' is not known in " + value.dump();
    if (known == properties.end() && others == true) continue;
    const std::string inside = breach(field, known == properties.end() ? others : *known, root);
    if (!inside.empty()) return name + ": " + inside;
  }
  return "";
}

std::string breach_of_choice(const Json& value, const Json& choices, const Json& root) {
  int fitting = 0;
  std::string reasons;
  for (const Json& choice : choices) {
    const std::string reason = breach(value, choice, root);
    fitting += reason.empty() ? 1 : 0;
    reasons += reason.empty() ? "" : "; " + reason;
  }
  return fitting == 1 ? "" : std::to_string(fitting) + " choices fit " + value.dump() + reasons;
}

std::string breach_of_list(const Json& value, const Json& schema, const Json& root) {
  if (value.size() > schema.value("maxItems", value.size())) return "too many elements in " + value.dump();
  if (!schema.contains("items")) return "";
  for (const Json& each : value) {
    const std::string inside = breach(each, schema.at("items"), root);
    if (!inside.empty()) return inside;
  }
  return "";
}

}  // namespace

std::string breach(const Json& value, const Json& schema, const Json& root) {
  static const std::set<std::string> kKnown = {"$ref",          "$schema",       "$defs",
                                               "title",         "description",   "type",
                                               "properties",    "required",      "additionalProperties",
                                               "items",         "enum",          "const",
                                               "minimum",       "maximum",       "maxItems",
                                               "minProperties", "maxProperties", "oneOf",
                                               "examples",      "x-answered-by"};
  for (const auto& [word, meaning] : schema.items()) {
    if (!kKnown.contains(word)) return "the schema uses '" + word + "', which this check does not know";
  }
  if (schema.contains("$ref")) {
    return breach(value, root.at(Json::json_pointer(schema.at("$ref").get<std::string>().substr(1))), root);
  }
  if (schema.contains("const") && value != schema.at("const"))
    return value.dump() + " is not " + schema["const"].dump();
  if (schema.contains("enum")) {
    const Json& all = schema.at("enum");
    if (std::find(all.begin(), all.end(), value) == all.end()) return value.dump() + " is none of " + all.dump();
  }
  if (schema.contains("type") && !is_of_any_type(value, schema.at("type"))) {
    return value.dump() + " is not of type " + schema.at("type").dump();
  }
  if (schema.contains("minimum") && value.is_number() && value < schema.at("minimum"))
    return value.dump() + " is too small";
  if (schema.contains("maximum") && value.is_number() && value > schema.at("maximum"))
    return value.dump() + " is too large";
  if (schema.contains("oneOf")) return breach_of_choice(value, schema.at("oneOf"), root);
  if (value.is_object()) return breach_of_object(value, schema, root);
  return value.is_array() ? breach_of_list(value, schema, root) : "";
}

}  // namespace asg::test
