#include <algorithm>
#include <functional>

#include <nlohmann/json.hpp>

#include "asg/core/platform.h"
#include "generate.h"

namespace asg::generate {
namespace {

using Json = nlohmann::ordered_json;

// "journal_entry" → "JournalEntry"
std::string pascal_case(const std::string& name) {
  std::string text;
  bool begins = true;
  for (const char c : name) {
    if (c == '_') {
      begins = true;
      continue;
    }
    text += begins && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    begins = false;
  }
  return text;
}

// "view" → "VIEWS"
std::string name_of_list(const std::string& name) {
  std::string text = name + "s";
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
  return text;
}

// "message.run" → "RunMessage", "tensor" → "Tensor". Browsers have an Error of their own.
std::string type_name(const std::string& definition) {
  const std::size_t dot = definition.find('.');
  if (dot != std::string::npos) return pascal_case(definition.substr(dot + 1)) + pascal_case(definition.substr(0, dot));
  return definition == "error" ? "ErrorDetail" : pascal_case(definition);
}

std::string referred_type(const Json& reference) {
  const std::string text = reference;
  return type_name(text.substr(text.rfind('/') + 1));
}

std::string typescript_of(const Json& field);

std::string union_of(const Json& choices, const std::function<std::string(const Json&)>& type) {
  std::string text;
  for (const Json& choice : choices) text += (text.empty() ? "" : " | ") + type(choice);
  return text;
}

std::string named_type(const std::string& type, const Json& field) {
  if (type == "integer" || type == "number") return "number";
  if (type == "string" || type == "boolean" || type == "null") return type;
  if (type == "object") {
    const Json values = field.value("additionalProperties", Json(true));
    return "Record<string, " + (values.is_object() ? typescript_of(values) : "unknown") + ">";
  }
  const std::string items = field.contains("items") ? typescript_of(field.at("items")) : "unknown";
  return (items.find('|') == std::string::npos ? items : "(" + items + ")") + "[]";
}

std::string typescript_of(const Json& field) {
  if (field.contains("$ref")) return referred_type(field["$ref"]);
  if (field.contains("const")) return field["const"].dump();
  if (field.contains("enum")) return union_of(field["enum"], [](const Json& each) { return each.dump(); });
  if (field.contains("oneOf")) return union_of(field["oneOf"], typescript_of);
  if (!field.contains("type")) return "unknown";
  const Json& type = field["type"];
  if (!type.is_array()) return named_type(type, field);
  return union_of(type, [&](const Json& each) { return named_type(each, field); });
}

std::string doc_comment(const Json& object, const std::string& indent) {
  const std::string words = object.value("description", "");
  return words.empty() ? "" : indent + "/** " + words + " */\n";
}

std::string interface_of(const std::string& name, const Json& object) {
  const Json required = object.value("required", Json::array());
  std::string text = "\n" + doc_comment(object, "") + "export interface " + type_name(name) + " {\n";
  for (const auto& [field, type] : object.at("properties").items()) {
    const bool needed = std::find(required.begin(), required.end(), Json(field)) != required.end();
    text += doc_comment(type, "  ") + "  " + field + (needed ? ": " : "?: ") + typescript_of(type) + ";\n";
  }
  if (object.value("additionalProperties", true)) text += "  [name: string]: unknown;\n";
  return text + "}\n";
}

// A definition without fields. The words of an enumeration can be gone through by the page.
std::string alias_of(const std::string& name, const Json& definition) {
  std::string text = "\n" + doc_comment(definition, "");
  if (!definition.contains("enum"))
    return text + "export type " + type_name(name) + " = " + typescript_of(definition) + ";\n";
  const std::string list = name_of_list(name);
  std::string words;
  for (const Json& each : definition["enum"]) words += (words.empty() ? "" : ", ") + each.dump();
  text += "export const " + list + " = [" + words + "] as const;\n";
  return text + "export type " + type_name(name) + " = (typeof " + list + ")[number];\n";
}

// Those of two lists: of a training, and of the Lab alone.
std::string alternatives(const std::string& name, const Json& definitions, const std::string& list) {
  std::string text = "\nexport type " + name + " =";
  for (const std::string& each_list : {list, "lab_" + list}) {
    for (const Json& each : definitions.at(each_list).at("oneOf")) text += "\n  | " + referred_type(each.at("$ref"));
  }
  return text + ";\n";
}

}  // namespace

File protocol_types(const std::string& root) {
  const Json schema = Json::parse(platform::read_file(root + "/docs/protocol.schema.json"));
  const Json& definitions = schema.at("$defs");
  std::string text = "// Made from docs/protocol.schema.json by `make generate`.\n";
  text += alternatives("Message", definitions, "message");
  text += "\nexport type MessageName = Message[\"do\"];\n";
  // Browsers have an Event of their own.
  text += alternatives("LabEvent", definitions, "event");
  text += "\nexport type EventName = LabEvent[\"event\"];\n";
  for (const auto& [name, definition] : definitions.items()) {
    if (definition.contains("oneOf")) continue;  // the lists above
    text += definition.contains("properties") ? interface_of(name, definition) : alias_of(name, definition);
  }
  return {"web/src/generated/protocol.ts", std::move(text)};
}

}  // namespace asg::generate
